"""Realistic bugs about interrupted tool calls, and about resuming a run between an answer and its results."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference import Agent, AnyMessage, InterruptRun, MessageEvent, State, ToolCall
from loopspec_reference.loop import agents
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run

from ..registry import bug


@bug("INTERRUPT-05")
def repeats_the_first_call_of_the_answer() -> AbstractContextManager[object]:
    """Repeats the first tool call of the interrupted answer, although the call was finished."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: Any,
        state: State[AnyMessage],
        iteration: int,
        results: dict[int, AnyMessage],
        resumed: Mapping[int, Any],
    ) -> Any:  # Any: passed on
        opened = {at: result for at, result in results.items() if at or not resumed}
        return await act(self, run, start, state, iteration, opened, resumed)

    return patch.object(Agent, "_act", acts)


@bug("INTERRUPT-02", "INTERRUPT-03")
def takes_interrupted_calls_for_finished() -> AbstractContextManager[object]:
    """Takes an interrupted tool call for finished when the run is resumed, and appends an empty result."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: Any,
        state: State[AnyMessage],
        iteration: int,
        results: dict[int, AnyMessage],
        resumed: Mapping[int, Any],
    ) -> Any:  # Any: passed on
        calls = state.messages[-1].tool_calls
        empty = {at: self.message_type.tool_result(calls[at], "") for at in resumed}
        return await act(self, run, start, state, iteration, {**results, **empty}, {})

    return patch.object(Agent, "_act", acts)


@bug("INTERRUPT-01")
def makes_results_of_interrupts() -> AbstractContextManager[object]:
    """Makes a tool result of an interrupt, as of an error, and continues."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage], run: Run, box: Any, requested: ToolCall, *rest: Any
    ) -> AnyMessage:  # Any: passed on
        try:
            return await call(self, run, box, requested, *rest)
        except InterruptRun as error:
            message = self._message_type.tool_result(requested, f"error: {error}")
            run.emit(MessageEvent(run.agent, run.path, message))
            return message

    return patch.object(ToolCalls, "call", calls)


@bug("CANCEL-13")
def forgets_the_calls_of_a_cancelled_answer() -> AbstractContextManager[object]:
    """Saves a run that was cancelled before its tool calls as if it had none: the calls never get a result."""
    of = Checkpoint.of

    def saves(
        run: Run, state: State[AnyMessage], iteration: int, results: Any = None, states: Any = None
    ) -> bytes:  # Any: passed on
        return of(run, state, iteration, results if results or states else None, states)

    return patch.object(Checkpoint, "of", saves)


@bug("CANCEL-07")
def ignores_a_cancellation_during_tool_calls() -> AbstractContextManager[object]:
    """Takes no notice of an immediate cancellation until the tool calls under way have ended."""

    def steps(run: Run, work: Coroutine[Any, Any, Any]) -> Awaitable[Any]:  # Any: passed on
        return work if getattr(work, "__name__", "") == "_make_all" else lifecycle.step(run, work)

    return patch.object(agents, "step", steps)
