"""Files in memory, for tests and for generated examples."""

from __future__ import annotations

import errno
import os
from collections import defaultdict
from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from .files import KINDS, Content, Entry, Files, Kind, system_error

_MOST_LINKS = 40  # as on Linux
_LONGEST_NAME, _LONGEST_PATH = 255, 4095


class Link(Struct, frozen=True, gc=False):
    """A symbolic link. A hard link is another name of a file that was added before, by its absolute path."""

    target: str
    hard: bool = False


class Special(Enum):
    """What is neither a file that can be read nor a link."""

    FOLDER = "folder"
    PIPE = "pipe"
    FORBIDDEN = "a file that must not be read"


Node = bytes | str | Link | Special


class MemoryFiles(Files):
    """Files by absolute path. The folders above a path exist, and a text is stored as UTF-8."""

    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self._nodes: dict[str, Node] = {"/": Special.FOLDER}
        self._names: defaultdict[str, set[str]] = defaultdict(set)
        self._first: dict[str, str] = {}  # the first names of the files with hard links
        for path, node in nodes.items():
            if isinstance(node, Link) and node.hard:
                self._first[path] = self._first.get(node.target, node.target)
                node = self._nodes[node.target]
            self._add(path, node.encode(errors="surrogateescape") if isinstance(node, str) else node)

    def _add(self, path: str, node: Node) -> None:
        at = ""
        for part in filter(None, path.split("/")):
            if self._nodes.setdefault(at or "/", Special.FOLDER) is not Special.FOLDER:
                raise ValueError(f"{at!r} is a file, and {path!r} is below it")
            self._names[at or "/"].add(part)
            at += "/" + part
        if self._nodes.setdefault(at or "/", node) is Special.FOLDER:
            self._nodes[at or "/"] = node

    def _resolve(self, path: str) -> tuple[str, Node | OSError]:
        """Return the path without links, and what is there, or the error that a disk has if nothing is there.

        Segments after the first one that does not exist are kept. A link loop raises the error.
        """
        _check_spelling(path)
        waiting = path.split("/")[::-1]
        at, followed = "", 0
        failed: OSError | None = None
        while waiting:
            part = waiting.pop()
            node = self._nodes.get(at or "/")
            if node is not Special.FOLDER and failed is None:
                failed = system_error(errno.ENOENT if node is None else errno.ENOTDIR, path)
            if part == "..":
                at = at.rpartition("/")[0]
            elif part not in ("", "."):
                below = self._nodes.get(f"{at}/{part}")
                if isinstance(below, Link):
                    followed += 1
                    if followed > _MOST_LINKS:
                        raise system_error(errno.ELOOP, path)
                    waiting += below.target.split("/")[::-1]
                    at = "" if below.target.startswith("/") else at
                else:
                    at += "/" + part
        found = self._nodes.get(at or "/")
        return at or "/", failed or (system_error(errno.ENOENT, path) if found is None else found)

    def _locate(self, path: str) -> tuple[str, Node]:
        """Return the path without links and what is there. Raises the error that a disk has."""
        real, node = self._resolve(path)
        if isinstance(node, OSError):
            raise node
        return real, node

    def kind(self, path: str) -> Kind:
        try:
            _, node = self._locate(path)
        except OSError as error:
            return KINDS.get(error.errno, "unreadable")
        if node is Special.FOLDER:
            return "folder"
        return "other" if node is Special.PIPE else "file"

    def read(self, path: str, limit: int) -> Content:
        _, node = self._locate(path)
        if isinstance(node, bytes):
            return Content(node[:limit], len(node))
        numbers = {Special.FOLDER: errno.EISDIR, Special.PIPE: errno.EINVAL, Special.FORBIDDEN: errno.EACCES}
        raise system_error(numbers[node] if isinstance(node, Special) else errno.EINVAL, path)

    def real_path(self, path: str) -> str:
        return self._resolve(path)[0]

    def identity(self, path: str) -> str:
        real = self._locate(path)[0]
        return self._first.get(real, real)

    def entries(self, path: str) -> list[Entry]:
        at, node = self._locate(path)
        if node is not Special.FOLDER:
            raise system_error(errno.ENOTDIR, path)
        folder = "" if at == "/" else at
        return [Entry(name, self._nodes[f"{folder}/{name}"] is Special.FOLDER) for name in sorted(self._names[at])]


def _check_spelling(path: str) -> None:
    """Raise the error of a path that no disk can have."""
    if "\0" in path:
        raise system_error(errno.EINVAL, path)
    spelled = os.fsencode(path)
    if len(spelled) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in spelled.split(b"/")):
        raise system_error(errno.ENAMETOOLONG, path)
