"""Realistic bugs about cancelling a run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from typing import Any
from unittest.mock import patch

from loopspec_reference import CancelError, Canceller, ErrorEvent, Event
from loopspec_reference.calls.chains import in_context
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.cancels import ImmediateStop
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug

Make = Callable[[int], Coroutine[Any, Any, None]]  # Any: as the reference has it


def _makes_calls(work: object) -> bool:
    """Whether this step of a run makes the tool calls of an answer."""
    return getattr(work, "__name__", "") == Agent._make_all.__name__


@bug("CANCEL-07")
def lets_tools_finish_after_a_cancellation() -> AbstractContextManager[object]:
    """Does not cancel tool calls: an immediate cancellation takes effect when the tools have returned."""

    async def steps(run: Run, work: Coroutine[Any, Any, Any]) -> Any:  # Any: the result of the step
        if run.canceller is None or not _makes_calls(work):
            return await lifecycle.step(run, work)
        done = await in_context(copy_context(), work)
        if run.canceller.active and not run.canceller.mode:
            raise ImmediateStop
        return done

    return patch.object(agents, "step", steps)


@bug("CANCEL-07")
def waits_for_calls_that_ignore_a_cancellation() -> AbstractContextManager[object]:
    """Waits without a limit for a call that does not end when it is cancelled."""

    async def never(self: Canceller) -> None:
        await asyncio.Event().wait()

    return patch.object(Canceller, "_abandon", never)


@bug("CANCEL-09")
def hangs_when_cancelled_before_the_run() -> AbstractContextManager[object]:
    """Never ends a run whose immediate cancellation was requested before the run."""
    step = Canceller.step

    async def steps(self: Canceller, work: Coroutine[Any, Any, Any]) -> Any:  # Any: the result of the step
        if self._immediate and not self._steps:
            work.close()
            await asyncio.Event().wait()
        return await step(self, work)

    return patch.object(Canceller, "step", steps)


@bug("CANCEL-07")
def ends_without_an_error_when_cancelled_during_tools() -> AbstractContextManager[object]:
    """Ends a run that is cancelled immediately during its tool calls without a cancellation error."""
    emit = lifecycle.emit_events

    async def silent(run: Run, work: Callable[[], Awaitable[object]]) -> AsyncIterator[Event]:
        tools: list[bool] = []
        run_tools[id(run)] = tools
        async for event in emit(run, work):
            if tools and isinstance(event, ErrorEvent) and isinstance(event.error, CancelError):
                continue
            yield event

    run_tools: dict[int, list[bool]] = {}
    make_all = Agent._make_all

    async def makes(self: Agent[AnyMessage], make: Make, opened: Sequence[int]) -> None:
        try:
            await make_all(self, make, opened)
        except asyncio.CancelledError:
            run_tools.get(id(current_run.get()), []).append(True)
            raise

    @contextmanager
    def both() -> Iterator[None]:
        with patch.object(agents, "emit_events", silent), patch.object(Agent, "_make_all", makes):
            yield

    return both()


@bug("CANCEL-19")
def hangs_when_cancelled_during_a_tool_call() -> AbstractContextManager[object]:
    """Never ends a run that is cancelled immediately during a tool call."""

    async def steps(run: Run, work: Coroutine[Any, Any, Any]) -> Any:  # Any: the result of the step
        try:
            return await lifecycle.step(run, work)
        except ImmediateStop:
            if _makes_calls(work):
                await asyncio.Event().wait()
            raise

    return patch.object(agents, "step", steps)
