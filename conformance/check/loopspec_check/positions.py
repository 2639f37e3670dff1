"""The lines of values inside a JSON text, for findings: no decoder of JSON keeps them."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable

from .values import Keys

_SPACE = re.compile(r"[\s,:]*")
_DECODER = json.JSONDecoder()
_Tree = dict[str | int, "_Tree"]


def lines_of(text: str, wanted: Iterable[Keys]) -> dict[Keys, int]:
    """The line of each value that the keys lead to, counted from 1. The text is read once; it is known to be JSON."""
    tree: _Tree = {}
    for keys in wanted:
        below = tree
        for key in keys:
            below = below.setdefault(key, {})
    found: dict[Keys, int] = {}
    line, before = 1, 0
    for keys, at in _starts(text, 0, tree, ()):
        line += text.count("\n", before, at)
        found[keys], before = line, at
    return found


def _starts(text: str, at: int, tree: _Tree, keys: Keys) -> Generator[tuple[Keys, int], None, int]:
    """Where the value at a position starts, and the wanted values below it; the others are skipped. Returns its end."""
    at = _next(text, at)
    yield keys, at
    first = text[at : at + 1]
    if not tree or first not in "{[":
        return _DECODER.raw_decode(text, at)[1]
    at = _next(text, at + 1)
    number = 0
    while text[at] not in "}]":
        key: str | int = number
        if first == "{":
            key, at = _DECODER.raw_decode(text, at)
        if key in tree:
            at = yield from _starts(text, at, tree[key], (*keys, key))
        else:
            at = _DECODER.raw_decode(text, _next(text, at))[1]
        at = _next(text, at)
        number += 1
    return at + 1


def _next(text: str, at: int) -> int:
    """The position of the next value."""
    found = _SPACE.match(text, at)
    return found.end() if found else at
