"""Mutants about concurrent reads, changes, resources and the end of a backend."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec import ReadRequest as Request
from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference_adapter.stores import MemoryStore

from .leaks import Release, leave_task, leave_thread, released
from .registry import mutant

_EVERY = 100  # reads; a leak of each read would reach the limit of descriptors


@mutant(
    "BACKEND-36",
    backend="memory",
    neighbors={
        "AMD-BACKEND-10": "each file is read three times concurrently",
        "BACKEND-37": "the file is read concurrently during the changes",
    },
)
def shares_a_position() -> AbstractContextManager[object]:
    """Reads a file in blocks from a position that all reads of the file share."""
    read = MemoryBackend.read
    positions: dict[tuple[MemoryBackend, str], int] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content, key, read_so_far = await read(self, request), (self, request.file_path), []
        positions[key] = 0
        while block := content[positions[key] : positions[key] + 15000]:
            read_so_far.append(block.encode() if isinstance(block, str) else block)
            positions[key] += len(block)
            await asyncio.sleep(0)
        return b"".join(read_so_far)

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-37", backend="memory")
def writes_in_two_parts() -> AbstractContextManager[object]:
    """Changes a file in two parts, and reads happen between them."""
    write = MemoryStore.write

    def writes(self: MemoryStore, path: str, content: bytes) -> Awaitable[None] | None:
        if path not in self._backend._files:
            return write(self, path, content)  # None: nothing to await
        return later(self, path, content)

    async def later(self: MemoryStore, path: str, content: bytes) -> None:
        write(self, path, content[: len(content) // 2])
        await asyncio.sleep(0)
        write(self, path, content)

    return patch.object(MemoryStore, "write", writes)


@mutant(
    "BACKEND-38", backend="memory", neighbors={"BACKEND-52": "a deleted file is written again and has the same size"}
)
def caches_by_size() -> AbstractContextManager[object]:
    """Returns the content of an earlier read if the size of the file is the same."""
    read = MemoryBackend.read
    kept: dict[tuple[MemoryBackend, ReadRequest, int], Content] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        return kept.setdefault((self, request, len(content)), content)

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-39", backend="memory")
def writes_by_prefix() -> AbstractContextManager[object]:
    """Changes every file whose path begins with the path of the changed file."""
    write = MemoryBackend.write

    def writes(self: MemoryBackend, path: str, content: Content) -> None:
        if path in self._files:
            self._files |= {other: content for other in self._files if other.startswith(path)}
        write(self, path, content)

    return patch.object(MemoryBackend, "write", writes)


@mutant("BACKEND-40", backend="memory")
def keeps_one_range() -> AbstractContextManager[object]:
    """Stores the range of the current request in the backend, where the next request overwrites the range."""
    read = MemoryBackend.read
    current: dict[MemoryBackend, ReadRequest] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        current[self] = request
        await asyncio.sleep(0)
        return await read(self, ReadRequest(request.file_path, current[self].offset, current[self].limit))

    return patch.object(MemoryBackend, "read", reads)


def _leaking(leak: Callable[[], Release]) -> AbstractContextManager[object]:
    """Patch every hundredth read to leave something; at the end, release what is left."""
    read = MemoryBackend.read
    numbers: Counter[MemoryBackend] = Counter()
    left: list[Release] = []

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        numbers[self] += 1
        if numbers[self] % _EVERY == 0:
            left.append(leak())
        return await read(self, request)

    return released(reads, left)


@mutant("BACKEND-41", backend="memory")
def leaves_a_descriptor() -> AbstractContextManager[object]:
    """Leaves a descriptor open after some reads."""

    def leak() -> Release:
        descriptor = os.open(os.devnull, os.O_RDONLY)
        return lambda: os.close(descriptor)

    return _leaking(leak)


@mutant("BACKEND-42", backend="memory")
def leaves_a_thread() -> AbstractContextManager[object]:
    """Leaves a thread after some reads."""
    return _leaking(leave_thread)


@mutant("BACKEND-43", backend="memory")
def leaves_a_task() -> AbstractContextManager[object]:
    """Leaves an asyncio task after some reads."""
    return _leaking(leave_task)


@mutant("BACKEND-44", backend="memory")
def fails_to_close_twice() -> AbstractContextManager[object]:
    """Raises an error if the backend is closed already."""
    close = MemoryStore.close

    def closes(self: MemoryStore) -> None:
        if self._closed:
            raise ValueError("the store is closed already")
        close(self)

    return patch.object(MemoryStore, "close", closes)


@mutant("BACKEND-45", backend="memory")
def takes_a_closed_store_for_empty() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` after the end."""
    read = MemoryStore.read

    async def reads(self: MemoryStore, request: Request) -> Content:
        if self._closed:
            raise FileNotFoundError(request.file_path)
        return await read(self, request)

    return patch.object(MemoryStore, "read", reads)


@mutant("BACKEND-46", backend="memory")
def keeps_a_lock_after_a_cancellation() -> AbstractContextManager[object]:
    """Keeps the lock of a read that is cancelled, so that the next read fails."""
    read = MemoryBackend.read
    locked: set[MemoryBackend] = set()

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        for _ in range(2000):
            if self not in locked:
                break
            await asyncio.sleep(0)
        else:
            raise OSError("the file is locked")
        locked.add(self)
        if request.offset <= 1:
            for _ in range(8):
                await asyncio.sleep(0)
        try:
            return await read(self, request)
        finally:
            locked.discard(self)

    return patch.object(MemoryBackend, "read", reads)
