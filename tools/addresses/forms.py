"""The declared structure of the documents, and the lines of a document by their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

FORMS = Path(__file__).with_name("forms.toml")
LETTERS = frozenset("hpitTkKvcf+-")


class AddressError(Exception):
    """The documents, their declared structure, the ledger or the proposed rows do not fit each other."""


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """The structure of one document: see the head of forms.toml."""

    file: str
    parts: tuple[tuple[str, int, str], ...]
    cuts: dict[int, tuple[int, ...]] = {}


class Piece(Struct, frozen=True):
    """A line or a part of a line, with its letter and its section."""

    section: str
    line: int
    letter: str
    text: str


def load_forms(path: Path = FORMS) -> dict[str, Form]:
    """The structure of every document."""
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, Form], strict=False)


def check_sections(forms: Mapping[str, Form], sections: Mapping[str, Mapping[str, str]]) -> None:
    """Raise `AddressError` unless the forms cover exactly the ledger's documents and their sections."""
    if set(forms) != set(sections):
        raise AddressError(f"documents of the ledger and of the forms differ: {sorted(set(forms) ^ set(sections))}")
    for document, form in forms.items():
        differ = {section for section, _, _ in form.parts} ^ set(sections[document])
        if differ:
            raise AddressError(f"{document}: sections of the ledger and of the forms differ: {sorted(differ)}")


def pieces(form: Form, text: str) -> list[Piece]:
    """Every line of the document with its letter, cut where the form declares.

    Raises `AddressError` for letters that are unknown, too many or too few, and for a part that does not begin at its
    line.
    """
    cut = _cut(text.splitlines(), form.cuts)
    found: list[Piece] = []
    for section, line, letters in form.parts:
        unknown = set(letters) - LETTERS
        if unknown:
            raise AddressError(f"{section!r}: unknown letters {sorted(unknown)}")
        mine = cut[len(found) : len(found) + len(letters)]
        if len(mine) < len(letters):
            raise AddressError(f"{section!r}: the document ends {len(letters) - len(mine)} pieces too early")
        if not mine or mine[0][0] != line:
            raise AddressError(f"{section!r}: begins at line {mine[0][0] if mine else None}, declared is {line}")
        found += [Piece(section, at, letter, text) for letter, (at, text) in zip(letters, mine, strict=True)]
    if len(found) < len(cut):
        raise AddressError(f"the document has {len(cut) - len(found)} pieces more than declared")
    _check_blanks(found)
    return found


def _cut(lines: Sequence[str], cuts: Mapping[int, tuple[int, ...]]) -> list[tuple[int, str]]:
    """Pieces with their line numbers."""
    found = []
    for number, line in enumerate(lines, 1):
        columns = (0, *cuts.get(number, ()), len(line))
        if list(columns) != sorted(set(columns)) and line:
            raise AddressError(f"line {number}: columns {columns[1:-1]} are not columns of the line, in their order")
        found += [(number, line[a:b]) for a, b in pairwise(columns)]
    missing = [number for number in cuts if number > len(lines)]
    if missing:
        raise AddressError(f"cuts of lines that the document does not have: {missing}")
    return found


def _check_blanks(found: Sequence[Piece]) -> None:
    """Check that no letter is declared for an empty piece, which shows that a line is missing."""
    for piece in found:
        if not piece.text.strip() and piece.letter != "-":
            raise AddressError(f"{piece.section!r}: line {piece.line} is empty, declared is {piece.letter!r}")
