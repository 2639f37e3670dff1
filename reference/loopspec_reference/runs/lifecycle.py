"""The lifecycle of a run: steps that can be cancelled, events for the caller, and the one event that ends the run."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextvars import copy_context
from typing import Any, TypeVar

from ..calls.chains import in_context
from ..values.errors import CancelError, CancelMode, LoopError
from ..values.events import ErrorEvent, Event, InterruptEvent
from .checkpoints import Stop
from .run import Run, current_run
from .saving import save_stop

T = TypeVar("T")


def step(run: Run, work: Coroutine[Any, Any, T]) -> Awaitable[T]:
    """Return one step of the run, to be awaited: in a copy of the run's context (CTX-03, CTX-10), and cancellable."""
    if run.canceller is None:
        return in_context(copy_context(), work)
    return run.canceller.inner_step(work) if run.nested else run.canceller.step(work)


def cancel_is_due(run: Run, point: CancelMode) -> bool:
    """Return whether a cancel stops the run at this safe point."""
    return run.canceller is not None and run.canceller.stops_at(point, run.nested)


def is_cancelled() -> bool:
    """Return whether the current task is being cancelled."""
    own = asyncio.current_task()
    return own is not None and bool(own.cancelling())


def unrequested_cancellation(error: asyncio.CancelledError) -> LoopError:
    """Return the error for a cancellation from inside the run; re-raise one that the caller requested (LOOP-14)."""
    if is_cancelled():
        raise error
    return LoopError("something inside the run was cancelled, and not by its caller")


async def as_current(run: Run, work: Awaitable[T]) -> T:
    """Await the run of a sub-agent within the run outside it."""
    token = current_run.set(run)
    try:
        return await work
    finally:
        current_run.reset(token)


async def emit_events(run: Run, work: Callable[[], Awaitable[object]]) -> AsyncIterator[Event]:
    """Run `work` in a task of its own and yield its events. Context variables that it sets stay in this task."""
    events: deque[Event | None] = deque()  # None is the end
    arrived = asyncio.Event()

    def emit(event: Event | None) -> None:
        events.append(event)
        arrived.set()

    run.emit = emit
    task = asyncio.create_task(_whole(run, work, emit))
    try:
        while True:
            await arrived.wait()
            while events:
                event = events.popleft()
                if event is None:
                    return
                yield event
            arrived.clear()
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _whole(run: Run, work: Callable[[], Awaitable[object]], emit: Callable[[Event | None], None]) -> None:
    """Run `work` to its end and emit the last event of the run."""
    current_run.set(run)
    try:
        async with run.alone:
            await work()
    except Stop as stop:
        save_stop(run, stop)
        run.emit(_last(run, stop))
    except asyncio.CancelledError as error:
        run.emit(ErrorEvent(run.agent, run.path, unrequested_cancellation(error)))
    except Exception as error:
        run.emit(ErrorEvent(run.agent, run.path, error))
    finally:
        if run.canceller is not None:
            run.canceller.close()
        emit(None)


def _last(run: Run, stop: Stop) -> Event:
    """Return the last event of a stopped run. An interrupt under an active cancel is a cancellation (CANCEL-15)."""
    canceller = run.canceller
    if canceller is None or not canceller.active:
        return InterruptEvent(run.agent, run.path, stop.interrupts, stop.checkpoint)
    canceller.stop()
    error = CancelError(canceller.mode, canceller.escalated, canceller.timed_out, stop.checkpoint)
    return ErrorEvent(run.agent, run.path, error)
