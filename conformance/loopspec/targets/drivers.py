"""The driver of doubles in this process: an asyncio loop that notices when no call can continue."""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from ..contract.harness import WATCHDOG, Waiter

P = ParamSpec("P")
T = TypeVar("T")

# Seconds until a silent thread or timer of the implementation counts as finished while a gate is closed, so that the
# gate is stuck.
_GRACE = 2.0
_ON_ITS_WAY = 0.05

# Loop iterations without waiting between two polls of the descriptors: a poll costs as much as an iteration.
_BETWEEN_LOOKS = 16

_POOL = "loopspec-pool"

# called when no call can continue; returns whether that has changed
OnIdle = Callable[[], bool]


class _Pool(ThreadPoolExecutor):
    """Threads for the implementation, which know whether they have work."""

    def __init__(self) -> None:
        super().__init__(thread_name_prefix=_POOL)
        self.submitted = 0  # calls
        self._done = 0
        self._last = 0.0

    @property
    def grace(self) -> float:
        """The seconds that the pool may be silent: a result may still be on its way to the loop."""
        if self._done < self.submitted:
            return _GRACE
        return _ON_ITS_WAY if time.monotonic() - self._last < _ON_ITS_WAY else 0.0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call."""
        self.submitted += 1
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._count)
        return future

    def _count(self, future: Future[Any]) -> None:  # Any: whatever its result is
        self._last = time.monotonic()
        self._done += 1


class _Watch(selectors.DefaultSelector):
    """A selector that calls `on_idle` when its loop is about to wait forever, or longer than any timer should."""

    def __init__(self, driver: AsyncioDriver, pool: _Pool) -> None:
        super().__init__()
        self._driver = driver
        self._pool = pool
        self._iterations = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait; before that, without a timer, a working thread or readable data, call `on_idle`."""
        if timeout is not None and timeout <= 0:  # callbacks are ready
            self._iterations += 1
            return super().select(0) if self._iterations % _BETWEEN_LOOKS == 0 else []
        self._driver.before_wait()
        on_idle = self._driver.on_idle
        if on_idle is None or (timeout is not None and timeout <= _GRACE):
            return super().select(timeout)
        grace = _GRACE if _threads_at_work() else self._pool.grace
        if ready := super().select(grace):
            return ready
        if on_idle():
            return []
        return super().select(None if timeout is None else timeout - grace)


def _threads_at_work() -> bool:
    """Whether a thread may still open a gate; daemons count too."""
    ours = (threading.main_thread(), threading.current_thread())
    return any(
        thread not in ours and thread.name != WATCHDOG and not thread.name.startswith(_POOL)
        for thread in threading.enumerate()
    )


# Runs several coroutines concurrently, and returns the results of all. Any: also what they yield to their loop
Together = Callable[[Iterable[Coroutine[Any, Any, Any]]], Awaitable[list[Any]]]


async def gathered(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run several coroutines concurrently on this loop."""
    return await asyncio.gather(*coroutines)


class AsyncioDriver:
    """Runs coroutines for stages on one loop, which is replaced after an interruption.

    `before_wait` is called whenever the loop is about to wait, and `on_idle` when no call can continue.
    """

    def __init__(self, before_wait: Callable[[], None] = lambda: None) -> None:
        self.before_wait = before_wait
        self.on_idle: OnIdle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool: _Pool | None = None

    def _opened_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._pool = _Pool()
            self._loop = asyncio.SelectorEventLoop(_Watch(self, self._pool))
            self._loop.set_default_executor(self._pool)
        return self._loop

    def run(
        self,
        coroutine: Coroutine[Any, Any, T],  # Any: what a coroutine yields to its loop
        attach: Callable[[Callable[[], Waiter]], OnIdle | None],
    ) -> T:
        """Run a coroutine. Remaining tasks are cancelled; an interrupted loop is abandoned.

        `attach` receives the loop's function for waiting, and returns `on_idle`.
        """
        loop = self._opened_loop()
        self.on_idle = attach(loop.create_future)
        try:
            return loop.run_until_complete(_alone(coroutine))
        except Exception:
            raise
        except BaseException:  # an exit or a deadline: remaining tasks may ignore their cancellation
            loop.set_exception_handler(lambda *_: None)  # the results of the remaining tasks do not matter
            loop.close()
            self._loop = None
            raise
        finally:
            self.on_idle = None

    def finish(self, last: Awaitable[object]) -> None:
        """Await something outside a scene."""
        self._opened_loop().run_until_complete(last)

    def close(self) -> None:
        """Close the loop."""
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            if self._pool and self._pool.submitted:  # shutting down starts a thread of its own
                self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
            self._loop = None


async def _alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine, and cancel the tasks that it leaves."""
    try:
        result = await coroutine
    except (Exception, asyncio.CancelledError):  # any other exception abandons the loop
        await _cancel_the_rest()
        raise
    await _cancel_the_rest()
    return result


async def _cancel_the_rest() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.gather(*left, return_exceptions=True)
