"""Where files are read from."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

Content = str | bytes

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_DIRECTORY
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class ReadRequest(Struct, frozen=True):
    """What is asked of a backend: a file, and which of its lines.

    `offset` is the number of the first line, counted from 1, and anything below 1 means 1. `limit` is how many
    lines, and anything below 1 means all of them.
    """

    file_path: str
    offset: int = 1
    limit: int = 0


class Backend(Protocol):
    """Reads files for an agent, and may be asked for several at once."""

    async def read(self, request: ReadRequest) -> Content | None:
        """Return the content asked for, unchanged.

        A file that does not exist is a `FileNotFoundError`, itself or somewhere in the chain of causes: readers
        skip it. Every other error makes them give up. No content object at all counts as an empty file.
        """
        ...


def pick_lines(content: bytes, request: ReadRequest) -> bytes:
    """The lines of a file that a request asks for, with their line ends."""
    if request.offset <= 1 and request.limit < 1:
        return content
    first = max(request.offset, 1) - 1
    last = first + request.limit if request.limit >= 1 else None
    return b"".join(io.BytesIO(content).readlines()[first:last])


class MemoryBackend:
    """A backend over a dictionary. A path must be asked for in exactly the words it was written with."""

    def __init__(self, files: Mapping[str, Content] | None = None) -> None:
        self._files: dict[str, Content] = {}
        self._folders: set[str] = set()
        for path, content in (files or {}).items():
            self.write(path, content)

    def write(self, path: str, content: Content) -> None:
        """Create the file or replace its content."""
        self._files[path] = content
        self._folders.update(path[:at] for at, sign in enumerate(path) if sign == "/")

    async def read(self, request: ReadRequest) -> Content:
        """Return the content asked for."""
        path = request.file_path
        content = self._files.get(path)
        if content is None:
            if path.rstrip("/") in self._folders:
                raise IsADirectoryError(f"{path!r} is a directory")
            raise FileNotFoundError(f"no file {path!r}")
        if request.offset <= 1 and request.limit < 1:
            return content
        return pick_lines(content.encode() if isinstance(content, str) else content, request)


class LocalBackend:
    """A backend over one folder of the local disk, which it never leaves.

    Relative paths start at the root. An absolute path must lie under the root, and so must whatever a link points
    to: anything else is a `PermissionError`, whether it exists or not. Content comes as bytes.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = Path(os.path.realpath(root))

    async def read(self, request: ReadRequest) -> bytes:
        """Return the content asked for."""
        return await asyncio.to_thread(self._read, request)

    def _read(self, request: ReadRequest) -> bytes:
        # Leniently first, so that nothing is told of what is outside; then strictly, for the lenient way gives up at a
        # link to itself, and leaves whatever link comes after it.
        for strict in (False, True):
            path = Path(os.path.realpath(self._root / request.file_path, strict=strict))
            if not path.is_relative_to(self._root):
                raise PermissionError(f"{request.file_path!r} is outside {str(self._root)!r}")
        return pick_lines(_content(self._root, path.relative_to(self._root).parts), request)


def _content(root: Path, parts: tuple[str, ...]) -> bytes:
    """Read a file step by step and follow no link: what was resolved before may have become one since."""
    at = os.open(root, _FOLDER)
    try:
        for number, part in enumerate(parts, 1):
            below = os.open(part, _FILE if number == len(parts) else _FOLDER, dir_fd=at)
            os.close(at)
            at = below
        mode = os.fstat(at).st_mode
        if not stat.S_ISREG(mode):  # a folder, or a pipe, say, whose end may never come
            kind = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(kind, os.strerror(kind), str(root.joinpath(*parts)))
        with open(at, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(at)
