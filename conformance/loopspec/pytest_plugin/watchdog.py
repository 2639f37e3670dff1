"""A thread that steps in where a case neither comes back nor lets itself be broken out of."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from .session import CASE, RUNNING

# How much longer than its deadline a case may take before the process is given up altogether.
_GRACE = 3.0  # seconds

# A target in a process of its own keeps its deadlines by itself, in which starting it, several times even, and what the
# harness does do not count: how many of them, and how much besides, before it is the harness that hangs.
_DEADLINES, _STARTS = 20, 300.0  # seconds


class Watchdog:
    """A plugin of pytest that gives up on a case that takes much longer than its deadline, `timeout`, in seconds.

    `give_up` ends the process, and is told after how many seconds; so does `abandon`, which is asked for again and
    again when nobody waits any more.
    """

    def __init__(
        self, timeout: float, give_up: Callable[[pytest.Item, float], None], abandon: Callable[[], None]
    ) -> None:
        self._timeout = timeout
        self._give_up = give_up
        self._abandon = abandon
        self._under_way: tuple[pytest.Item, float, float] | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="loopspec-watchdog", daemon=True)

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Look at the clock; what somebody else's test takes is not for this one to say."""
        if CASE in item.stash:
            isolated = item.stash[RUNNING].target.isolated
            limit = _DEADLINES * self._timeout + _STARTS if isolated else self._timeout + _GRACE
            self._under_way = (item, limit, time.monotonic() + limit)
        try:
            return (yield)
        finally:
            self._under_way = None

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            self._abandon()
            under_way = self._under_way
            if under_way and time.monotonic() > under_way[2]:
                self._give_up(*under_way[:2])
