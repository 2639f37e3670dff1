"""A run is stopped from outside: at once, or at the next point where nothing has to be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, TypeVar

from ..values.errors import CancelMode

T = TypeVar("T")

_PATIENCE = 1.0  # seconds

Outcome = Literal["cancelled", "ended", "timed out"]


class CancelHandle:
    """One request to cancel. `contributed`: the run had not ended when it came (CANCEL-10)."""

    def __init__(self, contributed: bool, over: asyncio.Event, outcome: Callable[[], Outcome]) -> None:
        self.contributed = contributed
        self._over = over
        self._outcome = outcome

    async def wait(self) -> Outcome:
        """Wait until the run is over, and say whether this is due to the request (CANCEL-18)."""
        if not self.contributed:
            return "ended"
        await self._over.wait()
        return self._outcome()


class ImmediateStop(Exception):
    """The step in progress was cancelled."""


class Canceller:
    """Lets whoever has it cancel the one run it was given to. Never used, it changes nothing (CANCEL-20)."""

    def __init__(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self._sleep = sleep
        self._mode: CancelMode | None = None
        self._immediate = False
        self._recursive = False
        self._timed_out = False
        self._escalated = False
        self._stopped = False
        self._over = asyncio.Event()
        self._steps: dict[asyncio.Task[Any], asyncio.Event] = {}
        self._timers: set[asyncio.Task[None]] = set()

    def cancel(
        self, mode: CancelMode = CancelMode.IMMEDIATE, *, timeout: float | None = None, recursive: bool = False
    ) -> CancelHandle:
        """Stop the run at the next of these points, or at once; after `timeout` seconds at once in any case.

        A second request adds its points to those of the first, and one without points cuts the wait for them short
        (CANCEL-11, CANCEL-12). Points inside sub-agents count only when it is `recursive` (CANCEL-16).
        """
        handle = CancelHandle(not self._over.is_set(), self._over, self._outcome)
        if not handle.contributed:
            return handle
        self._recursive |= recursive
        waited = self._mode is not None and not self._immediate
        if not mode:
            self._escalated |= waited
            self._mode = self._mode or CancelMode.IMMEDIATE
            self._now()
            return handle
        self._mode = mode if self._mode is None else self._mode | mode
        if timeout is not None and not self._immediate:
            self._timers.add(asyncio.get_running_loop().create_task(self._expire(timeout)))
        return handle

    @property
    def active(self) -> bool:
        """Whether anybody has asked."""
        return self._mode is not None

    @property
    def mode(self) -> CancelMode:
        """The points asked for, together."""
        return self._mode or CancelMode.IMMEDIATE

    @property
    def escalated(self) -> bool:
        """Whether a wait for a point was cut short."""
        return self._escalated

    @property
    def timed_out(self) -> bool:
        """Whether a timeout cut it short."""
        return self._timed_out

    def due(self, point: CancelMode, nested: bool) -> bool:
        """Whether a run that is at this point shall stop here. `nested`: it is the run of a sub-agent."""
        return self._mode is not None and point in self._mode and (self._recursive or not nested)

    async def step(self, work: Coroutine[Any, Any, T]) -> T:
        """Do a part of the run that can be cancelled at once. Raises `ImmediateStop` when it was."""
        if self._immediate:
            work.close()
            raise ImmediateStop
        task = asyncio.create_task(work)
        over = self._steps[task] = asyncio.Event()
        task.add_done_callback(lambda _: over.set())
        try:
            await over.wait()
        except asyncio.CancelledError:  # the caller has stopped listening
            task.cancel()
            await asyncio.wait([task])
            raise
        finally:
            del self._steps[task]
        if not task.done() or (self._immediate and task.cancelled()):
            raise ImmediateStop
        return task.result()

    def stop(self) -> None:
        """The run has stopped because it was asked to."""
        self._stopped = True

    def close(self) -> None:
        """The run is over."""
        self._over.set()
        for timer in self._timers:
            timer.cancel()

    def _now(self) -> None:
        self._immediate = True
        for task in (*self._timers, *self._steps):
            task.cancel()
        if self._steps:
            self._timers = {asyncio.get_running_loop().create_task(self._lose_patience())}

    async def _lose_patience(self) -> None:
        """Leave behind what does not let itself be cancelled."""
        await self._sleep(_PATIENCE)
        for over in self._steps.values():
            over.set()

    async def _expire(self, timeout: float) -> None:
        await self._sleep(timeout)
        self._escalated = self._timed_out = True
        self._now()

    def _outcome(self) -> Outcome:
        if not self._stopped:
            return "ended"
        return "timed out" if self._timed_out else "cancelled"
