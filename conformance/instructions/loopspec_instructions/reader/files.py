"""The disk as the reader of instruction files needs it."""

from __future__ import annotations

import errno
import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

Kind = Literal["file", "folder", "other", "missing", "through-file", "loop", "unreadable"]

# The kinds of paths that lead to no entry, by the error of the system. A null byte in a path is an invalid argument.
KINDS: Mapping[int | None, Kind] = {
    errno.ENOENT: "missing",
    errno.EINVAL: "missing",
    errno.ENOTDIR: "through-file",
    errno.ELOOP: "loop",
}


class Content(Struct, frozen=True, gc=False):
    """The first bytes of a file, and the number of bytes that the file has."""

    data: bytes
    size: int


class Entry(Struct, frozen=True, gc=False):
    """A name in a folder. A link is not followed: a link to a folder is no folder."""

    name: str
    is_folder: bool


class Files(Protocol):
    """Reads files by absolute path. Names that are not UTF-8 have surrogate escapes."""

    def kind(self, path: str) -> Kind:
        """Return what the path leads to, with links followed. Opens nothing.

        "other" is a pipe, a socket or a device. "missing" includes a link that leads nowhere. "loop" is a link that
        leads to itself. "through-file" is a path, or the target of a link, that uses a file like a folder. "unreadable"
        is a path that the system refuses to look at.
        """

    def read(self, path: str, limit: int) -> Content:
        """Return at most the first `limit` bytes of a regular file, with links followed.

        Anything else raises the system's `OSError`, and never waits: `FileNotFoundError` means that the path leads
        nowhere.
        """

    def real_path(self, path: str) -> str:
        """Return the path without links; segments that do not exist are kept. A link loop raises an `OSError`."""

    def identity(self, path: str) -> Hashable:
        """Return a value that all paths to one file have in common, hard links included. Raises an `OSError`."""

    def entries(self, path: str) -> Sequence[Entry]:
        """Return the names in a folder, sorted. Raises an `OSError`, or returns nothing, if this is not possible."""


def system_error(number: int, path: str) -> OSError:
    """Return the error of the system that has a number."""
    return OSError(number, os.strerror(number), path)
