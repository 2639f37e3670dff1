"""The grammar of addresses, which is closed: every place in a document has exactly one spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable

# How the decision of a rule begins for which its document has no unit; the sentence is used for nothing else.
NO_SENTENCE = "No sentence of the document leads to this rule."

_N = "[1-9][0-9]*"
_PLACES = (
    rf"¶{_N}, sentence {_N}",
    rf"item {_N}(?:, sentence {_N})?",
    r'row "[^"]+" × "[^"]+"',
    rf"code line {_N}",
    rf"figure {_N}",
)
_PLACE = re.compile("|".join(f"(?:{place})" for place in _PLACES))


def section_of(where: str, sections: Iterable[str]) -> str | None:
    """The section that an address is in; None if it is in none of these or not spelled by the grammar."""
    for section in sections:
        if where.startswith(f"{section}, ") and _PLACE.fullmatch(where.removeprefix(f"{section}, ")):
            return section
    return None
