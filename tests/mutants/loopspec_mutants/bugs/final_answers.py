"""Realistic bugs about what ends a run, and about what belongs to its end."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.run import Run
from loopspec_reference.values.errors import IterationLimitError, LoopError
from loopspec_reference.values.events import ErrorEvent, Event
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


def _answering(
    change: Callable[[Run, State[AnyMessage]], State[AnyMessage]],
) -> AbstractContextManager[object]:
    """Patch the state after each model call and its hooks."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        return change(run, await call(self, run, state))

    return patch.object(ModelCalls, "call", calls)


def _last(state: State[AnyMessage], message: AnyMessage) -> State[AnyMessage]:
    return replace(state, messages=(*state.messages[:-1], message))


def _without_calls(state: State[AnyMessage]) -> State[AnyMessage]:
    answer = state.messages[-1]
    return _last(state, type(answer).assistant(answer.text))


@bug("LOOP-02")
def takes_a_text_for_the_final_answer() -> AbstractContextManager[object]:
    """Ends the run at the first answer that contains a text, also if the answer calls tools."""

    def first_text(run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        answer = state.messages[-1] if state.messages else None
        return _without_calls(state) if answer and answer.text and answer.tool_calls else state

    return _answering(first_text)


@bug("LOOP-02")
def ends_a_streaming_run_at_a_text_with_calls() -> AbstractContextManager[object]:
    """Ends a streaming run at an answer that contains a text next to tool calls. A synchronous run continues."""

    def ended(run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        answer = state.messages[-1] if state.messages else None
        return _without_calls(state) if run.streaming and answer and answer.text and answer.tool_calls else state

    return _answering(ended)


@bug("LOOP-04")
def takes_an_earlier_text_for_an_empty_answer() -> AbstractContextManager[object]:
    """Takes the text of an earlier answer for the final answer when the last answer is empty."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        emit, texts = run.emit, [one.text for one in state.messages if one.role == "assistant" and one.text]

        def recovered(message: AnyMessage) -> AnyMessage:
            empty = message.role == "assistant" and not message.text and not message.tool_calls
            return type(message).assistant(texts[-1]) if empty and texts else message

        def emits(event: Event) -> None:
            message = getattr(event, "message", None)
            emit(event if message is None else replace(event, message=recovered(message)))

        run.emit = emits
        try:
            state = await call(self, run, state)
        finally:
            run.emit = emit
        return _last(state, recovered(state.messages[-1])) if state.messages else state

    return patch.object(ModelCalls, "call", calls)


@bug("LOOP-05")
def fails_at_a_second_round_of_tools() -> AbstractContextManager[object]:
    """Fails when the answer to tool results calls tools again."""

    def checked(run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        if run.iteration and state.messages and state.messages[-1].tool_calls:
            raise LoopError("the answer to tool results has no valid text")
        return state

    return _answering(checked)


@bug("MAXITER-11")
def emits_the_last_event_again_at_the_limit() -> AbstractContextManager[object]:
    """Emits the last event before the error a second time when a run reaches its iteration limit."""

    async def twice(run: Run, work: Callable[[], Awaitable[object]]) -> AsyncIterator[Event]:
        last: Event | None = None
        async for event in emit(run, work):
            if isinstance(event, ErrorEvent) and isinstance(event.error, IterationLimitError) and last is not None:
                yield last
            last = event
            yield event

    emit = lifecycle.emit_events
    return patch.object(agents, "emit_events", twice)


class _Hasty(deque[Event | None]):
    """The events of a run that no reader has received yet. The error of the iteration limit replaces them."""

    def append(self, event: Event | None) -> None:
        if isinstance(event, ErrorEvent) and isinstance(event.error, IterationLimitError):
            self.clear()
        super().append(event)


@bug("MAXITER-11")
def drops_pending_events_at_the_limit() -> AbstractContextManager[object]:
    """Drops the events that no reader has received yet when a run reaches its iteration limit."""
    return patch.object(lifecycle, "deque", _Hasty)


def _ending(skips: Callable[[Run, State[AnyMessage]], bool]) -> AbstractContextManager[object]:
    """Patch the end of runs: the after-agent hooks are not called when `skips` says so."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        hooks, self._after = self._after, () if skips(run, state) else self._after
        try:
            return await end(self, run, state)
        finally:
            self._after = hooks

    return patch.object(Agent, "_end", ends)


@bug("HOOK-AA-01")
def skips_the_after_agent_hook_in_streaming_runs() -> AbstractContextManager[object]:
    """Calls no after-agent hooks at the end of a streaming run."""
    return _ending(lambda run, state: run.streaming)


@bug("HOOK-AA-02")
def skips_the_after_agent_hook_after_a_final_tool() -> AbstractContextManager[object]:
    """Calls no after-agent hooks when the result of a tool is the final answer."""
    return _ending(lambda run, state: bool(state.messages) and state.messages[-1].role == "tool")


@bug("OUTKEY-03")
def stores_an_empty_text_for_a_direct_result() -> AbstractContextManager[object]:
    """Stores an empty text under the output key when the final answer is the result of a tool."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and answer.role == "tool":
            run.session[self._output_key] = ""
        return answer

    return patch.object(Agent, "_end", ends)
