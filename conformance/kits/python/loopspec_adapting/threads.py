"""Reports from other threads, for frameworks that run a synchronous loop in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from threading import get_ident


class HomeThread:
    """The thread of the event loop, and the context of the run, in which this object was made."""

    def __init__(self) -> None:
        self._thread, self._loop, self._context = get_ident(), asyncio.get_running_loop(), copy_context()

    def call(self, function: Callable[[], None]) -> None:
        """Call a function in the thread and the context, from any thread, and return when the call has returned."""
        if get_ident() == self._thread:
            function()
            return

        async def called() -> None:
            self._context.run(function)

        asyncio.run_coroutine_threadsafe(called(), self._loop).result()
