"""The lines of values inside a JSON text, for findings: no decoder of JSON keeps them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

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
    lines = _Lines(text)
    lines.walk(0, tree, ())
    return lines.found


class _Lines:
    """Walks through the values that are wanted, and skips the others."""

    def __init__(self, text: str) -> None:
        self.found: dict[Keys, int] = {}
        self._text = text
        self._counted = (0, 1)  # a position, and its line

    def walk(self, at: int, tree: _Tree, keys: Keys) -> int:
        """Note the value at a position, and the values below it. Returns the position after it."""
        at = self._next(at)
        before, line = self._counted
        self._counted = (at, line + self._text.count("\n", before, at))
        self.found[keys] = self._counted[1]
        first = self._text[at : at + 1]
        if not tree or first not in "{[":
            return _DECODER.raw_decode(self._text, at)[1]
        at = self._next(at + 1)
        number = 0
        while self._text[at] not in "}]":
            key: str | int = number
            if first == "{":
                key, at = _DECODER.raw_decode(self._text, at)
            if key in tree:
                at = self.walk(at, tree[key], (*keys, key))
            else:
                at = _DECODER.raw_decode(self._text, self._next(at))[1]
            at = self._next(at)
            number += 1
        return at + 1

    def _next(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at
