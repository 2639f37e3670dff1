"""Agents with middlewares: traces of hooks, and errors of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from loopspec_reference import Agent, ErrorEvent, Event, Message, Model
from loopspec_reference.plugins import (
    Execution,
    HookState,
    Middleware,
    MiddlewareContext,
    Runtime,
    Stack,
)

from ..doubles import Answers, Options, agent


def stacked(
    model: Answers, *middlewares: Middleware, name: str = "agent", **options: Unpack[Options]
) -> Agent[Message]:
    """An agent with plain messages and these middlewares."""
    options["handlers"] = [Stack(middlewares)]
    return agent(model, name, **options)


def failure(events: Sequence[Event]) -> str:
    """The type and the message of a failed run's error."""
    last = events[-1]
    assert isinstance(last, ErrorEvent)
    return f"{type(last.error).__name__}: {last.error}"


def tracing(name: str, trace: list[str]) -> Middleware:
    """A middleware that records every hook: state hooks are functions, wrappers are async functions."""

    def note(what: str) -> Any:  # a state hook
        def hook(state: HookState, runtime: Runtime) -> None:
            trace.append(f"{name} {what}")

        return hook

    def around(what: str) -> Any:  # a wrapper of models or of tools
        async def wrap(request: Any, handler: Any) -> Any:
            trace.append(f"{name} into {what}")
            outcome = await handler(request)
            trace.append(f"{name} out of {what}")
            return outcome

        return wrap

    return Middleware(
        name,
        before_agent=note("before agent"),
        before_model=note("before model"),
        after_model=note("after model"),
        after_agent=note("after agent"),
        wrap_model_call=around("model"),
        wrap_tool_call=around("tool"),
    )


def returns(update: object) -> Any:
    """A state hook that always returns a value, which may be invalid."""
    return lambda state, runtime: update


class Notes:
    """An execution trace that records its calls."""

    def __init__(self) -> None:
        self.executions: list[Execution] = []

    def executed(self, execution: Execution) -> None:
        """Record the execution."""
        self.executions.append(execution)


def made_for(model: Model[Message] | None = None, notes: Notes | None = None, **more: Any) -> MiddlewareContext:
    """The context of a factory call, for node `node` and agent `agent`."""
    return MiddlewareContext(agent="agent", node="node", model=model, trace=notes, **more)
