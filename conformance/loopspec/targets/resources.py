"""What a process has open: descriptors, threads and asyncio tasks."""

from __future__ import annotations

import asyncio
import errno
import gc
import resource
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..protocol.adapter import ProcessResources

_TURNS = 5  # of the event loop

Count = Callable[[Any], Awaitable[ProcessResources]]  # Any: whatever open() returned


async def let_others_run() -> None:
    """Let what is scheduled in the event loop begin or end."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


async def count_resources(_store: object) -> ProcessResources:
    """Count the resources of this process. Objects that only the garbage collector still has do not count."""
    await let_others_run()
    gc.collect()
    threads = _entries("/proc/self/task")
    return ProcessResources(
        descriptors=_descriptors(),
        threads=threading.active_count() if threads is None else threads,  # also those of libraries that are no Python
        tasks=len(asyncio.all_tasks()),
    )


@contextmanager
def little_garbage() -> Iterator[None]:
    """Let the collections of the counts look at new objects only: a full one takes seconds in a large process.

    What is garbage before stays until the end, so it is in every count.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _descriptors() -> int:
    """The open descriptors; all that the process can have if it cannot open the folder that lists them."""
    try:
        return sum(1 for _ in Path("/dev/fd").iterdir())
    except OSError as error:
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0] if error.errno == errno.EMFILE else 0


def _entries(folder: str) -> int | None:
    with suppress(OSError):
        return sum(1 for _ in Path(folder).iterdir())
    return None
