"""The units of a document: each sentence, list item, table cell, line of code and figure, with its address."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from .forms import FORMS, AddressError, Form, Piece, check_sections, load_forms, pieces

_MARK = re.compile(r"(?:[-•]|\d+\.)\s+")  # the mark of a list item
_CONTINUABLE = {"+": "hpiKkf", "v": "Kk"}
_STOP = re.compile(r"[.!?]\s+(?=\S)")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs)|\b[^\W\d_])\.$", re.IGNORECASE)
_OPENING = "\"'“‘`([{<"


class _Block(Struct):
    """A heading, a paragraph, an item, a row of a table, a line of code or a figure; a row has a text for each cell."""

    section: str
    letter: str
    texts: list[str]


class Unit(Struct, frozen=True):
    """One statement of a document; `where` is its address."""

    section: str
    where: str
    text: str

    @property
    def digest(self) -> str:
        """The first 12 hex digits of the SHA-256 of the text."""
        return digest_of(self.text)


def digest_of(text: str) -> str:
    """The first 12 hex digits of the SHA-256 of the text, its white space normalized."""
    return hashlib.sha256(normalized(text).encode()).hexdigest()[:12]


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


def read_units(folder: Path, sections: Mapping[str, Mapping[str, str]], forms: Path = FORMS) -> dict[str, list[Unit]]:
    """The units of every document in a folder. `sections` are those of the ledger.

    Raises `AddressError` if the forms fit neither the ledger nor the files.
    """
    declared = load_forms(forms)
    check_sections(declared, sections)
    return {document: units_of(form, _read(folder, form)) for document, form in declared.items()}


def _read(folder: Path, form: Form) -> str:
    files = sorted(folder.glob(f"{form.file}*"))
    if len(files) != 1:
        raise AddressError(f"{folder}: {len(files)} files begin with {form.file!r}; one is expected")
    return files[0].read_text(encoding="utf-8")


def units_of(form: Form, text: str) -> list[Unit]:
    """The units of a document, in its order.

    Raises `AddressError` if the form does not fit, or two units have one address.
    """
    found = list(_Walk().units(_blocks(pieces(form, text))))
    twice = {unit.where for unit in found if sum(other.where == unit.where for other in found) > 1}
    if twice:
        raise AddressError(f"more than one unit has the address {sorted(twice)}")
    return found


def _blocks(found: Sequence[Piece]) -> list[_Block]:
    """The pieces with text, each with its continuations; a row of a flattened table has its cells."""
    blocks: list[_Block] = []
    for piece in found:
        if piece.letter == "-":
            continue
        if piece.letter not in "+v":
            blocks.append(_Block(piece.section, piece.letter, [piece.text]))
            continue
        last = blocks[-1] if blocks else None
        if last is None or last.section != piece.section or last.letter not in _CONTINUABLE[piece.letter]:
            raise AddressError(f"{piece.section!r}: line {piece.line} has nothing to continue")
        if piece.letter == "v":
            last.texts.append(piece.text)
        else:
            last.texts[-1] += f"\n{piece.text}"
    return blocks


class _Walk:
    """Counts the units of a section, and keeps the header of the current table."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.header: list[str] = []

    def units(self, blocks: Iterable[_Block]) -> Iterator[Unit]:
        """The units of all blocks; headings have none."""
        for block in blocks:
            text = normalized(block.texts[0])
            match block.letter:
                case "p":
                    yield from self._sentences(block, f"¶{self._next(block)}", text)
                case "i":
                    yield from self._sentences(block, f"item {self._next(block)}", _MARK.sub("", text, count=1))
                case "c":
                    yield _unit(block, f"code line {self._next(block)}", text)
                case "f":
                    yield _unit(block, f"figure {self._next(block)}", text)
                case "T" | "t":
                    yield from self._row(block, text.strip("| ").split("|"))
                case "K" | "k":
                    yield from self._row(block, block.texts)

    def _next(self, block: _Block) -> int:
        key = block.section, block.letter
        self.counts[key] += 1
        return self.counts[key]

    def _sentences(self, block: _Block, place: str, text: str) -> Iterator[Unit]:
        """One unit for each sentence; an item of one sentence is one unit."""
        found = sentences(text)
        for number, sentence in enumerate(found, 1):
            whole = block.letter == "i" and len(found) == 1
            yield _unit(block, place if whole else f"{place}, sentence {number}", sentence)

    def _row(self, block: _Block, texts: Iterable[str]) -> Iterator[Unit]:
        """One unit for each cell, including those of the header."""
        cells = [normalized(text) for text in texts]
        if block.letter in "TK":
            self.header = cells
        if len(cells) != len(self.header):
            raise AddressError(f"{block.section!r}: row {cells[0]!r} has {len(cells)} cells under {self.header}")
        for cell, column in zip(cells, self.header, strict=True):
            yield _unit(block, f'row "{cells[0]}" × "{column}"', cell)


def _unit(block: _Block, place: str, text: str) -> Unit:
    return Unit(block.section, f"{block.section}, {place}", text)
