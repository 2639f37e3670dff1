"""The addresses of the ledger follow a grammar, and are compared with the documents."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple  # Any: a row of the ledger as TOML has it

from loopspec.specification.ledger import Ledger, Row

from .forms import AddressError
from .units import Unit, normalized

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
# a sentence with this many consecutive words of the document is a copy
_WORDS_IN_A_ROW = 9
# a table of the ledger, with the comments directly before it
_TABLE = re.compile(r"(?:^#.*\n)*^\[", re.MULTILINE)

Units = Mapping[str, Sequence[Unit]]


class Place(NamedTuple):
    """An address in the ledger: the row's name in messages, and the documents that may contain the address."""

    name: str
    documents: tuple[str, ...]
    where: str
    says: str
    digest: str


def section_of(where: str, sections: Iterable[str]) -> str | None:
    """The section of an address; None for another section, or for a text outside the grammar."""
    for section in sections:
        if where.startswith(f"{section}, ") and _PLACE.fullmatch(where.removeprefix(f"{section}, ")):
            return section
    return None


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


def unit_at(units: Units, documents: Iterable[str], where: str) -> Unit:
    """The unit with this address in one of these documents. Raises `AddressError` if none has it."""
    for unit in (unit for name in documents for unit in units.get(name, ())):
        if unit.where == where:
            return unit
    raise AddressError(f"the document has no {where!r}")


def problems(units: Units, book: Ledger) -> Iterator[str]:
    """One line for each row with a missing address, another digest, or copied words."""
    for place in places(book):
        try:
            unit = unit_at(units, place.documents, place.where)
        except AddressError as error:
            yield f"{place.name}: {error}"
            continue
        if unit.digest != place.digest:
            yield f"{place.name}: digest {place.digest!r}, the document has {unit.digest!r}: {place.where}"
        if repeated := _words_in_common(place.says, unit.text):
            yield f"{place.name}: `says` repeats the document's words {repeated!r}"


def _words_in_common(says: str, text: str) -> str:
    """The consecutive words that a statement shares with the document; empty if there are few."""
    ours, theirs = says.casefold().split(), f" {normalized(text).casefold()} "
    for at in range(len(ours) - _WORDS_IN_A_ROW + 1):
        run = " ".join(ours[at : at + _WORDS_IN_A_ROW])
        if f" {run} " in theirs:
            return run
    return ""


def with_digests(text: str, units: Units) -> str:
    """The ledger with the digests of the documents: comments, order and everything else stay.

    Raises `AddressError` for a missing address, and for a ledger that cannot be edited by lines.
    """
    starts = [table.start() for table in _TABLE.finditer(text)]
    with suppress(tomllib.TOMLDecodeError):
        written = "".join(_with_digest(text[a:b], units) for a, b in pairwise([0, *starts, len(text)]))
        if _without_digests(written) == _without_digests(text):
            return written
    raise AddressError("the ledger cannot be edited by lines: write each key of a rule in one line of its own")


def _with_digest(block: str, units: Units) -> str:
    """One table of the ledger with its digest: in place of the former one, or after the statement."""
    for row in _rows(tomllib.loads(block)):
        if "where" in row:
            line = f'digest = "{unit_at(units, [row["document"], *row.get("also", ())], row["where"]).digest}"\n'
            if "digest" in row:
                return re.sub(r"^digest = .*\n", line, block, count=1, flags=re.MULTILINE)
            return re.sub(r"^says = .*\n", rf"\g<0>{line}", block, count=1, flags=re.MULTILINE)
    return block


def _without_digests(text: str) -> dict[str, Any]:
    book = tomllib.loads(text)
    for row in _rows(book):
        row.pop("digest", None)
    return book


def _rows(book: dict[str, Any]) -> list[dict[str, Any]]:
    return [*book.get("rules", {}).values(), *book.get("not_covered", ())]
