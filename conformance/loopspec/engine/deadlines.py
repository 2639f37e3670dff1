"""Deadlines: of an act in this process, which is broken out of, and of a whole case, whose process is given up."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

DEFAULT_DEADLINE = 10.0  # seconds
_LONGEST = 365 * 24 * 3600.0  # seconds; a timer takes no arbitrary number

# How much longer than its deadline a case may take before its process is given up.
_GRACE = 3.0  # seconds

# A target in a process of its own keeps its deadlines by itself. Starting that process, several times even, and what
# the harness does are not counted: how many deadlines, and how much more, before it is the harness that hangs.
_DEADLINES, _STARTS = 20, 300.0  # seconds

# How a thread of ours is named. An event loop that asks whether anything can still move need not wait for it.
WATCHDOG = "loopspec-watchdog"


class DeadlinePassed(BaseException):
    """The act has had its time. Not an `Exception`: an implementation that catches those must not catch this."""


def before_deadline(seconds: float, act: Callable[[], None]) -> None:
    """Break out of what takes too long. Only the main thread can be broken out of; elsewhere nothing is bounded.

    Raises `DeadlinePassed`. A timer that other code has set continues afterwards.
    """
    if threading.current_thread() is not threading.main_thread():
        act()
        return
    passed = breakable = False

    def stop(signum: int, frame: FrameType | None) -> None:
        nonlocal passed
        passed = True
        if breakable:
            raise DeadlinePassed

    start = time.monotonic()
    left, every = signal.setitimer(signal.ITIMER_REAL, 0)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        try:
            breakable = True
            # Again and again: the first may be swallowed.
            signal.setitimer(signal.ITIMER_REAL, min(seconds, _LONGEST), 0.1)
            act()
        finally:
            breakable = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - start), 1e-6), every)
        if passed:  # whatever has been made of it on the way
            raise DeadlinePassed


def longest(timeout: float, isolated: bool) -> float:
    """After how many seconds a case is given up that neither returns nor lets itself be broken out of."""
    return _DEADLINES * timeout + _STARTS if isolated else timeout + _GRACE


class Watchdog:
    """A thread that gives up on a case that exceeds its deadline by far.

    `give_up` is called once, in that thread, and has to end the process. `look` is called about five times a second.
    """

    def __init__(self, give_up: Callable[[], None], look: Callable[[], None] = lambda: None) -> None:
        self._give_up = give_up
        self._look = look
        self._until: float | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=WATCHDOG, daemon=True)

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give up unless what is done inside ends within so many seconds."""
        self._until = time.monotonic() + seconds
        try:
            yield
        finally:
            self._until = None

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            self._look()
            until = self._until
            if until is not None and time.monotonic() > until:
                self._give_up()
