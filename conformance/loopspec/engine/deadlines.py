"""Deadlines of an act in this process, which is interrupted, and of a whole case, whose process is ended.

Only time in which the main thread runs or waits for something counts. Time in which it is ready to run, while other
processes use the processors, does not count where the system reports it (Linux): a busy machine is no failure.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Generic, TypeVar

from ..contract.harness import WATCHDOG

T = TypeVar("T")

DEFAULT_DEADLINE = 10.0  # seconds
_LONGEST = 365 * 24 * 3600.0  # seconds; the limit of a timer
_GRACE = 3.0  # seconds after its deadline until the process of a case is ended

# A target in a separate process keeps its own deadlines. The starts of the process, and the harness's own work, are not
# counted: these limits, in deadlines and in seconds, decide when the harness itself hangs.
_DEADLINES, _STARTS = 20, 300.0  # seconds


class DeadlinePassed(BaseException):
    """The deadline of an act has passed. Not an `Exception`, so that an implementation does not catch it by mistake."""


def counted_time() -> float:
    """Return the seconds that count, from an arbitrary start."""
    try:
        file = os.open("/proc/self/schedstat", os.O_RDONLY)
        try:
            ready, read = -1, _ready(file)
            while ready != read:  # the thread has waited for a processor between the two clocks
                ready, now = read, time.monotonic()
                read = _ready(file)
        finally:
            os.close(file)
    except (OSError, ValueError):  # another system, or a kernel without these figures
        return time.monotonic()
    return now - ready / 1e9


def _ready(file: int) -> int:
    """How long the main thread has been ready to run, in nanoseconds."""
    return int(os.pread(file, 100, 0).split()[1])


def before_deadline(seconds: float, act: Callable[[], None]) -> None:
    """Interrupt an act after its deadline. Only the main thread can be interrupted; other threads have no deadline.

    Raises `DeadlinePassed`. A timer that other code has set continues afterward.
    """
    if threading.current_thread() is not threading.main_thread():
        act()
        return
    rang = passed = breakable = False

    def stop(signum: int, frame: FrameType | None) -> None:
        nonlocal rang, passed
        rang = True
        passed = passed or counted_time() - counted >= seconds
        if passed and breakable:
            raise DeadlinePassed

    start, counted = time.monotonic(), counted_time()
    left, every = signal.setitimer(signal.ITIMER_REAL, 0)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        try:
            breakable = True
            # repeated, since the first exception may be swallowed, and since not all time counts
            signal.setitimer(signal.ITIMER_REAL, min(seconds, _LONGEST), 0.1)
            act()
        finally:
            breakable = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - start), 1e-6), every)
        # whatever the act has made of the exception; and the deadline may have passed since the timer rang
        if passed or (rang and counted_time() - counted >= seconds):
            raise DeadlinePassed


def longest(timeout: float, isolated: bool) -> float:
    """The number of seconds after which a case that cannot be interrupted is given up."""
    return _DEADLINES * timeout + _STARTS if isolated else timeout + _GRACE


class Watchdog(Generic[T]):
    """A thread that ends what exceeds its deadline by far, such as a case.

    `give_up` is called once in that thread with what is late, and must end the process. `look` is called about five
    times a second.
    """

    def __init__(self, give_up: Callable[[T], None], look: Callable[[], None] = lambda: None) -> None:
        self._give_up = give_up
        self._look = look
        self._under_way: tuple[float, T] | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=WATCHDOG, daemon=True)

    def __enter__(self) -> Watchdog[T]:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()

    @contextmanager
    def within(self, seconds: float, what: T) -> Iterator[None]:
        """Give up unless the block ends within a number of seconds, which the thread counts."""
        self._under_way = seconds, what
        try:
            yield
        finally:
            self._under_way = None

    def _watch(self) -> None:
        seen, until = None, 0.0
        while not self._over.wait(0.2):
            self._look()
            if (now := self._under_way) is not None:
                if now is not seen:
                    seen, until = now, counted_time() + now[0]
                elif counted_time() > until:
                    self._give_up(now[1])
