"""The closed grammar of addresses: every place in a document has exactly one address."""

from __future__ import annotations

import re
from collections.abc import Iterable

# the beginning of a decision for a rule without a unit in its document; no other text uses the sentence
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
    """The section of an address; None for another section, or for a text outside the grammar."""
    for section in sections:
        if where.startswith(f"{section}, ") and _PLACE.fullmatch(where.removeprefix(f"{section}, ")):
            return section
    return None
