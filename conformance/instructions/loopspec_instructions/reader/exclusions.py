"""Patterns of the user's settings that exclude instruction files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from .dialect import Dialect
from .files import Files
from .roots import join

_MOST = 1 << 20  # bytes of a file of settings
_PART = re.compile(r"/\*\*$|\*\*/|\*\*|\*|\?|\[[!^]?\]?[^]]*\]|[{},]|.", re.DOTALL)
_PARTS = {"/**": "(?:/.*)?", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}


def excluding_patterns(files: Files, dialect: Dialect, cwd: str, home: str) -> list[re.Pattern[str]]:
    """Return the patterns of excluded paths, of the settings of the user and of the working directory."""
    own = [join(home, name) for name in dialect.settings_files[:1]]
    found = [*own, *(join(cwd, name) for name in dialect.settings_files)]
    return [glob_pattern(each) for path in dict.fromkeys(found) for each in _patterns_in(files, path, dialect)]


def _patterns_in(files: Files, path: str, dialect: Dialect) -> Iterator[str]:
    if files.kind(path) != "file":
        return
    try:
        patterns = json.loads(files.read(path, _MOST).data)[dialect.exclusions_key]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return
    if isinstance(patterns, list):
        yield from (each for each in patterns if isinstance(each, str) and each)


@cache
def glob_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern: `**` is any number of folders, `*` a part of a name."""
    depth, parts = 0, list[str]()
    for part in _PART.findall(pattern):
        depth += (part == "{") - (part == "}")
        if part == ",":
            parts.append("|" if depth else ",")
        elif len(part) > 1 and part[0] == "[":
            parts.append(part)  # "[!a]" is a set of two characters, "[^a]" any other character
        else:
            parts.append(_PARTS.get(part) or re.escape(part))
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error:
        return re.compile(re.escape(pattern))
