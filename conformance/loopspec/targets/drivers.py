"""The driver of doubles in process: an asyncio loop that notices when nothing can move."""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from ..contract.harness import Waiter

P = ParamSpec("P")
T = TypeVar("T")

# How long, in seconds, a thread or a timer of the implementation may keep quiet while a gate is closed before the
# gate counts as stuck.
_GRACE = 2.0
_ON_ITS_WAY = 0.05

# Loop iterations without waiting, between two looks at the descriptors: a look costs as much as an iteration.
_BETWEEN_LOOKS = 16

# The kit's own thread, which releases nothing: see `loopspec.engine.deadlines`.
_WATCHDOG = "loopspec-watchdog"

_POOL = "loopspec-pool"

# Called when nothing can move; returns whether that has changed something.
OnIdle = Callable[[], bool]


class _Pool(ThreadPoolExecutor):
    """Threads for the implementation's own use; it knows whether they have anything to do."""

    def __init__(self) -> None:
        super().__init__(thread_name_prefix=_POOL)
        self._submitted = 0
        self._done = 0
        self._last = 0.0

    @property
    def grace(self) -> float:
        """How long, in seconds, it may keep quiet: a result may still be on its way to the event loop."""
        if self._done < self._submitted:
            return _GRACE
        return _ON_ITS_WAY if time.monotonic() - self._last < _ON_ITS_WAY else 0.0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call."""
        self._submitted += 1
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._count)
        return future

    def _count(self, future: Future[Any]) -> None:  # Any: whatever its result is
        self._last = time.monotonic()
        self._done += 1


class _Watch(selectors.DefaultSelector):
    """A selector that calls `on_idle` when its loop is about to wait for ever, or for longer than any timer should."""

    def __init__(self, pool: _Pool, before_wait: Callable[[], None]) -> None:
        super().__init__()
        self.on_idle: OnIdle | None = None
        self._before_wait = before_wait
        self._pool = pool
        self._iterations = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait; but first, with no timer near, no thread at work and nothing to read, call `on_idle`."""
        if timeout is not None and timeout <= 0:  # callbacks are ready
            self._iterations += 1
            return super().select(0) if self._iterations % _BETWEEN_LOOKS == 0 else []
        self._before_wait()
        if self.on_idle is None or (timeout is not None and timeout <= _GRACE):
            return super().select(timeout)
        grace = _GRACE if _threads_at_work() else self._pool.grace
        if ready := super().select(grace):
            return ready
        if self.on_idle():
            return []
        return super().select(None if timeout is None else timeout - grace)


def _threads_at_work() -> bool:
    """Whether a thread may still release something; daemons work, too."""
    ours = (threading.main_thread(), threading.current_thread())
    return any(
        thread not in ours and thread.name != _WATCHDOG and not thread.name.startswith(_POOL)
        for thread in threading.enumerate()
    )


# How a driver runs several coroutines at the same time, and waits for all.
Together = Callable[[Iterable[Coroutine[Any, Any, None]]], Awaitable[object]]  # Any: what they yield to their loop


async def gathered(coroutines: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run several coroutines at the same time, on this loop."""
    await asyncio.gather(*coroutines)


class AsyncioDriver:
    """Runs coroutines for stages, on one loop for as long as nothing breaks it.

    `before_wait` is called whenever the loop is about to wait.
    """

    def __init__(self, before_wait: Callable[[], None] = lambda: None) -> None:
        self._before_wait = before_wait
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch: _Watch | None = None

    def _opened_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            pool = _Pool()
            self._watch = _Watch(pool, self._before_wait)
            self._loop = asyncio.SelectorEventLoop(self._watch)
            self._loop.set_default_executor(pool)
        return self._loop

    @property
    def on_idle(self) -> OnIdle | None:
        """What is called when nothing can move; None: nothing."""
        return self._watch.on_idle if self._watch else None

    @on_idle.setter
    def on_idle(self, on_idle: OnIdle | None) -> None:
        if self._watch:
            self._watch.on_idle = on_idle

    def run(
        self,
        coroutine: Coroutine[Any, Any, T],  # Any: what a coroutine yields to its loop
        attach: Callable[[Callable[[], Waiter]], OnIdle | None],
    ) -> T:
        """Run to the end. Tasks left over are cancelled; a loop that was broken out of is given up.

        `attach` takes the loop's way of waiting, and returns `on_idle`.
        """
        loop = self._opened_loop()
        self.on_idle = attach(loop.create_future)
        try:
            return loop.run_until_complete(_alone(coroutine))
        except Exception:
            raise
        except BaseException:  # an exit, or a deadline: what is left on the loop may refuse to be cancelled
            loop.set_exception_handler(lambda *_: None)  # the outcome of its tasks no longer matters
            loop.close()
            self._loop = None
            raise
        finally:
            self.on_idle = None

    def finish(self, last: Awaitable[object]) -> None:
        """Await something that belongs to no scene."""
        self._opened_loop().run_until_complete(_awaited(last))

    def close(self) -> None:
        """Close the loop."""
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
            self._loop = None


async def _awaited(last: Awaitable[object]) -> None:
    await last


async def _alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Leave no task to the next scene."""
    try:
        result = await coroutine
    except (Exception, asyncio.CancelledError):  # anything else gives the loop up
        await _cancel_the_rest()
        raise
    await _cancel_the_rest()
    return result


async def _cancel_the_rest() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
