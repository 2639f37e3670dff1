"""The sentences of a text, split by fixed rules."""

from __future__ import annotations

import re

_STOP = re.compile(r"[.!?]\s+(?=\S)")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs)|\b[^\W\d_])\.$", re.IGNORECASE)
_OPENING = "\"'“‘`([{<"


def normalized(text: str) -> str:
    """The text with each run of white space as one space, and no white space at its ends."""
    return " ".join(text.split())


def sentences(text: str) -> list[str]:
    """The sentences of a normalized text.

    A sentence ends with a full stop, ! or ? before a capital, a quote or a bracket, unless the full stop belongs to an
    abbreviation or follows a single letter.
    """
    found, start = [], 0
    for stop in _STOP.finditer(text):
        ending, opening = text[start : stop.start() + 1], text[stop.end()]
        if (opening.isupper() or opening in _OPENING) and not _ABBREVIATION.search(ending):
            found.append(ending)
            start = stop.end()
    return [*found, text[start:]]
