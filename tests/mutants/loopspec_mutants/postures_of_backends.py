"""Postures of backends."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import Content, MemoryBackend, ReadRequest

from .postures import posture


@posture("case-of-names", "one-name", backend="memory")
def ignores_case() -> AbstractContextManager[object]:
    """Take two names that differ only in case for one."""
    read, write, delete = MemoryBackend.read, MemoryBackend.write, MemoryBackend.delete

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        return await read(self, ReadRequest(_in_upper_case(request.file_path), request.offset, request.limit))

    return patch.multiple(
        MemoryBackend,
        read=reads,
        write=lambda self, path, content: write(self, _in_upper_case(path), content),
        delete=lambda self, path: delete(self, _in_upper_case(path)),
    )


def _in_upper_case(path: str) -> str:
    """Return the path in upper case, as NTFS compares names: a character whose upper case is several stays as it is."""
    return "".join(upper if len(upper := sign.upper()) == 1 else sign for sign in path)
