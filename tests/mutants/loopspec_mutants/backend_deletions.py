"""Mutants about deleted files."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import Content, MemoryBackend, ReadRequest

from .registry import mutant


@mutant("BACKEND-50", backend="memory")
def keeps_read_files() -> AbstractContextManager[object]:
    """Returns the content of an earlier read for a file that is now missing."""
    read = MemoryBackend.read
    kept: dict[tuple[MemoryBackend, str], Content] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            content = await read(self, request)
        except FileNotFoundError:
            if (self, request.file_path) not in kept:
                raise
            return kept[self, request.file_path]
        kept[self, request.file_path] = content
        return content

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-51", backend="memory")
def deletes_by_prefix() -> AbstractContextManager[object]:
    """Deletes every file whose path begins with the path of the deleted file."""
    delete = MemoryBackend.delete

    def deletes(self: MemoryBackend, path: str) -> None:
        for other in [other for other in self._files if other.startswith(path)]:
            delete(self, other)

    return patch.object(MemoryBackend, "delete", deletes)


@mutant("BACKEND-52", backend="memory")
def remembers_deletions() -> AbstractContextManager[object]:
    """Reports a file as missing that was deleted and written again."""
    read, delete = MemoryBackend.read, MemoryBackend.delete
    deleted: set[tuple[MemoryBackend, str]] = set()

    def deletes(self: MemoryBackend, path: str) -> None:
        delete(self, path)
        deleted.add((self, path))

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        if (self, request.file_path) in deleted:
            raise FileNotFoundError(request.file_path)
        return await read(self, request)

    return patch.multiple(MemoryBackend, delete=deletes, read=reads)
