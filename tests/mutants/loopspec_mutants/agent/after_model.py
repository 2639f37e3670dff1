"""Mutants about the after-model hook."""

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


def _finishing(change: Callable[[Finish, Calls, Run, AnyState], Awaitable[AnyState]]) -> AbstractContextManager[object]:
    """Patch how model calls finish: `change` receives the original `_finished` and its arguments."""
    finished = ModelCalls._finished

    async def finishes(self: Calls, state: AnyState) -> AnyState:
        run = current_run.get()
        assert run is not None, "models are called by a run"
        return await change(finished, self, run, state)

    return patch.object(ModelCalls, "_finished", finishes)


def _with(calls: Calls, handlers: Sequence[AnyHandler]) -> Calls:
    """Return a copy of the model calls with these handlers after the model."""
    other = copy(calls)
    other._after = handlers
    return other


@dataclass
class _After:
    """Calls a function in place of the after-model hook of a handler."""

    call: Callable[[AnyState, ModelContext[AnyMessage]], Awaitable[AnyState]]

    async def after_model(self, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        return await self.call(state, context)


@mutant(
    "HOOK-AM-01",
    neighbors={
        "CTX-04": "the rule says what the next handler receives, and the next handler is another one",
        "HANDLER-06": "the scenario compares the order of all hooks",
        "HOOK-AM-07": "the rule says that the handlers after the failing one are not called",
        "ORDER-MODEL-02": "the rule gives the order of all hooks of a model call",
    },
)
def calls_after_model_hooks_in_reverse() -> AbstractContextManager[object]:
    """Calls the after-model hooks from the last handler to the first, in the order in which wrappers end."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        return await finish(_with(calls, calls._after[::-1]), state)

    return _finishing(finishes)


@mutant("HOOK-AM-02", neighbors={"LOOP-20": "the runs make three model calls with a handler in every hook"})
def skips_the_after_model_hook_from_the_third_call_on() -> AbstractContextManager[object]:
    """Calls no after-model hook from the third model call of a streaming run on."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        answers = sum(message.role == "assistant" for message in state.messages)
        return await finish(_with(calls, ()) if run.streaming and answers > 2 else calls, state)

    return _finishing(finishes)


@mutant("HOOK-AM-12", neighbors={"HOOK-AM-03": "a handler cannot drop calls that it does not receive"})
def hides_the_calls_of_a_streamed_answer() -> AbstractContextManager[object]:
    """Passes only the text of a streamed answer to the after-model hook, and adds the tool calls afterwards."""

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
        "HOOK-AM-05": "the message after the answer has no tool calls, like the answer without its calls",
    },
)
def makes_calls_that_a_hook_has_removed() -> AbstractContextManager[object]:
    """Makes the tool calls of the model's answer even if the after-model hooks have removed all of them."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left = await finish(calls, state)
        if left.messages[-1].tool_calls or not state.messages[-1].tool_calls:
            return left
        return replace(left, messages=(*left.messages[:-1], state.messages[-1]))

    return _finishing(finishes)


@mutant("HOOK-AM-11")
@contextmanager
def returns_the_models_answer_of_a_sub_agent() -> Iterator[None]:
    """Returns a sub-agent's answer to the outer agent as the model gave it, without the changes of the hooks."""
    within = Agent.run_within
    answers: list[tuple[AnyMessage, AnyMessage]] = []  # as the hooks left it, as the model gave it

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left = await finish(calls, state)
        answers.append((left.messages[-1], state.messages[-1]))
        return left

    async def runs(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        answer: AnyMessage = await within(self, *rest)
        return next((raw for left, raw in answers if left is answer), answer)

    with _finishing(finishes), patch.object(Agent, "run_within", runs):
        yield


@mutant("HOOK-AM-04")
def ignores_calls_that_a_hook_has_added() -> AbstractContextManager[object]:
    """Ends the run at an answer without tool calls although an after-model hook has added some."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left = await finish(calls, state)
        if not left.messages[-1].tool_calls or state.messages[-1].tool_calls:
            return left
        return replace(left, messages=(*left.messages[:-1], state.messages[-1]))

    return _finishing(finishes)


@mutant("HOOK-AM-05")
def makes_the_calls_of_an_earlier_message() -> AbstractContextManager[object]:
    """Makes the tool calls of the answer although a handler has appended a message after the answer."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        left, answer = await finish(calls, state), state.messages[-1]
        if left.messages[-1] != answer and answer in left.messages and answer.tool_calls:
            return replace(left, messages=(*(one for one in left.messages if one != answer), answer))
        return left

    return _finishing(finishes)


@mutant("HOOK-AM-06")
def restores_the_answer_that_a_hook_removed() -> AbstractContextManager[object]:
    """Restores the answer when an after-model hook has returned no messages."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        async def calls_hook(handler: AnyHandler, now: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
            left = await handler.after_model(now, context)
            return left if left is None or left.messages else replace(left, messages=state.messages[-1:])

        return await finish(
            _with(calls, [cast("AnyHandler", _After(partial(calls_hook, one))) for one in calls._after]), state
        )

    return _finishing(finishes)


@mutant("HOOK-AM-07")
def calls_the_after_model_hooks_after_a_failed_one() -> AbstractContextManager[object]:
    """Calls the after-model hooks of the other handlers when the first one has failed, and then fails."""

    async def finishes(finish: Finish, calls: Calls, run: Run, state: AnyState) -> AnyState:
        try:
            return await finish(calls, state)
        except Exception:
            for handler in calls._after[1:]:
                await handler.after_model(state, calls._context(state.tools))
            raise

    return _finishing(finishes)


@mutant("HOOK-AM-08")
def calls_the_after_model_hook_after_a_failed_call() -> AbstractContextManager[object]:
    """Calls the after-model hook also after a failed model call, with the conversation that was sent."""
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
def calls_the_after_model_hook_for_each_chunk() -> AbstractContextManager[object]:
    """Calls the after-model hook for each chunk of a stream, and then for the whole answer."""
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
        "EVENT-13": "the rule says that the event of the answer precedes the events of the hook",
        "ORDER-MODEL-05": "the rule says that the event precedes the hooks",
        "OUTKEY-05": "the rule says that the event and the stored text may differ",
    },
)
def emits_the_answer_after_the_hooks() -> AbstractContextManager[object]:
    """Emits the event of an answer after the after-model hooks, with their changes."""
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
