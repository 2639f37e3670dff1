"""The reference's backends, filled with the files of a scene."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import loopspec_reference as ref
from loopspec.contract.faults import CannotStore
from loopspec.contract.scene import ReadRequest, StoreFailure, StoreFault
from loopspec.contract.shapes import Backend

_MEMORY = Path("/dev/shm")
_ROOM = 1 << 30  # bytes


def folder_in_memory() -> Path | None:
    """The folder that Linux keeps in memory, where making files takes a tenth of the time; None: the usual one.

    The usual one is also that of the user's TMPDIR, and of a system whose folder in memory has little room.
    """
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK | os.X_OK):
        return None
    return _MEMORY if shutil.disk_usage(_MEMORY).free > _ROOM else None


class LocalStore:
    """A `LocalBackend` over a folder with the files of a scene, which have relative paths."""

    def __init__(self, root: Path, files: Mapping[str, bytes]) -> None:
        self._root = root
        self._outside = root.with_name(f"outside {root.name}")
        self._neighbor = root.with_name(f"{root.name}-2")
        self._new = root.with_name(f"new {root.name}")
        self._closed = False
        self._root.mkdir()
        for path, content in files.items():
            self.write(path, content)
        self._backend = ref.LocalBackend(self._root)

    async def read(self, request: ReadRequest) -> ref.Content:
        """Read a file."""
        if self._closed:
            raise ValueError("the store is closed")
        return await self._backend.read(ref.ReadRequest(request.file_path, request.offset, request.limit))

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file. A read during the write returns the old content or the new one."""
        try:
            file = self._file(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            self._new.write_bytes(content)
            self._new.replace(file)
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error

    def delete(self, path: str) -> None:
        """Delete a file."""
        self._file(path).unlink()

    def _file(self, path: str) -> Path:
        """The file of a path. Raises `ValueError` for a path that `pathlib` would change, or that leads outside."""
        file = self._root / path
        if file.relative_to(self._root).as_posix() != path or ".." in file.parts:
            raise ValueError(path)
        return file

    def fault(self, path: str, kind: StoreFault) -> None:
        """Replace the file by a link: to a file outside the root, which is forbidden, or to itself.

        "outside": to a file in a folder next to the root, whose name begins with the root's name.
        """
        file = self._root / path
        file.unlink()
        if kind == "io":
            file.symlink_to(file)
        elif kind == "outside":
            self._neighbor.mkdir(exist_ok=True)
            (self._neighbor / file.name).write_text("A file of the neighbor.")
            file.symlink_to(self._neighbor / file.name)
        else:
            self._outside.touch()
            file.symlink_to(self._outside)

    def link(self, path: str, target: str) -> None:
        """Make a file a link to a path inside the root."""
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.symlink_to(self._root / target)

    def fail(self, kind: StoreFailure) -> None:
        """Move the root away. "container": nothing replaces the root.

        Otherwise a link replaces the root: to itself, so that each read is an I/O error, as on a network disk whose
        server is gone or whose time limit has passed; "refused": to a folder outside the root, which is forbidden.
        """
        self._root.rename(self._root.with_name(f"away {self._root.name}"))
        if kind == "refused":
            self._neighbor.mkdir(exist_ok=True)
            self._root.symlink_to(self._neighbor)
        elif kind != "container":
            self._root.symlink_to(self._root)

    def close(self) -> None:
        """Let later reads fail."""
        self._closed = True


# What the client of a remote store raises, and what a store in memory raises in its place.
_FAILURES: Mapping[StoreFailure, OSError] = {
    "gone": ConnectionRefusedError("the server of the store is gone"),
    "timeout": TimeoutError("the server of the store does not answer"),
    "refused": PermissionError("the store rejects the credentials"),
    "container": NotADirectoryError("the container of the files is gone"),
}


class MemoryStore:
    """A `MemoryBackend` with the files of a scene."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._failure: OSError | None = None
        self._closed = False
        self._backend = ref.MemoryBackend()
        for path, content in files.items():
            self.write(path, content)

    async def read(self, request: ReadRequest) -> ref.Content:
        """Read a file."""
        if self._closed:
            raise ValueError("the store is closed")
        if self._failure is not None:
            raise self._failure
        return await self._backend.read(ref.ReadRequest(request.file_path, request.offset, request.limit))

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file."""
        try:
            self._backend.write(path, content)
        except OSError as error:
            raise CannotStore(path) from error

    def delete(self, path: str) -> None:
        """Delete a file."""
        self._backend.delete(path)

    def fail(self, kind: StoreFailure) -> None:
        """Let all later reads fail."""
        self._failure = _FAILURES[kind]

    def close(self) -> None:
        """Let later reads fail."""
        self._closed = True


class Files:
    """The harness's files as a backend of the reference."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def read(self, request: ref.ReadRequest) -> ref.Content | None:
        content = self._backend.read(
            ReadRequest(file_path=request.file_path, offset=request.offset, limit=request.limit)
        )
        return content if content is None or isinstance(content, str | bytes) else await content
