"""Proposed rows are merged into the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from loopspec.specification.ledger import Ledger, NotCovered

from .address import NO_SENTENCE, section_of
from .checking import Units, documents_of, sections_of, unit_at
from .forms import AddressError
from .ledger_text import with_decisions, with_rules, with_sections, with_statements


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """The address and the statement of a rule, or a note that the document has no sentence for the rule."""

    where: str = ""
    says: str = ""
    no_sentence: bool = False

    def __post_init__(self) -> None:
        if {bool(self.where), bool(self.says)} != {not self.no_sentence}:
            raise ValueError("a rule has `where` and `says`, or `no_sentence = true`")


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """A statement that no rule covers, with the reason."""

    document: str
    where: str
    says: str
    why: str


class Proposed(NamedTuple):
    """The proposed rows: those of rules, and statements by document and address."""

    rules: Mapping[str, Said]
    statements: Mapping[tuple[str, str], list[Statement]]


def read_proposed(paths: Iterable[Path]) -> Proposed:
    """The rows of files that have one table for each rule, or `[[not_covered]]`.

    Raises `AddressError` for another form, and for two different rows of one rule. A unit may make several statements.
    """
    rules: dict[str, Said] = {}
    statements: dict[tuple[str, str], list[Statement]] = {}
    for path in paths:
        try:
            tables = msgspec.toml.decode(path.read_bytes(), type=dict[str, Said | list[Statement]])
        except (OSError, msgspec.MsgspecError) as error:
            raise AddressError(f"{path}: {error}") from None
        for name, value in tables.items():
            if isinstance(value, Said):
                if rules.setdefault(name, value) != value:
                    raise AddressError(f"{path}: {name} has a different row in another file")
                continue
            for one in value:
                same = statements.setdefault((one.document, one.where), [])
                same += [] if one in same else [one]
    return Proposed(rules, statements)


def with_their_sections(text: str, units: Units, book: Ledger, proposed: Proposed) -> str:
    """The ledger with the section of each proposed address first among the sections of its rule."""
    home = {unit.where: (name, unit.section) for name, own in units.items() for unit in own}
    sections = {}
    for rule, said in proposed.rules.items():
        row, (document, section) = book.rules.get(rule), home.get(said.where, ("", ""))
        if row and section and section not in sections_of(row):
            own = {row.document: row.sections, **row.also}
            sections[rule] = {**own, document: (section, *own.get(document, ()))}
    return with_sections(text, sections)


def merged(text: str, units: Units, book: Ledger, proposed: Proposed) -> str:
    """The ledger with the proposed rows. Raises `AddressError` with all rejected rows."""
    rejected = list(_rejections(units, book, proposed))
    if rejected:
        raise AddressError("\n".join(rejected))
    rules = {
        rule: {
            "where": said.where,
            "says": said.says,
            "digest": unit_at(units, documents_of(book.rules[rule]), said.where).digest,
        }
        for rule, said in proposed.rules.items()
        if said.where
    }
    decisions = {
        rule: f"{NO_SENTENCE} {book.rules[rule].decision}"
        for rule, said in proposed.rules.items()
        if said.no_sentence and not book.rules[rule].decision.startswith(NO_SENTENCE)
    }
    statements = [
        NotCovered(name, unit.section, unit.where, unit.digest, one.says, one.why)
        for name, own in units.items()
        for unit in own
        for one in proposed.statements.get((name, unit.where), ())
    ]
    return with_statements(with_decisions(with_rules(text, rules), decisions), statements)


def _rejections(units: Units, book: Ledger, proposed: Proposed) -> Iterator[str]:
    for rule, said in proposed.rules.items():
        row = book.rules.get(rule)
        if row is None:
            yield f"{rule}: the ledger has no such rule"
        elif said.no_sentence:
            if row.where or row.status == "scenario" or not row.decision:
                yield f"{rule}: `no_sentence` is for rules with a decision, and with neither a scenario nor an address"
        elif section_of(said.where, sections_of(row)) is None:
            yield f"{rule}: {said.where!r} is no address in a section of the rule (see --add-sections)"
        else:
            yield from _missing(rule, units, documents_of(row), said.where)
    for document, where in proposed.statements:
        yield from _missing(f"not_covered in {document}", units, (document,), where)


def _missing(name: str, units: Units, documents: tuple[str, ...], where: str) -> Iterator[str]:
    try:
        unit_at(units, documents, where)
    except AddressError as error:
        yield f"{name}: {error}"
