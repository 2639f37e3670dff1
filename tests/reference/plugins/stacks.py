"""Agents with middlewares: what they write down, and how they end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from loopspec_reference import Agent, ErrorEvent, Event, Message, Model
from loopspec_reference.plugins import (
    Execution,
    HookState,
    Middleware,
    MiddlewareContext,
    ModelCallRequest,
    ModelHandler,
    Runtime,
    Stack,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
)

from ..doubles import Answers, Options, agent


def stacked(
    model: Answers, *middlewares: Middleware, name: str = "agent", **options: Unpack[Options]
) -> Agent[Message]:
    """An agent that speaks plain messages, with these middlewares."""
    options["handlers"] = [Stack(middlewares)]
    return agent(model, name, **options)


def failure(events: Sequence[Event]) -> str:
    """The error a run ended with: its type and its sentence."""
    last = events[-1]
    assert isinstance(last, ErrorEvent)
    return f"{type(last.error).__name__}: {last.error}"


def tracing(name: str, trace: list[str]) -> Middleware:
    """A middleware with every hook, each of which writes itself down: the state hooks plain, the wrappers `async`."""

    def note(what: str) -> Any:  # a state hook
        def hook(state: HookState, runtime: Runtime) -> None:
            trace.append(f"{name} {what}")

        return hook

    async def wrap_model(request: ModelCallRequest, handler: ModelHandler) -> Any:
        trace.append(f"{name} into model")
        message = await handler(request)
        trace.append(f"{name} out of model")
        return message

    async def wrap_tool(request: ToolCallRequest, handler: ToolHandler) -> Any:
        trace.append(f"{name} into tool")
        outcome = await handler(request)
        trace.append(f"{name} out of tool")
        return outcome

    return Middleware(
        name,
        before_agent=note("before agent"),
        before_model=note("before model"),
        after_model=note("after model"),
        after_agent=note("after agent"),
        wrap_model_call=wrap_model,
        wrap_tool_call=wrap_tool,
    )


def returns(update: object) -> Any:
    """A state hook that always returns this, also an invalid value."""
    return lambda state, runtime: update


class Notes:
    """An execution trace that keeps what it receives."""

    def __init__(self) -> None:
        self.executions: list[Execution] = []

    def executed(self, execution: Execution) -> None:
        """Keep it."""
        self.executions.append(execution)


def made_for(model: Model[Message] | None = None, notes: Notes | None = None, **more: Any) -> MiddlewareContext:
    """The context a factory is called in, of node `node` and agent `agent`."""
    return MiddlewareContext(agent="agent", node="node", model=model, trace=notes, **more)


def text_of(outcome: object) -> str:
    """The text of what a tool's wrapper was given."""
    assert isinstance(outcome, ToolOutcome)
    return outcome.text
