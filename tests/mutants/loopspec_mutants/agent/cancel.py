"""Mutants about cancelling runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference import (
    Agent,
    AnyMessage,
    CancelError,
    CancelHandle,
    Canceller,
    CancelMode,
    ErrorEvent,
    Event,
    Json,
    State,
)
from loopspec_reference.calls import outputs
from loopspec_reference.calls.chains import in_copied_context
from loopspec_reference.loop import agents
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.checkpoints import Checkpoint, Stop
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant

Work = Coroutine[Any, Any, Any]  # Any: the results of the coroutines


def _points(due: Callable[[Run, CancelMode], bool]) -> AbstractContextManager[object]:
    """Patch at which safe points a run stops."""
    return patch.object(agents, "cancel_is_due", due)


def _ending(at: CancelMode) -> AbstractContextManager[object]:
    """Stop at this safe point although the run has its final answer."""
    end = Agent._end

    async def stops(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if lifecycle.cancel_is_due(run, at):
            raise Stop(Checkpoint.of(run, state, 0))
        return await end(self, run, state)

    return patch.object(Agent, "_end", stops)


@mutant("CANCEL-01", neighbors={"CANCEL-13": "one of the streaming runs is cancelled after the model call"})
def ignores_the_point_after_a_streamed_answer() -> AbstractContextManager[object]:
    """Continues with the tool calls of a streamed answer when the run should stop after the model call."""
    return _points(
        lambda run, point: (
            lifecycle.cancel_is_due(run, point) and not (run.streaming and point is CancelMode.AFTER_MODEL)
        )
    )


@mutant("CANCEL-03")
def makes_only_the_first_call_after_a_request() -> AbstractContextManager[object]:
    """Makes only the first tool call of an answer after a request to stop after the tool calls."""
    make_all = Agent._make_all

    async def one(
        self: Agent[AnyMessage], make: Callable[[int], Coroutine[Any, Any, None]], opened: Sequence[int]
    ) -> None:
        run = current_run.get()
        pending = run is not None and run.canceller is not None and run.canceller.active
        await make_all(self, make, opened[:1] if pending else opened)

    return patch.object(Agent, "_make_all", one)


@mutant("CANCEL-05", neighbors={"CANCEL-11": "the two requests together name both points"})
def waits_for_the_later_point() -> AbstractContextManager[object]:
    """Stops only after the tool calls when a request names both safe points."""

    def later(run: Run, point: CancelMode) -> bool:
        both = run.canceller is not None and run.canceller.mode == CancelMode.AFTER_MODEL | CancelMode.AFTER_TOOLS
        return lifecycle.cancel_is_due(run, point) and not (both and point is CancelMode.AFTER_MODEL)

    return _points(later)


@mutant(
    "CANCEL-21",
    neighbors={
        "CANCEL-05": "the requests name both points",
        "CANCEL-11": "the two requests together name both points",
        "CANCEL-19": "one of the requests names both points",
    },
)
def ignores_requests_for_both_points() -> AbstractContextManager[object]:
    """Compares the points of a request with the reached point as a whole, so that a combination never matches."""

    def stops_at(self: Canceller, point: CancelMode, nested: bool) -> bool:
        return self.active and self.mode == point and (self._recursive or not nested)

    return patch.object(Canceller, "stops_at", stops_at)


class _Hasty(CancelHandle):
    async def wait(self) -> Any:  # Any: of a private type
        return "cancelled" if self.contributed else "ended"


@mutant(
    "CANCEL-18",
    neighbors={
        "CANCEL-04": "the request cannot know that the run ends with its answer",
        "CANCEL-14": "the request cannot know that the run fails",
    },
)
def reports_a_cancellation_before_the_run_ends() -> AbstractContextManager[object]:
    """Reports the outcome of a request to stop after the tool calls before the run has ended."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        handle = cancel(self, mode, **options)
        if mode is CancelMode.AFTER_TOOLS and options.get("timeout") is None:
            handle = _Hasty(handle.contributed, self._over, self._outcome)
        return handle

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-20")
def skips_the_after_agent_hook_with_a_canceller() -> AbstractContextManager[object]:
    """Does not call the after-agent hooks in a run that has a canceller."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if run.canceller is not None:
            return state.messages[-1]
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("CANCEL-02")
def cancels_after_the_final_answer() -> AbstractContextManager[object]:
    """Cancels a run after the model call even when that call has returned the final answer."""
    return _ending(CancelMode.AFTER_MODEL)


@mutant("CANCEL-04")
def cancels_after_the_tools_of_an_answer_without_calls() -> AbstractContextManager[object]:
    """Cancels a run after the tool calls of an answer that has no tool calls."""
    return _ending(CancelMode.AFTER_TOOLS)


@mutant("CANCEL-06")
def stops_at_the_other_point() -> AbstractContextManager[object]:
    """Stops after the tool calls when the run has passed the requested point after the model call."""

    def makes_up(run: Run, point: CancelMode) -> bool:
        missed = point is CancelMode.AFTER_TOOLS and run.canceller is not None
        return lifecycle.cancel_is_due(run, point) or (missed and lifecycle.cancel_is_due(run, CancelMode.AFTER_MODEL))

    return _points(makes_up)


@mutant(
    "CANCEL-07",
    neighbors={"CANCEL-13": "one of the cancelled runs is streaming", "CANCEL-08": "the stream continues, too"},
)
def waits_for_the_call_in_a_streaming_run() -> AbstractContextManager[object]:
    """Waits for the current call before it cancels a streaming run immediately."""
    step = lifecycle.step

    async def steps(run: Run, work: Work) -> object:
        return await (in_copied_context(work) if run.streaming else step(run, work))

    return patch.object(agents, "step", steps)


@mutant("CANCEL-08")
def ends_cancelled_streams_as_complete() -> AbstractContextManager[object]:
    """Ends a stream that a cancellation has cut off as if the stream were complete."""
    return patch.object(outputs, "StreamCancelledError", lambda _: None)


@mutant("CANCEL-09")
def ignores_requests_before_the_run() -> AbstractContextManager[object]:
    """Begins a run without the cancel requests that were made before the run."""
    run = Agent.run

    def runs(
        self: Agent[AnyMessage],
        messages: Sequence[AnyMessage],
        session: MutableMapping[str, Json] | None = None,
        *,
        streaming: bool = False,
        canceller: Canceller | None = None,
        context: Mapping[str, Json] | None = None,
    ) -> AsyncIterator[Event]:
        if canceller is not None:
            canceller._mode, canceller._immediate = None, False
        return run(self, messages, session, streaming=streaming, canceller=canceller, context=context)

    return patch.object(Agent, "run", runs)


@mutant("CANCEL-10")
def accepts_requests_after_the_end() -> AbstractContextManager[object]:
    """Reports a cancel request after the end of the run as one that contributed."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        cancel(self, mode, **options)
        return CancelHandle(True, self._over, self._outcome)

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-11")
def replaces_the_points_of_an_earlier_request() -> AbstractContextManager[object]:
    """Replaces the safe points of the first cancel request with those of the second."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        if mode and not self._immediate:
            self._mode = None
        return cancel(self, mode, **options)

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-22")
def ignores_an_immediate_request_after_another() -> AbstractContextManager[object]:
    """Ignores an immediate cancel request while an earlier request waits for its safe point."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        if not mode and self.active and not self._over.is_set():
            return CancelHandle(True, self._over, self._outcome)
        return cancel(self, mode, **options)

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-12")
def ignores_the_timeout_of_a_request() -> AbstractContextManager[object]:
    """Ignores the timeout of a cancel request."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        return cancel(self, mode, recursive=bool(options.get("recursive")))

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-13")
def drops_results_from_the_checkpoint() -> AbstractContextManager[object]:
    """Drops the known tool results from the checkpoint of a cancelled run."""
    of = Checkpoint.of.__func__  # type: ignore[attr-defined]  # of a class method

    def forgets(
        cls: type[Checkpoint],
        run: Run,
        state: State[AnyMessage],
        iteration: int,
        results: Mapping[int, AnyMessage] | None = None,
        states: Mapping[int, Json] | None = None,
    ) -> bytes:
        if results and run.canceller is not None and run.canceller.active:
            results = {}
        return of(cls, run, state, iteration, results, states)  # type: ignore[no-any-return]  # likewise

    return patch.object(Checkpoint, "of", classmethod(forgets))


@mutant("CANCEL-14")
def reports_a_failure_as_a_cancellation() -> AbstractContextManager[object]:
    """Reports a failure as a cancellation when the run has an active cancel request."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        try:
            return await act(self, run, start, state, *rest)
        except Stop:
            raise
        except Exception:
            if run.canceller is None or not run.canceller.active:
                raise
            raise Stop(Checkpoint.of(run, state, 0)) from None

    return patch.object(Agent, "_act", acts)


@mutant("CANCEL-16")
def stops_sub_agents_without_a_request() -> AbstractContextManager[object]:
    """Stops at the safe points of sub-agents although the request covers only the outer agent."""
    stops_at = Canceller.stops_at
    return patch.object(Canceller, "stops_at", lambda self, point, nested: stops_at(self, point, False))


@mutant("CANCEL-19")
def omits_the_points_in_the_cancellation_error() -> AbstractContextManager[object]:
    """Names no safe points in the cancellation error of a streaming run."""
    last = lifecycle._last

    def names_none(run: Run, stop: Stop) -> Event:
        event = last(run, stop)
        if not (run.streaming and isinstance(event, ErrorEvent)):
            return event
        return ErrorEvent(run.agent, run.path, CancelError(CancelMode.IMMEDIATE, False, False, stop.checkpoint))

    return patch.object(lifecycle, "_last", names_none)
