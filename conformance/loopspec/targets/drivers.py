"""Who moves the doubles in process: an asyncio loop that notices when nothing can move any more."""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from ..contract.stage import Stage
from ..contract.values import ErrorKind

T = TypeVar("T")

# How long a thread of the implementation may keep quiet while a gate is closed before the gate counts as stuck.
_THREADS_GRACE = 0.2


class _Watch(selectors.DefaultSelector):
    """A selector that says so when its loop is about to wait for ever."""

    def __init__(self) -> None:
        super().__init__()
        self.on_idle: Callable[[], bool] = lambda: False

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait; but first, with no timer set, no thread at work and nothing to read, let what is held fail."""
        if timeout is None:
            at_work = any(
                not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()
            )
            grace = _THREADS_GRACE if at_work else 0
            if ready := super().select(grace):
                return ready
            if self.on_idle():
                return []
        return super().select(timeout)


class AsyncioDriver:
    """Runs coroutines for stages, on one loop for as long as nothing goes wrong with it."""

    def __init__(self) -> None:
        self._watch = _Watch()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(
        self,
        stage: Stage,
        course: Coroutine[Any, Any, T],  # Any: what a coroutine yields to its loop
        kinds: Mapping[type[BaseException], ErrorKind],
    ) -> T:
        """Run to the end. Tasks left over are cancelled; a loop that was broken out of is given up."""
        if self._loop is None:
            self._watch = _Watch()
            self._loop = asyncio.SelectorEventLoop(self._watch)
        self._watch.on_idle = stage.attach(self._loop.create_future, kinds)
        try:
            return self._loop.run_until_complete(_alone(course))
        except Exception:
            raise
        except BaseException:  # an exit, or a deadline: what is left on the loop may not let itself be cancelled
            self._loop.set_exception_handler(lambda *_: None)  # nobody will ask what became of its tasks
            self._loop.close()
            self._loop = None
            raise
        finally:
            self._watch.on_idle = lambda: False

    def close(self) -> None:
        """Close the loop."""
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
            self._loop = None


async def _alone(course: Coroutine[Any, Any, T]) -> T:
    """Leave nothing behind for the next scene."""
    try:
        result = await course
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
