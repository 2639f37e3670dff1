"""Mutants about the hook after the model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from msgspec import structs
from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, Handler, Message, ModelContext, State
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.models import ModelRequest
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.values.events import Event, MessageEvent

from ..registry import mutant

AnyHandler = Handler[AnyMessage]
AnyState = State[AnyMessage]
Calls = ModelCalls[AnyMessage]
Finish = Callable[[Calls, AnyState], Awaitable[AnyState]]


def _finishing(lie: Callable[[Finish, Calls, Run, AnyState], Awaitable[AnyState]]) -> AbstractContextManager[object]:
    """Finish model calls in another way, given the right one."""
    finished = ModelCalls._finished

    async def finishes(self: Calls, state: AnyState) -> AnyState:
        run = current_run.get()
        assert run is not None, "models are called by a run"
        return await lie(finished, self, run, state)

    return patch.object(ModelCalls, "_finished", finishes)


def _with(calls: Calls, handlers: Sequence[AnyHandler]) -> Calls:
    """The same, with other handlers after the model."""
    other = copy(calls)
    other._after = handlers
    return other


@dataclass
class _After:
    """Stands between a model call and a handler."""

    tell: Callable[[AnyState, ModelContext[AnyMessage]], Awaitable[AnyState]]

    async def after_model(self, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        return await self.tell(state, context)


@mutant(
    "HOOK-AM-01",
    neighbors={
        "CTX-04": "it says what the next handler is given, and the next is another one",
        "HANDLER-06": "its scenario looks at the order of all hooks",
        "HOOK-AM-07": "it says that the handlers behind one that fails are not called",
        "ORDER-MODEL-02": "it says so of all hooks around a model call",
    },
)
def goes_back_through_the_handlers() -> AbstractContextManager[object]:
    """Calls the handlers after the model from the last to the first, as the wrappers end."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        return await finish(_with(calls, calls._after[::-1]), state)

    return _finishing(finishes)


@mutant("HOOK-AM-02", neighbors={"HOOK-AM-03": "a handler cannot drop calls that it is not shown"})
def shows_the_text_only() -> AbstractContextManager[object]:
    """Shows the hook the text of an answer that was streamed, and adds the calls when it is over."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        answer = state.messages[-1]
        if not (run.streaming and isinstance(answer, Message) and answer.tool_calls):
            return await finish(calls, state)
        left = await finish(
            calls, replace(state, messages=(*state.messages[:-1], structs.replace(answer, tool_calls=())))
        )
        last = cast("Message", left.messages[-1])
        if last.tool_calls:
            return left
        return replace(left, messages=(*left.messages[:-1], structs.replace(last, tool_calls=answer.tool_calls)))

    return _finishing(finishes)


@mutant(
    "HOOK-AM-03",
    neighbors={
        "HOOK-AM-05": "the message behind the answer asks for nothing, as the answer does without its calls",
    },
)
def acts_on_the_raw_answer() -> AbstractContextManager[object]:
    """Makes the calls that the model has asked for, even if the hooks have left none."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left = await finish(calls, state)
        if left.messages[-1].tool_calls or not state.messages[-1].tool_calls:
            return left
        return replace(left, messages=(*left.messages[:-1], state.messages[-1]))

    return _finishing(finishes)


@mutant("HOOK-AM-11")
@contextmanager
def passes_the_raw_answer_to_the_parent() -> Iterator[None]:
    """Returns a sub-agent's answer to its parent as the model gave it."""
    within = Agent.run_within
    answers: list[tuple[AnyMessage, AnyMessage]] = []  # as the hooks left it, as the model gave it

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left = await finish(calls, state)
        answers.append((left.messages[-1], state.messages[-1]))
        return left

    async def runs(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        answer: AnyMessage = await within(self, *rest)
        return next((raw for left, raw in answers if left is answer), answer)

    with _finishing(finishes), patch.object(Agent, "run_within", runs):
        yield


@mutant("HOOK-AM-04")
def trusts_a_final_answer() -> AbstractContextManager[object]:
    """Takes an answer without tool calls for the final one, whatever hooks have added to it."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left = await finish(calls, state)
        if not left.messages[-1].tool_calls or state.messages[-1].tool_calls:
            return left
        return replace(left, messages=(*left.messages[:-1], state.messages[-1]))

    return _finishing(finishes)


@mutant("HOOK-AM-05")
def looks_for_calls_further_up() -> AbstractContextManager[object]:
    """Makes the calls of the answer though a handler has put a message behind it."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left, answer = await finish(calls, state), state.messages[-1]
        if left.messages[-1] != answer and answer in left.messages and answer.tool_calls:
            return replace(left, messages=(*(one for one in left.messages if one != answer), answer))
        return left

    return _finishing(finishes)


@mutant("HOOK-AM-06")
def puts_the_answer_back() -> AbstractContextManager[object]:
    """Puts the answer back when the hooks have left no message."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        async def tells(handler: AnyHandler, now: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
            left = await handler.after_model(now, context)
            return left if left is None or left.messages else replace(left, messages=state.messages[-1:])

        return await finish(
            _with(calls, [cast("AnyHandler", _After(partial(tells, one))) for one in calls._after]), state
        )

    return _finishing(finishes)


@mutant("HOOK-AM-07")
def asks_the_others_first() -> AbstractContextManager[object]:
    """Calls the handlers behind one that has failed after the model, and then fails."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        try:
            return await finish(calls, state)
        except Exception:
            for handler in calls._after[1:]:
                await handler.after_model(state, calls._context(state.tools))
            raise

    return _finishing(finishes)


@mutant("HOOK-AM-08")
def tells_of_failed_calls() -> AbstractContextManager[object]:
    """Calls the hook after a failed model call, too, with the conversation that was sent."""
    answered = ModelCalls._answered

    async def answers(self: Calls, run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        attempt = await answered(self, run, request)
        if attempt.error is not None:
            state = State(tuple(request.messages), tuple(request.tools))
            for handler in self._after:
                await handler.after_model(state, self._context(state.tools))
        return attempt

    return patch.object(ModelCalls, "_answered", answers)


@mutant("HOOK-AM-09")
def tells_of_each_chunk() -> AbstractContextManager[object]:
    """Calls the hook for each chunk of a stream before it calls it for the whole answer."""
    answered = ModelCalls._answered

    async def answers(self: Calls, run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        attempt = await answered(self, run, request)
        stream = attempt.stream and attempt.stream._output._stream
        chunks = stream._chunks if stream else []
        for chunk in chunks if len(chunks) > 2 else ():
            state = State((*request.messages, chunk), tuple(request.tools))
            for handler in self._after:
                await handler.after_model(state, self._context(state.tools))
        return attempt

    return patch.object(ModelCalls, "_answered", answers)


@mutant(
    "HOOK-AM-10",
    neighbors={
        "EVENT-13": "it says that the event comes before those of the hook",
        "ORDER-MODEL-05": "it says that the event comes first",
        "OUTKEY-05": "it says that the event and what is stored may differ",
    },
)
def tells_of_the_answer_last() -> AbstractContextManager[object]:
    """Tells the caller of an answer when the hooks have changed it."""
    call = ModelCalls.call

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        held: list[Event] = []

        def hold(event: Event) -> None:
            (held.append if isinstance(event, MessageEvent) else emit)(event)

        emit, run.emit = run.emit, hold
        try:
            left = await call(self, run, state)
        except Exception:
            for event in held:
                emit(event)
            raise
        finally:
            run.emit = emit
        if held:
            emit(MessageEvent(run.agent, run.path, left.messages[-1]))
        return left

    return patch.object(ModelCalls, "call", calls)
