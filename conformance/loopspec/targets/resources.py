"""What a process has open: descriptors, threads and asyncio tasks."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..protocol.messages import ProcessResources

Count = Callable[[Any], Awaitable[ProcessResources]]  # Any: whatever open() returned


async def count_resources(_store: object) -> ProcessResources:
    """Count the resources of this process. Objects that only the garbage collector still has do not count."""
    gc.collect()
    threads = _entries("/proc/self/task")
    return ProcessResources(
        descriptors=_entries("/dev/fd") or 0,
        threads=threading.active_count() if threads is None else threads,  # also those of libraries that are no Python
        tasks=len(asyncio.all_tasks()),
    )


def _entries(folder: str) -> int | None:
    with suppress(OSError):
        return sum(1 for _ in Path(folder).iterdir())
    return None
