"""What a read of a mutant can leave, and the release of what is left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from loopspec_reference import Content, MemoryBackend, ReadRequest

Release = Callable[[], object]


@contextmanager
def released(reads: Callable[[MemoryBackend, ReadRequest], Awaitable[Content]], left: list[Release]) -> Iterator[None]:
    """Patch the reads; at the end, release what the reads have left."""
    try:
        with patch.object(MemoryBackend, "read", reads):
            yield
    finally:  # also after a deadline: a thread that is left would slow down every later case
        for release in left:
            release()


def leave_thread() -> Release:
    """Leave a thread that waits."""
    end = threading.Event()
    threading.Thread(target=end.wait, daemon=True).start()
    return end.set


def leave_task() -> Release:
    """Leave an asyncio task that waits; the end of the event loop releases the task."""
    return asyncio.ensure_future(asyncio.Event().wait()).done
