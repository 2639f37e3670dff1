"""LangChain's own middlewares: the limit of model calls, retries, summarization, and the to-do list."""

from __future__ import annotations

from functools import partial
from typing import Any

from langchain.agents import middleware as own
from langchain_core.messages import BaseMessage

from loopspec import AdapterError
from loopspec import adapting as kit
from loopspec.contract.agents import Handler, Summarization, TodoList

from .models import model_of

Middleware = own.AgentMiddleware[Any, Any]


def outermost(parts: kit.Parts[BaseMessage]) -> list[Middleware]:
    """The retries and the limit of model calls, around all other middlewares. An attempt passes all of them."""
    agent, recovery = parts.spec, parts.stage.recovery
    middlewares: list[Middleware] = []
    if agent.retry is not None:
        decides = None if agent.retry.codes is None else partial(recovery.retryable, agent.name)
        options = given(retry_on=decides, max_retries=agent.retry.max_retries, initial_delay=0.0, on_failure="error")
        middlewares.append(own.ModelRetryMiddleware(**options))
    if agent.max_iterations is not None:
        middlewares.append(own.ModelCallLimitMiddleware(run_limit=agent.max_iterations, exit_behavior="error"))
    return middlewares


def built_in(handler: Handler, parts: kit.Parts[BaseMessage]) -> Middleware:
    """Build LangChain's own middleware. A summary has LangChain's beginning."""
    kind: type[Middleware]
    match handler:
        case TodoList():
            kind = own.TodoListMiddleware
            options = given(system_prompt=handler.prompt, tool_description=handler.description)
        case Summarization():
            kind, options = own.SummarizationMiddleware, summarization(handler, parts)
        case _:
            raise AdapterError(f"{handler.name}: LangChain has no such middleware")
    middleware: Middleware = type(handler.name, (kind,), {})(**options)  # the middlewares of an agent differ in name
    return middleware


def summarization(handler: Summarization, parts: kit.Parts[BaseMessage]) -> dict[str, Any]:
    """The arguments of a summarization."""
    doubles, wire, count = parts.stage.doubles, parts.conversion.all_to_wire, parts.stage.middlewares.count_tokens
    model = handler.model
    options = given(
        trigger=handler.trigger,
        keep=None if handler.keep is None else ("messages", handler.keep),
        summarizer=model and model_of(kit.ModelDouble(model.name, model, doubles, parts.conversion)),
        token_counter=(lambda messages: count(wire(messages))) if handler.counts else None,
    )
    return {"model": model_of(parts.model), **options}


def given(**options: object) -> dict[str, Any]:
    """The arguments that the scene gives."""
    return {name: value for name, value in options.items() if value is not None}
