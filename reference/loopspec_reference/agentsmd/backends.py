"""Backends: the sources of instruction files."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import posixpath
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

Content = str | bytes

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_DIRECTORY
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class ReadRequest(Struct, frozen=True, gc=False):
    """A request to a backend: a file, and which of its lines.

    `offset` is the number of the first line, counted from 1; a number below 1 means 1. `limit` is the number of lines;
    a number below 1 means all lines.
    """

    file_path: str
    offset: int = 1
    limit: int = 0


class Backend(Protocol):
    """Reads files for an agent. Several reads can be under way at the same time."""

    async def read(self, request: ReadRequest) -> Content | None:
        """Return the requested content, unchanged.

        A file that does not exist raises a `FileNotFoundError`, or an error with one in its chain of causes; the loader
        skips the file. Any other error ends the load. None counts as an empty file.
        """


def pick_lines(content: bytes, request: ReadRequest) -> bytes:
    """Return the requested lines of a file, with their line ends."""
    if request.offset <= 1 and request.limit < 1:
        return content
    first = max(request.offset, 1) - 1
    last = first + request.limit if request.limit >= 1 else None
    return b"".join(io.BytesIO(content).readlines()[first:last])


class MemoryBackend:
    """A backend over a dictionary. The segments `.` and `..` and doubled slashes of a path are resolved."""

    def __init__(self, files: Mapping[str, Content] | None = None) -> None:
        self._files: dict[str, Content] = {}
        self._folders: set[str] = set()
        for path, content in (files or {}).items():
            self.write(path, content)

    def write(self, path: str, content: Content) -> None:
        """Create the file or replace its content.

        Raises `IsADirectoryError` for the path of a folder, and `NotADirectoryError` for a path below a file.
        """
        if not path or path.endswith("/") or path in self._folders:
            raise IsADirectoryError(f"{path!r} is a directory")
        above = [path[:at] for at, sign in enumerate(path) if sign == "/"]
        self._check_above(path, above)
        self._files[path] = content
        self._folders.update(above)

    def delete(self, path: str) -> None:
        """Delete the file. Its folder remains. Raises `FileNotFoundError` for a path without a file."""
        if self._files.pop(path, None) is None:
            raise FileNotFoundError(f"no file {path!r}")

    async def read(self, request: ReadRequest) -> Content:
        path = request.file_path
        content = self._files.get(path)
        if content is None:
            content = self._resolved(path)
        if request.offset <= 1 and request.limit < 1:
            return content
        return pick_lines(content.encode() if isinstance(content, str) else content, request)

    def _resolved(self, path: str) -> Content:
        """The content under a path in another spelling. Raises the error of a path that is no file."""
        plain = posixpath.normpath(path)
        plain = f"/{plain.lstrip('/')}" if plain.startswith("//") else plain
        if plain == ".." or plain.startswith("../"):
            raise PermissionError(f"{path!r} is outside the backend")
        if plain in self._folders or plain in (".", "/"):
            raise IsADirectoryError(f"{path!r} is a directory")
        self._check_above(path, [plain[:at] for at, sign in enumerate(plain) if sign == "/"])
        content = self._files.get(plain)
        if content is None:
            raise FileNotFoundError(f"no file {path!r}")
        if path.endswith("/"):
            raise NotADirectoryError(f"{path!r} is no directory")
        return content

    def _check_above(self, path: str, above: Iterable[str]) -> None:
        """Raise `NotADirectoryError` if a folder of a path is a file."""
        if any(folder in self._files for folder in above):
            raise NotADirectoryError(f"{path!r} is below a file")


class LocalBackend:
    """A backend over one folder of the local disk. It reads nothing outside this folder.

    Relative paths start at the root. An absolute path must lie under the root, and so must the target of a link: any
    other path raises a `PermissionError`, whether it exists or not. If the root itself is gone, no file counts as
    missing: each read raises a `NotADirectoryError`. The content is bytes.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.fspath(os.path.realpath(root))

    async def read(self, request: ReadRequest) -> bytes:
        return await asyncio.to_thread(self._read, request)

    def _read(self, request: ReadRequest) -> bytes:
        try:
            return self._read_in_root(request)
        except FileNotFoundError:
            if Path(self._root).is_dir():
                raise
            gone = NotADirectoryError(errno.ENOTDIR, "the root of the backend is gone", self._root)
        raise gone  # outside the handler: a missing-file error among its causes would make the file count as missing

    def _read_in_root(self, request: ReadRequest) -> bytes:
        # First leniently, so that the error reveals nothing about what exists outside. Then strictly, because the
        # lenient way stops at a link to itself and leaves the links after it unresolved.
        for strict in (False, True):
            path = os.path.realpath(posixpath.join(self._root, request.file_path), strict=strict)
            if os.path.commonpath([self._root, path]) != self._root:
                raise PermissionError(f"{request.file_path!r} is outside {self._root!r}")
        return pick_lines(_content(self._root, path[len(self._root) :]), request)


def _content(root: str, path: str) -> bytes:
    """Read a file without following a link: a folder that was resolved may have been replaced by a link since."""
    parts = [part for part in path.split("/") if part]
    at = os.open(root, _FOLDER)
    try:
        for number, part in enumerate(parts, 1):
            below = os.open(part, _FILE if number == len(parts) else _FOLDER, dir_fd=at)
            os.close(at)
            at = below
        mode = os.fstat(at).st_mode
        if not stat.S_ISREG(mode):  # a folder, or for example a pipe, which may never end
            kind = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(kind, os.strerror(kind), posixpath.join(root, *parts))
        with open(at, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(at)
