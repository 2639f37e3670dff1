"""LangChain's own middlewares: the limit of model calls, retries, summarization, and the to-do list.

An agent has at most one middleware of a name, and two limits of model calls count in one place. So the adapter's own
ones are of other classes where the handler under test is of theirs.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, NotRequired

from langchain.agents import middleware as own
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import BaseMessage
from langgraph.channels.untracked_value import UntrackedValue

import loopspec_adapting as kit
from loopspec import AdapterError
from loopspec.contract.agents import Handler, Summarization, TodoList

from .models import model_of

Middleware = own.AgentMiddleware[Any, Any]
_COUNT = "scene_run_model_call_count"


def outermost(parts: kit.Parts[BaseMessage]) -> list[Middleware]:
    """The retries and the limit of model calls, around all other middlewares. An attempt passes all of them."""
    agent, recovery, tested = parts.spec, parts.stage.recovery, type(parts.own)
    middlewares: list[Middleware] = []
    if agent.retry is not None:
        decides = None if agent.retry.codes is None else partial(recovery.retryable, agent.name)
        options = given(retry_on=decides, max_retries=agent.retry.max_retries, initial_delay=0.0, on_failure="error")
        retries = _SceneRetry if issubclass(tested, own.ModelRetryMiddleware) else own.ModelRetryMiddleware
        middlewares.append(retries(**options))
    if agent.max_iterations is not None:
        limit = _SceneLimit if issubclass(tested, own.ModelCallLimitMiddleware) else own.ModelCallLimitMiddleware
        middlewares.append(limit(run_limit=agent.max_iterations, exit_behavior="error"))
    return middlewares


class _SceneRetry(own.ModelRetryMiddleware):
    """The retries of a scene, under another name."""


class _SceneCounts(own.AgentState[Any]):
    """The counts of the limit of a scene."""

    scene_run_model_call_count: NotRequired[Annotated[int, UntrackedValue, PrivateStateAttr]]


class _SceneLimit(own.ModelCallLimitMiddleware):
    """The limit of a scene, under another name and with a count of its own."""

    state_schema = _SceneCounts  # type: ignore[assignment]  # as in LangChain's own class

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Check the limit by the own count."""
        counts: Any = {"run_model_call_count": state.get(_COUNT, 0)}
        return super().before_model(counts, runtime)

    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Increment the own count."""
        return {_COUNT: state.get(_COUNT, 0) + 1}


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
    doubles, wire, count = parts.stage.doubles, parts.conversion.all_to_wire, parts.stage.doubles.count_tokens
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
