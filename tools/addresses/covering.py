"""The list of the units of the documents, each with its digest and its rules or its reason: `covered.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from .checking import Units
from .units import digest_of

COVERED = Path(__file__).with_name("covered.toml")


class Line(NamedTuple):
    """A unit in the list: its digest, and the rules that state it or its class."""

    document: str
    section: str
    where: str
    digest: str
    by: tuple[str, ...]


class Class(Struct, frozen=True, forbid_unknown_fields=True):
    """Units without a statement: the reason, the places of such units, and their texts if these are known."""

    why: str
    places: str
    texts: tuple[str, ...] = ()

    def has(self, unit: Line) -> bool:
        """Whether a unit can be of this class. A group in the pattern of the place is a text of the unit."""
        place = re.fullmatch(f"{re.escape(unit.section)}, (?:{self.places})", unit.where)
        texts = (*self.texts, *place.groups()) if place else ()
        return place is not None and (not texts or unit.digest in map(digest_of, texts))


class Covered(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole list: see the head of covered.toml."""

    classes: dict[str, Class]
    units: dict[str, dict[str, dict[str, str]]]

    def lines(self) -> Iterator[Line]:
        """Every unit in the list."""
        for document, sections in self.units.items():
            for section, own in sections.items():
                for place, text in own.items():
                    digest, *by = text.split(" ")
                    yield Line(document, section, f"{section}, {place}", digest, tuple(by))


def load_covered(path: Path = COVERED) -> Covered:
    """The list of the units."""
    return msgspec.toml.decode(path.read_bytes(), type=Covered)


def changes(covered: Covered, units: Units) -> Iterator[str]:
    """One line for each unit that only the list or only the documents have, and for each other digest."""
    listed = {(unit.document, unit.where): unit.digest for unit in covered.lines()}
    found = {(name, unit.where): unit.digest for name, own in units.items() for unit in own}
    for name, where in {**found, **listed}:
        old, new = listed.get((name, where)), found.get((name, where))
        if old != new:
            yield f"{where}: digest {old!r} in the list, the document {name} has {new!r}"


def with_units(text: str, covered: Covered, units: Units) -> str:
    """The list with the units of the documents and their digests: classes and rules stay with their addresses."""
    by = {(unit.document, unit.where): unit.by for unit in covered.lines()}
    written = [text.partition("\n[units.")[0].rstrip()]
    for name, own in units.items():
        for section in dict.fromkeys(unit.section for unit in own):
            written.append(f'\n[units.{name}."{section}"]')
            for unit in (unit for unit in own if unit.section == section):
                place = unit.where.removeprefix(f"{section}, ")
                written.append(f"'{place}' = \"{' '.join((unit.digest, *by.get((name, unit.where), ())))}\"")
    return "\n".join(written) + "\n"
