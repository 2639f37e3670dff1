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

Work = Coroutine[Any, Any, Any]  # Any: of coroutines that are handed on


def _points(due: Callable[[Run, CancelMode], bool]) -> AbstractContextManager[object]:
    """Let a run stop at other points."""
    return patch.object(agents, "cancel_is_due", due)


def _ending(at: CancelMode) -> AbstractContextManager[object]:
    """Stop at a point, even where the answer is there already."""
    end = Agent._end

    async def stops(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if lifecycle.cancel_is_due(run, at):
            raise Stop(Checkpoint.of(run, state, 0))
        return await end(self, run, state)

    return patch.object(Agent, "_end", stops)


@mutant("CANCEL-01", neighbors={"CANCEL-13": "one of its streaming runs is cancelled after the model call"})
def forgets_the_point_after_a_stream() -> AbstractContextManager[object]:
    """Goes on with the tool calls of an answer that was streamed, and stops after them at the earliest."""
    return _points(
        lambda run, point: (
            lifecycle.cancel_is_due(run, point) and not (run.streaming and point is CancelMode.AFTER_MODEL)
        )
    )


@mutant("CANCEL-03")
def makes_one_call_more_at_most() -> AbstractContextManager[object]:
    """Makes only the first tool call of an answer when it has been asked to stop after the tool calls."""
    make_all = Agent._make_all

    async def one(
        self: Agent[AnyMessage], make: Callable[[int], Coroutine[Any, Any, None]], opened: Sequence[int]
    ) -> None:
        run = current_run.get()
        pending = run is not None and run.canceller is not None and run.canceller.active
        await make_all(self, make, opened[:1] if pending else opened)

    return patch.object(Agent, "_make_all", one)


@mutant("CANCEL-05", neighbors={"CANCEL-11": "its two requests together ask for both points"})
def waits_for_the_later_point() -> AbstractContextManager[object]:
    """Stops after the tool calls when it has been asked for either point."""

    def later(run: Run, point: CancelMode) -> bool:
        both = run.canceller is not None and run.canceller.mode == CancelMode.AFTER_MODEL | CancelMode.AFTER_TOOLS
        return lifecycle.cancel_is_due(run, point) and not (both and point is CancelMode.AFTER_MODEL)

    return _points(later)


@mutant(
    "CANCEL-21",
    neighbors={
        "CANCEL-05": "its requests name both points",
        "CANCEL-11": "its two requests together name both points",
        "CANCEL-19": "one of its requests names both points",
    },
)
def knows_one_point_at_a_time() -> AbstractContextManager[object]:
    """Compares the points of a request with the point that is reached, and takes no combination apart."""

    def stops_at(self: Canceller, point: CancelMode, nested: bool) -> bool:
        return self.active and self.mode == point and (self._recursive or not nested)

    return patch.object(Canceller, "stops_at", stops_at)


class _Hasty(CancelHandle):
    async def wait(self) -> Any:  # Any: of a private type
        return "cancelled" if self.contributed else "ended"


@mutant(
    "CANCEL-18",
    neighbors={
        "CANCEL-04": "it cannot know that the run will come to its answer",
        "CANCEL-14": "it cannot know that the run will fail",
    },
)
def believes_a_request_to_be_the_cancellation() -> AbstractContextManager[object]:
    """Lets nobody wait who has asked for a stop after the tool calls."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        handle = cancel(self, mode, **options)
        if mode is CancelMode.AFTER_TOOLS and options.get("timeout") is None:
            handle = _Hasty(handle.contributed, self._over, self._outcome)
        return handle

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-20")
def ends_early_where_it_could_be_cancelled() -> AbstractContextManager[object]:
    """Does not call the hooks after the agent in a run that could have been cancelled."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if run.canceller is not None:
            return state.messages[-1]
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("CANCEL-02")
def takes_the_answer_for_a_safe_point() -> AbstractContextManager[object]:
    """Is cancelled after the model call even when that call has brought the answer."""
    return _ending(CancelMode.AFTER_MODEL)


@mutant("CANCEL-04")
def takes_no_calls_for_calls_made() -> AbstractContextManager[object]:
    """Is cancelled after the tool calls of an answer that asks for none."""
    return _ending(CancelMode.AFTER_TOOLS)


@mutant("CANCEL-06")
def makes_up_for_a_missed_point() -> AbstractContextManager[object]:
    """Stops after the tool calls when the point after the model call has just passed."""

    def makes_up(run: Run, point: CancelMode) -> bool:
        missed = point is CancelMode.AFTER_TOOLS and run.canceller is not None
        return lifecycle.cancel_is_due(run, point) or (missed and lifecycle.cancel_is_due(run, CancelMode.AFTER_MODEL))

    return _points(makes_up)


@mutant("CANCEL-07", neighbors={"CANCEL-08": "the stream goes on, too"})
def lets_streaming_runs_end_their_calls() -> AbstractContextManager[object]:
    """Waits for the call in progress in a streaming run."""
    step = lifecycle.step

    async def steps(run: Run, work: Work) -> object:
        return await (in_copied_context(work) if run.streaming else step(run, work))

    return patch.object(agents, "step", steps)


@mutant("CANCEL-08")
def ends_broken_streams_quietly() -> AbstractContextManager[object]:
    """Ends a stream that was broken off as if it were complete."""
    return patch.object(outputs, "StreamCancelledError", lambda _: None)


@mutant("CANCEL-09")
def forgets_requests_before_the_run() -> AbstractContextManager[object]:
    """Begins a run without the requests that have come before."""
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
def counts_every_request() -> AbstractContextManager[object]:
    """Says of a request that came when all was over that it counted."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        cancel(self, mode, **options)
        return CancelHandle(True, self._over, self._outcome)

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-11")
def heeds_the_last_request() -> AbstractContextManager[object]:
    """Lets a second request replace the points of the first."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        if mode and not self._immediate:
            self._mode = None
        return cancel(self, mode, **options)

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-12")
def has_all_the_time_in_the_world() -> AbstractContextManager[object]:
    """Ignores the timeout of a request."""
    cancel = Canceller.cancel

    def cancels(self: Canceller, mode: CancelMode = CancelMode.IMMEDIATE, **options: Any) -> CancelHandle:
        return cancel(self, mode, recursive=bool(options.get("recursive")))

    return patch.object(Canceller, "cancel", cancels)


@mutant("CANCEL-13")
def makes_all_calls_again_after_a_cancellation() -> AbstractContextManager[object]:
    """Leaves the results that are known out of the checkpoint of a cancelled run."""
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
def blames_the_request_for_a_failure() -> AbstractContextManager[object]:
    """Reports a failure as a cancellation when one has been asked for."""
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
def stops_sub_agents_unasked() -> AbstractContextManager[object]:
    """Stops at the safe points of sub-agents, too."""
    stops_at = Canceller.stops_at
    return patch.object(Canceller, "stops_at", lambda self, point, nested: stops_at(self, point, False))


@mutant("CANCEL-19")
def does_not_say_what_was_asked_for() -> AbstractContextManager[object]:
    """Names no points in the error of a cancelled streaming run."""
    last = lifecycle._last

    def names_none(run: Run, stop: Stop) -> Event:
        event = last(run, stop)
        if not (run.streaming and isinstance(event, ErrorEvent)):
            return event
        return ErrorEvent(run.agent, run.path, CancelError(CancelMode.IMMEDIATE, False, False, stop.checkpoint))

    return patch.object(lifecycle, "_last", names_none)
