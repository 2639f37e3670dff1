"""State and jumps of a middleware after an interrupt."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from loopspec_reference import Agent, ErrorEvent, InterruptEvent, InterruptRun, Message, ToolContext
from loopspec_reference.plugins import (
    Command,
    HookState,
    Middleware,
    Runtime,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
)

from ..doubles import QUESTION, Answers, Function, asks, drain, returning, texts_of
from .stacks import stacked


class Count(msgspec.Struct):
    """A state."""

    begun: int = 0
    calls: int = 0


class Needs(msgspec.Struct):
    """A context."""

    user: str


async def _asks_back(context: ToolContext, arguments: str) -> str:
    if context.resumed is None:
        raise InterruptRun("Sure?")
    return str(context.resumed.data)


def _counting(goto: str | None) -> Middleware:
    """Counts its runs and the calls of `add`, which returns a command with this target."""

    def begin(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return {"begun": state.own.begun + 1}

    async def count(request: ToolCallRequest, handler: ToolHandler) -> Any:
        outcome = await handler(request)
        assert isinstance(outcome, ToolOutcome)
        return Command({"calls": request.own.calls + 1}, goto, outcome) if request.call.name == "add" else outcome

    return Middleware("m", state_schema=Count, context_schema=Needs, before_agent=begin, wrap_tool_call=count)


def _built(goto: str | None) -> tuple[Agent[Message], Answers]:
    model = Answers(asks("add", "stop"), "4")
    tools = [returning("add", "added"), Function("stop", _asks_back)]
    return stacked(model, _counting(goto), tools=tools), model


@pytest.mark.parametrize("goto", ["end", None])
def test_state_and_jump_survive_an_interrupt(goto: str | None) -> None:
    """Another agent resumes from the checkpoint without the session; before-agent hooks are not repeated."""
    first, _ = _built(goto)
    stopped = drain(first.run([QUESTION], context={"user": "Ann"}))[-1]
    assert isinstance(stopped, InterruptEvent)
    assert b"Ann" not in stopped.checkpoint

    second, model = _built(goto)
    session: dict[str, Any] = {}
    model._answers = model._answers[1:]
    events = drain(second.resume(stopped.checkpoint, {"call-stop": "Yes."}, session=session, context={"user": "Bob"}))

    assert texts_of(events) == (["Yes."] if goto == "end" else ["Yes.", "4"])
    assert session["plugins"] == {"agent": {"m": {"begun": 1, "calls": 1}}}


def test_a_context_is_passed_again() -> None:
    """A resumption without the context fails like a run."""
    first, _ = _built(None)
    stopped = drain(first.run([QUESTION], context={"user": "Ann"}))[-1]
    assert isinstance(stopped, InterruptEvent)
    last = drain(first.resume(stopped.checkpoint))[-1]

    assert isinstance(last, ErrorEvent)
    assert "Object missing required field `user`" in str(last.error)
