"""Mutants about the root of a backend, about links, and about stores that fail as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch
from urllib.parse import unquote

from loopspec import ReadRequest as Request
from loopspec_reference import Content, LocalBackend, MemoryBackend, ReadRequest
from loopspec_reference_adapter.stores import MemoryStore

from .registry import mutant

_ROOT = "/tmp"  # any folder: only paths that leave the folder are joined to it


def _empty_when(failed: type[OSError]) -> AbstractContextManager[object]:
    """Patch a failure of the whole store to be a missing file."""
    read = MemoryStore.read

    async def reads(self: MemoryStore, request: Request) -> Content:
        if isinstance(self._failure, failed):
            raise FileNotFoundError(request.file_path)
        return await read(self, request)

    return patch.object(MemoryStore, "read", reads)


@mutant("AMD-BACKEND-14", backend="memory")
def takes_a_lost_server_for_an_empty_store() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` if the server is gone."""
    return _empty_when(ConnectionError)


@mutant("AMD-BACKEND-15", backend="memory")
def takes_a_silent_server_for_an_empty_store() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` if the server does not answer."""
    return _empty_when(TimeoutError)


@mutant("AMD-BACKEND-16", backend="memory")
def takes_rejected_credentials_for_an_empty_store() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` if the credentials are rejected."""
    return _empty_when(PermissionError)


@mutant("BACKEND-29", backend="memory")
def takes_a_removed_container_for_empty() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` if the container of the files is removed."""
    return _empty_when(NotADirectoryError)


@mutant("BACKEND-29", backend="local")
def reports_files_of_a_removed_root_as_missing() -> AbstractContextManager[object]:
    """Does not check whether the root exists."""
    return patch.object(LocalBackend, "_read", LocalBackend._read_in_root)


@mutant("BACKEND-28", backend="local")
def reads_a_dangling_link_as_empty() -> AbstractContextManager[object]:
    """Returns empty content for a link to a missing file."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        path = Path(self._root, request.file_path)
        try:
            return read(self, request)
        except FileNotFoundError:
            if path.is_symlink() and not path.exists():
                return b""
            raise

    return patch.object(LocalBackend, "_read", reads)


def _falling_back(found: Callable[[str], str | None]) -> AbstractContextManager[object]:
    """Patch paths that cannot be read to be read from the disk."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except OSError:
            path = found(request.file_path)
            if path is None or "\0" in path or not Path(path).is_file():
                raise
            return Path(path).read_bytes()

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-30", backend="memory")
def joins_parent_segments() -> AbstractContextManager[object]:
    """Joins a relative path with parent segments to the root, without a check."""
    return _falling_back(lambda path: None if path.startswith("/") else os.path.normpath(f"{_ROOT}/{path}"))


@mutant("BACKEND-31", backend="memory")
def joins_absolute_paths() -> AbstractContextManager[object]:
    """Drops the root where an absolute path is joined to the root."""
    return _falling_back(lambda path: path if path.startswith("/") else None)


@mutant("BACKEND-32", backend="memory")
def decodes_paths_after_the_check() -> AbstractContextManager[object]:
    """Decodes escapes in a path after the check of the path."""
    return _falling_back(lambda path: f"{_ROOT}/{unquote(path)}" if "%" in path else None)


@mutant("BACKEND-33", backend="memory")
def ends_paths_at_a_zero_byte() -> AbstractContextManager[object]:
    """Reads the path before a zero byte."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except OSError:
            path, zero, _ = request.file_path.partition("\0")
            if not zero:
                raise
            return await read(self, ReadRequest(path, request.offset, request.limit))

    return patch.object(MemoryBackend, "read", reads)


@mutant(
    "BACKEND-34",
    backend="local",
    neighbors={
        "AMD-BACKEND-11": "the file is read, and becomes a link to a file without read permission",
        "BACKEND-06": "the file is read, and becomes a link to a file outside the root",
        "AMD-BACKEND-16": "the root becomes a link to a folder without the file",
    },
)
def checks_links_before_the_read() -> AbstractContextManager[object]:
    """Checks a path at the first read, and reads the path later without a check."""
    read = LocalBackend._read_in_root
    checked: set[tuple[LocalBackend, str]] = set()

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        key = (self, request.file_path)
        if key in checked:
            return Path(self._root, request.file_path).read_bytes()
        content = read(self, request)
        if request.offset <= 1 and request.limit < 1:
            checked.add(key)
        return content

    return patch.object(LocalBackend, "_read_in_root", reads)


@mutant("BACKEND-35", backend="local")
def rejects_every_link() -> AbstractContextManager[object]:
    """Raises `PermissionError` for a link, and for a path through a link."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        path = Path(self._root, request.file_path)
        if any(part.is_symlink() for part in (path, *path.parents)):
            raise PermissionError(request.file_path)
        return read(self, request)

    return patch.object(LocalBackend, "_read", reads)
