"""Cancel requests: the caller of a run cancels it from outside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Literal

from loopspec.contract.scene import Cancel, Run
from loopspec.contract.stage import CancelHandle, Runs


class Cancels:
    """The cancel requests of one run. An adapter passes the function with which its framework cancels the run."""

    def __init__(self) -> None:
        self.cancelled, self.over = False, asyncio.Event()
        self.requests: list[Cancel] = []
        self._cancel: Callable[[], object] | None = None

    def cancel_with(self, cancel: Callable[[], object]) -> None:
        """Call `cancel` for each request that takes effect immediately, also for one that was made before."""
        self._cancel = cancel
        if any(not request.modes for request in self.requests):
            cancel()

    def due(self, point: Literal["after model", "after tools"]) -> bool:
        """Return whether a request names this safe point: the adapter cancels the run if it can."""
        return any(point in request.modes for request in self.requests)

    def request(self, request: Cancel) -> CancelHandle:
        """Take a request of the scene."""
        handle = _Handle(self)
        if handle.contributed:
            self.requests.append(request)
            if self._cancel is not None and not request.modes:
                self._cancel()
        return handle


class _Handle:
    """One request, as its caller sees it: the caller of a run knows when the run is over, and how it ended."""

    def __init__(self, cancels: Cancels) -> None:
        self._cancels, self.contributed = cancels, not cancels.over.is_set()

    async def wait(self) -> Literal["cancelled", "ended", "timed out"]:
        await self._cancels.over.wait()
        return "cancelled" if self.contributed and self._cancels.cancelled else "ended"


@asynccontextmanager
async def cancellable(runs: Runs, run: Run, cancels: Cancels) -> AsyncIterator[None]:
    """Perform one run, with the requests that the scene makes, and with the callers that wait for these."""
    if not run.cancels and not run.cancellable:
        yield
        return
    runs.cancels(run, cancels.request)
    waiting = asyncio.create_task(runs.waiting(run))
    try:
        yield
    finally:
        await waiting


def cut_off_by(cancellation: asyncio.CancelledError) -> Exception:
    """Return the error of a stream whose reader is cancelled: map `asyncio.CancelledError` in `error_kinds`."""
    error = RuntimeError("the stream was cancelled")
    error.__cause__ = cancellation
    return error
