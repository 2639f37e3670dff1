"""Realistic bugs of stores: which file a read finds, what a failed read reports, and what reads leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec.contract.scene import ReadRequest as Request
from loopspec_reference import Content, LocalBackend, MemoryBackend, ReadRequest
from loopspec_reference_adapter.stores import MemoryStore

from ..backend_names import renaming
from ..leaks import Release, leave_task, leave_thread, released
from ..registry import bug

_POOL = 100  # the connections of a client, as in httpx
_read, _write = MemoryBackend.read, MemoryBackend.write


def _reading(read: Callable[[MemoryBackend, ReadRequest], object]) -> AbstractContextManager[object]:
    """Patch the reads of a store."""
    return patch.object(MemoryBackend, "read", read)


@bug("BACKEND-27", "BACKEND-33", backend="memory")
def caches_by_the_last_segment() -> AbstractContextManager[object]:
    """Caches a file under the last segment of its path until the file changes."""
    kept: dict[tuple[MemoryBackend, str], Content] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        key = (self, request.file_path.rpartition("/")[2])
        if key not in kept or request.offset > 1 or request.limit > 0:
            kept[key] = await _read(self, request)
        return kept[key]

    def writes(self: MemoryBackend, path: str, content: Content) -> None:
        kept.pop((self, path.rpartition("/")[2]), None)
        _write(self, path, content)

    return patch.multiple(MemoryBackend, read=reads, write=writes)


@bug("BACKEND-02", backend="memory")
def stores_names_in_cp437() -> AbstractContextManager[object]:
    """Stores the bytes of a name as CP437, as an archive without the UTF-8 flag, and reads the name as it is."""

    def writes(self: MemoryBackend, path: str, content: Content) -> None:
        _write(self, path.encode(errors="replace").decode("cp437"), content)

    return patch.object(MemoryBackend, "write", writes)


@bug("BACKEND-18", backend="memory")
def cuts_names_at_255_characters() -> AbstractContextManager[object]:
    """Cuts each segment of a path at 255 characters, in writes and in reads."""
    return renaming(lambda path: "/".join(segment[:255] for segment in path.split("/")))


@bug("AMD-BACKEND-05", backend="memory")
def finds_a_file_by_the_end_of_its_path() -> AbstractContextManager[object]:
    """Reads the first file whose path ends with the requested path, if no file has the path itself."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await _read(self, request)
        except FileNotFoundError:
            for path in self._files:
                if path.endswith(f"/{request.file_path}"):
                    return await _read(self, ReadRequest(path, request.offset, request.limit))
            raise

    return _reading(reads)


@bug("BACKEND-01", backend="memory")
def knows_only_the_folders_of_files() -> AbstractContextManager[object]:
    """Takes a folder that contains only folders for a missing file."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await _read(self, request)
        except IsADirectoryError:
            path = request.file_path.strip("/")
            if path in self._folders and all(file.rpartition("/")[0] != path for file in self._files):
                raise FileNotFoundError(path) from None
            raise

    return _reading(reads)


@bug("AMD-BACKEND-11", backend="local")
def takes_a_forbidden_file_in_a_folder_for_missing() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` for a file in a folder that the process may not read."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        try:
            return read(self, request)
        except PermissionError as error:
            if "/" in request.file_path:
                raise FileNotFoundError(request.file_path) from error
            raise

    return patch.object(LocalBackend, "_read", reads)


@bug("AMD-BACKEND-14", "AMD-BACKEND-15", backend="memory")
def returns_a_stale_copy_after_retries() -> AbstractContextManager[object]:
    """Returns the copy of the last read if the server fails."""
    read = MemoryStore.read
    kept: dict[tuple[MemoryStore, Request], Content] = {}

    async def reads(self: MemoryStore, request: Request) -> Content:
        try:
            content = await read(self, request)
        except (ConnectionError, TimeoutError):
            if (self, request) in kept:
                return kept[self, request]
            raise
        return kept.setdefault((self, request), content) and content

    return patch.object(MemoryStore, "read", reads)


@bug("BACKEND-46", backend="memory")
def returns_the_answer_of_a_cancelled_read() -> AbstractContextManager[object]:
    """Returns a connection with an unread answer to the pool, and the next read receives the answer."""
    unread: dict[MemoryBackend, Content] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await _read(self, request)
        try:
            for _ in range(8):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            unread[self] = content
            raise
        return unread.pop(self, content)

    return _reading(reads)


@bug("BACKEND-46", backend="memory")
def keeps_the_connection_of_a_cancelled_read() -> AbstractContextManager[object]:
    """Never returns the connection of a cancelled read to the pool, which has 100 connections."""
    lost: dict[MemoryBackend, int] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        if lost.get(self, 0) >= _POOL:
            raise TimeoutError("no connection is free")
        try:
            for _ in range(8):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            lost[self] = lost.get(self, 0) + 1
            raise
        return await _read(self, request)

    return _reading(reads)


def _leaking_after_failures(leak: Callable[[], Release]) -> AbstractContextManager[object]:
    """Patch each fifth read of a missing file to leave something; at the end, release what is left."""
    left: list[Release] = []
    failed: list[str] = []

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await _read(self, request)
        except FileNotFoundError:
            failed.append(request.file_path)
            if len(failed) % 5 == 0:
                left.append(leak())
            raise

    return released(reads, left)


@bug("BACKEND-42", backend="memory")
def leaves_a_thread_after_a_missing_file() -> AbstractContextManager[object]:
    """Leaves a thread after a read of a missing file."""
    return _leaking_after_failures(leave_thread)


@bug("BACKEND-43", backend="memory")
def leaves_a_task_after_a_missing_file() -> AbstractContextManager[object]:
    """Leaves an asyncio task after a read of a missing file."""
    return _leaking_after_failures(leave_task)
