"""State and jumps of a middleware after an interrupt."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from loopspec_reference import (
    Agent,
    CancelError,
    Canceller,
    CancelMode,
    ErrorEvent,
    Event,
    Handler,
    InterruptEvent,
    InterruptRun,
    Message,
    ModelContext,
    OutsideRunError,
    State,
    ToolContext,
)
from loopspec_reference.plugins import (
    Command,
    HookState,
    Middleware,
    Runtime,
    Stack,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
)

from ..doubles import QUESTION, Answers, Function, agent, asks, drain, returning, texts_of
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


class _Waiting(Handler[Message]):
    """A handler whose first before-model hook waits until it is cancelled."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._waits = True

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Wait in the first call."""
        if self._waits:
            self._waits = False
            self.reached.set()
            await asyncio.Event().wait()
        return state


def _cancelled_once(middleware: Middleware, model: Answers) -> list[Event]:
    """Cancel a run between the middleware's hook and the first model call, and return the events of the resumption."""

    async def both() -> list[Event]:
        canceller, waiting = Canceller(), _Waiting()
        built = agent(model, handlers=[Stack([middleware]), waiting])

        async def cancel() -> None:
            await waiting.reached.wait()
            canceller.cancel()

        cancelling = asyncio.create_task(cancel())
        last = [event async for event in built.run([QUESTION], canceller=canceller)][-1]
        await cancelling
        assert isinstance(last, ErrorEvent)
        assert isinstance(last.error, CancelError)
        return [event async for event in built.resume(last.error.checkpoint)]

    return asyncio.run(both())


def test_a_repeated_first_model_call_repeats_the_before_agent_hooks() -> None:
    """The before-agent hook's messages are inserted again."""
    model = Answers("4")

    def inject(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return {"messages": [Message.system("Be brief."), *state.messages]}

    _cancelled_once(Middleware("m", before_agent=inject), model)

    assert model.given == [(Message.system("Be brief."), QUESTION)]


def test_a_jump_of_a_cancelled_call_is_discarded() -> None:
    """The hook is called again, and decides not to jump."""
    model, times = Answers("4"), [0]

    def first_only(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        times[0] += 1
        return {"jump_to": "end"} if times[0] == 1 else None

    events = _cancelled_once(Middleware("m", before_model=first_only), model)

    assert texts_of(events) == ["4"]
    assert times == [2]


def test_a_jump_to_the_model_is_a_safe_point() -> None:
    """A run that stops after the model makes no tool calls after the resumption either."""
    tool = returning("add", "4")

    def again(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        canceller.cancel(CancelMode.AFTER_MODEL)
        return {"jump_to": "model"} if state.messages[-1].tool_calls else None

    canceller = Canceller()
    model = Answers(asks("add"), "4")
    built = stacked(model, Middleware("m", after_model=again), tools=[tool])
    last = drain(built.run([QUESTION], canceller=canceller))[-1]
    assert isinstance(last, ErrorEvent)
    assert isinstance(last.error, CancelError)
    assert len(model.requests) == 1

    assert texts_of(drain(built.resume(last.error.checkpoint))) == ["4"]
    assert tool.calls == []


def test_hooks_work_only_within_a_run() -> None:
    """The error is raised when another agent calls the hooks."""
    stack = Stack[Message]([Middleware("m", before_model=lambda state, runtime: None)])

    with pytest.raises(OutsideRunError, match=r"^middlewares have a state and a context only while an agent runs$"):
        asyncio.run(stack.before_model(State(()), None))  # type: ignore[arg-type]  # it is not looked at
