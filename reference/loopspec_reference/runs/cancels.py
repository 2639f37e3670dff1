"""Cancellation from outside: at once, or at the next safe point, where a resumption has nothing to repeat."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from typing import Any, Literal, TypeVar

from ..calls.chains import in_context
from ..values.errors import CancelMode

T = TypeVar("T")

_GRACE = 1.0  # seconds that a cancelled step has to end

Outcome = Literal["cancelled", "ended", "timed out"]


class CancelHandle:
    """One request to cancel. `contributed`: the request came before the end of the run (CANCEL-10)."""

    def __init__(self, contributed: bool, over: asyncio.Event, outcome: Callable[[], Outcome]) -> None:
        self.contributed = contributed
        self._over = over
        self._outcome = outcome

    async def wait(self) -> Outcome:
        """Wait for the end of the run and return whether the request caused it (CANCEL-18)."""
        if not self.contributed:
            return "ended"
        await self._over.wait()
        return self._outcome()


class ImmediateStop(Exception):
    """The current step was cancelled."""


class Canceller:
    """Cancels the one run that it was passed to. A run whose canceller is not used is not affected (CANCEL-20)."""

    def __init__(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self._sleep = sleep
        self._mode: CancelMode | None = None
        self._immediate = False
        self._recursive = False
        self.timed_out = False  # whether a timeout stopped the run before a requested safe point
        self.escalated = False  # whether anything did
        self._stopped = False
        self._over = asyncio.Event()
        self._steps: dict[asyncio.Task[Any], asyncio.Event] = {}
        self._timers: set[asyncio.Task[None]] = set()

    def cancel(
        self, mode: CancelMode = CancelMode.IMMEDIATE, *, timeout: float | None = None, recursive: bool = False
    ) -> CancelHandle:
        """Stop the run at the next of these safe points; without a safe point, or after `timeout` seconds, at once.

        A second request adds its safe points to those of the first. A request without safe points ends the wait for
        them (CANCEL-11, CANCEL-22). Safe points inside sub-agents count only if `recursive` is true (CANCEL-16).
        """
        handle = CancelHandle(not self._over.is_set(), self._over, self._outcome)
        if not handle.contributed:
            return handle
        self._recursive |= recursive
        waited = self._mode is not None and not self._immediate
        if not mode:
            self.escalated |= waited
            self._mode = self._mode or CancelMode.IMMEDIATE
            self._stop_now()
            return handle
        self._mode = mode if self._mode is None else self._mode | mode
        if timeout is not None and not self._immediate:
            self._timers.add(asyncio.get_running_loop().create_task(self._expire(timeout)))
        return handle

    @property
    def active(self) -> bool:
        """Whether a cancel was requested."""
        return self._mode is not None

    @property
    def mode(self) -> CancelMode:
        """The safe points of all requests."""
        return self._mode or CancelMode.IMMEDIATE

    def stops_at(self, point: CancelMode, nested: bool) -> bool:
        """Return whether a run stops at this safe point. `nested`: the run is that of a sub-agent."""
        return self._mode is not None and point in self._mode and (self._recursive or not nested)

    async def step(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one step that can be cancelled at once. Raises `ImmediateStop` if it was cancelled."""
        if self._immediate:
            work.close()
            raise ImmediateStop
        task = asyncio.create_task(work)
        over = self._steps[task] = asyncio.Event()
        task.add_done_callback(lambda _: over.set())
        try:
            await over.wait()
        except asyncio.CancelledError:  # the reader of the events has stopped
            task.cancel()
            await asyncio.wait([task])
            raise
        finally:
            del self._steps[task]
        if not task.done() or (self._immediate and task.cancelled()):
            raise ImmediateStop
        return task.result()

    async def inner_step(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one step of a sub-agent, within a step of the run. Raises `ImmediateStop` if that step was cancelled."""
        if self._immediate:  # the step before has ignored its cancellation
            work.close()
            raise ImmediateStop
        try:
            return await in_context(copy_context(), work)
        except asyncio.CancelledError:
            if self._immediate:
                raise ImmediateStop from None
            raise

    def stop(self) -> None:
        """Record that the run stopped because of a request."""
        self._stopped = True

    def close(self) -> None:
        """Record that the run is over."""
        self._over.set()
        for timer in self._timers:
            timer.cancel()

    def _stop_now(self) -> None:
        self._immediate = True
        for task in (*self._timers, *self._steps):
            task.cancel()
        if self._steps:
            self._timers = {asyncio.get_running_loop().create_task(self._abandon())}

    async def _abandon(self) -> None:
        """Abandon the steps that ignore their cancellation."""
        await self._sleep(_GRACE)
        for over in self._steps.values():
            over.set()

    async def _expire(self, timeout: float) -> None:
        await self._sleep(timeout)
        self.escalated = self.timed_out = True
        self._stop_now()

    def _outcome(self) -> Outcome:
        if not self._stopped:
            return "ended"
        return "timed out" if self.timed_out else "cancelled"
