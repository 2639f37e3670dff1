"""Restarts: the process that has imported a target forks a process that serves, and another one after each restart.

Nothing is served in the first process, so that no state of a case is in it.
"""

from __future__ import annotations

import gc
import mmap
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress


def open_files() -> frozenset[str]:
    """The descriptors that are open; none where the system does not list them."""
    with suppress(OSError):
        return frozenset(os.listdir("/proc/self/fd"))  # noqa: PTH208  # the names are numbers
    return frozenset()


def in_new_processes(serve: Callable[[Callable[[], None] | None], int], before: frozenset[str]) -> int:
    """Serve in a child of this process, and in another one after each restart. Return the exit code of the last one.

    `serve` receives the function that asks for another process, to be called before it ends; None: there is no other
    one. `before` are the descriptors that were open before the target was imported: a target whose import opens files
    or starts threads cannot be forked.
    """
    if not _is_forkable(before):
        return serve(None)
    asked = mmap.mmap(-1, 1)  # shared with the child, which may end with any exit code of the target
    gc.freeze()  # what is shared with the children stays shared
    sys.stdout.flush()
    sys.stderr.flush()
    interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child decides
    while True:
        asked[0] = False
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGINT, interrupt)
            return serve(lambda: asked.__setitem__(0, True))
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            _end_by(os.WTERMSIG(status))
        if not asked[0]:
            return os.waitstatus_to_exitcode(status)


def _is_forkable(before: frozenset[str]) -> bool:
    with suppress(OSError):
        threads = os.listdir("/proc/self/task")  # noqa: PTH208  # likewise
        return bool(before) and open_files() <= before and len(threads) == 1
    return False


def _end_by(number: int) -> None:
    """End this process as its child has ended."""
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
