"""The addresses of the ledger are compared with the documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from loopspec.specification.ledger import Ledger, Row

from .forms import AddressError
from .ledger_text import with_rules, with_statements
from .sentences import normalized
from .units import Unit

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
            yield Place(rule, documents_of(row), row.where, row.says, row.digest)
    for one in book.not_covered:
        yield Place(f"not_covered in {one.document}", (one.document,), one.where, one.says, one.digest)


def documents_of(row: Row) -> tuple[str, ...]:
    """The documents of a rule."""
    return (row.document, *row.also)


def sections_of(row: Row) -> tuple[str, ...]:
    """The sections of a rule in all documents."""
    return (*row.sections, *(section for sections in row.also.values() for section in sections))


def unit_at(units: Units, documents: Sequence[str], where: str) -> Unit:
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
        if repeated := words_in_common(place.says, unit.text):
            yield f"{place.name}: `says` repeats the document's words {repeated!r}"


def words_in_common(says: str, text: str) -> str:
    """The consecutive words that a statement shares with the document; empty if there are few."""
    ours, theirs = says.casefold().split(), f" {normalized(text).casefold()} "
    for at in range(len(ours) - _WORDS_IN_A_ROW + 1):
        run = " ".join(ours[at : at + _WORDS_IN_A_ROW])
        if f" {run} " in theirs:
            return run
    return ""


def with_digests(text: str, units: Units, book: Ledger) -> str:
    """The ledger with the digests of the documents. Raises `AddressError` for a missing address."""
    rules = {
        rule: {"digest": unit_at(units, documents_of(row), row.where).digest}
        for rule, row in book.rules.items()
        if row.where
    }
    statements = [
        structs.replace(one, digest=unit_at(units, (one.document,), one.where).digest) for one in book.not_covered
    ]
    return with_statements(with_rules(text, rules), statements)
