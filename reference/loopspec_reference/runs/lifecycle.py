"""How a run takes its course: in steps that can be stopped, told as events, to an end that is always the last one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from ..calls.chains import in_copied_context
from ..values.errors import CancelError, CancelMode, LoopError
from ..values.events import ErrorEvent, Event, InterruptEvent
from .checkpoints import Stop
from .run import Run, current_run

T = TypeVar("T")


async def step(run: Run, work: Coroutine[Any, Any, T]) -> T:
    """Do a part of the run in a copy of its context (CTX-03, CTX-10), which an immediate cancel may stop."""
    if run.canceller is None or run.nested:
        return await in_copied_context(work)
    return await run.canceller.step(work)


def cancel_is_due(run: Run, point: CancelMode) -> bool:
    """Whether the run shall stop at this point."""
    return run.canceller is not None and run.canceller.due(point, run.nested)


def unrequested_cancellation(error: asyncio.CancelledError) -> LoopError:
    """What a run makes of a cancellation that somebody inside raised; one that was asked for is raised on (LOOP-14)."""
    own = asyncio.current_task()
    if own is not None and own.cancelling():
        raise error
    return LoopError("something inside the run was cancelled, and not by its caller")


async def as_current(run: Run, work: Awaitable[T]) -> T:
    """Let the run of a sub-agent take its course within the run outside."""
    token = current_run.set(run)
    try:
        return await work
    finally:
        current_run.reset(token)


async def emit_events(run: Run, work: Callable[[], Awaitable[object]]) -> AsyncIterator[Event]:
    """Let a run take its course in a task of its own, so that what it sets in its context stays there."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    run.emit = events.put_nowait
    canceller = run.canceller

    async def whole() -> None:
        current_run.set(run)
        try:
            await work()
        except Stop as stop:
            run.emit(_last(run, stop))
        except asyncio.CancelledError as error:
            run.emit(ErrorEvent(run.agent, run.path, unrequested_cancellation(error)))
        except Exception as error:
            run.emit(ErrorEvent(run.agent, run.path, error))
        finally:
            if canceller is not None:
                canceller.close()
            events.put_nowait(None)

    task = asyncio.create_task(whole())
    try:
        while (event := await events.get()) is not None:
            yield event
    finally:
        task.cancel()
        await asyncio.wait([task])


def _last(run: Run, stop: Stop) -> Event:
    """How a stopped run ends. An interrupt while a cancel is active is a cancellation (CANCEL-15)."""
    canceller = run.canceller
    if canceller is None or not canceller.active:
        return InterruptEvent(run.agent, run.path, stop.interrupts, stop.checkpoint)
    canceller.stop()
    error = CancelError(canceller.mode, canceller.escalated, canceller.timed_out, stop.checkpoint)
    return ErrorEvent(run.agent, run.path, error)
