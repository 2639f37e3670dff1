"""The addresses in the ledger, and the statements at them, in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from loopspec.specification.ledger import Ledger, Row

from .units import Unit, normalized

# the beginning of a decision for a rule without a unit in its document; no other text uses the sentence
NO_SENTENCE = "No sentence of the document leads to this rule."

# a sentence with this many consecutive words of the document is a copy
_WORDS_IN_A_ROW = 9

Units = Mapping[str, Sequence[Unit]]


class Place(NamedTuple):
    """An address in the ledger: the row's name in messages, and the documents that may contain the address."""

    name: str
    documents: tuple[str, ...]
    where: str
    says: str
    digest: str


def places(book: Ledger) -> Iterator[Place]:
    """Every address in the ledger."""
    for rule, row in book.rules.items():
        if row.where:
            yield Place(rule, (row.document, *row.also), row.where, row.says, row.digest)
    for one in book.not_covered:
        yield Place(f"not_covered in {one.document}", (one.document,), one.where, one.says, one.digest)


def sections_of(row: Row) -> tuple[str, ...]:
    """The sections of a rule in all documents."""
    return (*row.sections, *(section for sections in row.also.values() for section in sections))


def copies(units: Units, book: Ledger) -> Iterator[str]:
    """One line for each statement of the ledger that copies words of its unit."""
    texts = {(name, unit.where): unit.text for name, own in units.items() for unit in own}
    for place in places(book):
        for text in (texts.get((name, place.where), "") for name in place.documents):
            if repeated := _words_in_common(place.says, text):
                yield f"{place.name}: `says` repeats the document's words {repeated!r}"


def _words_in_common(says: str, text: str) -> str:
    """The consecutive words that a statement shares with the document; empty if there are few."""
    ours, theirs = says.casefold().split(), f" {normalized(text).casefold()} "
    for at in range(len(ours) - _WORDS_IN_A_ROW + 1):
        run = " ".join(ours[at : at + _WORDS_IN_A_ROW])
        if f" {run} " in theirs:
            return run
    return ""
