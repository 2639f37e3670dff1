"""What Git ignores and what it tracks, read from its files: no program is executed."""

from __future__ import annotations

import os
import re
import stat
from functools import cached_property
from pathlib import Path

_MOST = 1 << 26  # bytes of one file of Git
_MOST_IGNORED = 1 << 18  # bytes of one .gitignore
_NAME_LENGTH = 0xFFF  # the bits of the flags of an entry that hold the length of its path
IGNORE = ".gitignore"


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a regular file; none for a missing one, one that cannot be read, or a larger one."""
    try:
        status = path.stat()
        return path.read_bytes() if stat.S_ISREG(status.st_mode) and status.st_size <= most else b""
    except (OSError, ValueError):
        return b""


_Pattern = tuple[re.Pattern[str], bool, bool]  # with whether it is negated, and whether it is about folders only


class Ignored:
    """The patterns of one file, for paths relative to its folder; none without the file."""

    def __init__(self, path: Path) -> None:
        lines = read_regular(path, _MOST_IGNORED).decode(errors="surrogateescape").removeprefix("\ufeff").splitlines()
        self.patterns = [found for line in lines if (found := _pattern(line)) is not None][::-1]

    def decides(self, path: str, *, is_folder: bool) -> bool | None:
        """Whether the last pattern that matches a path ignores it; None if no pattern matches."""
        for regex, negated, for_folders in self.patterns:
            if (is_folder or not for_folders) and regex.fullmatch(path):
                return not negated
        return None


def _pattern(line: str) -> _Pattern | None:
    """A line as gitignore(5) has it; None for a comment, an empty line, and a pattern that is invalid."""
    text = re.sub(r"(?<!\\)[ \t\r]+$", "", line)
    negated = text.startswith("!")
    text = text[1:] if negated else text
    if not text or text.startswith("#"):
        return None
    for_folders, text = text.endswith("/"), text.rstrip("/")
    try:
        regex = re.compile(("" if "/" in text else "(?:.*/)?") + _translated(text.lstrip("/")), re.DOTALL)
    except re.error:
        return None
    return regex, negated, for_folders


_WILDCARDS = {"**/": "(?:.*/)?", "/**": "/.+", "/**/": "/(?:.*/)?", "?": "[^/]"}
_PART = re.compile(r"\A\*\*/|/\*\*\Z|/\*\*/|\*+|\?|\\(.)|\[([!^]?)(\]?[^\]]*)\]|(.)", re.DOTALL)


def _translated(text: str) -> str:
    """A pattern as a regular expression."""

    def part(found: re.Match[str]) -> str:
        if found[0] in _WILDCARDS:
            return _WILDCARDS[found[0]]
        if found[0].startswith("*"):
            return "[^/]*"
        if found[3] is not None:
            members = re.sub(r"([\\\[\]&~|])", r"\\\1", found[3])
            return f"[{'^/' if found[2] else ''}{members}]"
        if found[4] == "[":
            raise re.error("a bracket without an end matches nothing")
        return re.escape(found[1] or found[4])

    return _PART.sub(part, text)


class Index:
    """The paths that Git tracks in a repository: none if its index has version 4, which shortens paths."""

    def __init__(self, repository: str) -> None:
        self._repository = Path(repository)

    def holds(self, path: str) -> bool:
        """Whether a path relative to the repository is tracked, or a path below it is."""
        name = os.fsencode(path)
        at = self._data.find(name)
        while at >= 0:
            if self._is_entry(at, name):
                return True
            at = self._data.find(name, at + 1)
        return False

    def _is_entry(self, at: int, name: bytes) -> bool:
        """Whether the path of an entry begins here, and is the name or below it: its flags have its length."""
        data = self._data
        for start in (at - 2, at - 4):  # an entry of version 3 can have two more bytes of flags
            length = int.from_bytes(data[start : start + 2], "big") & _NAME_LENGTH
            end = data.find(b"\0", at) if length == _NAME_LENGTH else at + length
            path = data[at:end]
            if b"\0" not in path and data[end : end + 1] == b"\0" and (path == name or path.startswith(name + b"/")):
                return True
        return False

    @cached_property
    def _data(self) -> bytes:
        folder = self._repository / ".git"
        if not folder.is_dir():  # a linked worktree or a submodule
            named = read_regular(folder, 1 << 13).removeprefix(b"gitdir:").strip()
            folder = self._repository / os.fsdecode(named)
        data = read_regular(folder / "index", _MOST)
        return data if data[:8] in (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3") else b""
