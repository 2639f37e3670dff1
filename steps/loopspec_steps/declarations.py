"""What a phrase declares of its holes and of its table. The parser reads features with it, the phrasebook prints it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import parse

Row = Mapping[str, str]
Table = list[dict[str, str]]
T_co = TypeVar("T_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
D = TypeVar("D")

_HOLE = re.compile(r'"?\{(\w+)(?::\w+)?\}"?')


class PhraseError(Exception):
    """A feature, or the phrasebook itself, is wrong: nothing an implementation could be blamed for."""


@dataclass(frozen=True, eq=False)
class OpenType(Generic[T_co]):
    """What a hole or a cell holds where the texts are too many to list. `pattern` is for the holes of this type."""

    name: str
    meaning: str
    example: str
    read: Callable[[str], T_co]
    pattern: str | None = None


@dataclass(frozen=True, eq=False)
class Word(Generic[T_co]):
    """A text of a closed list; `value` is what the text stands for."""

    text: str
    meaning: str
    value: T_co


class ClosedList(Generic[T_co]):
    """Texts of which a hole or a cell holds exactly one."""

    def __init__(self, name: str, meaning: str, *words: Word[T_co]) -> None:
        self.name = name
        self.meaning = meaning
        self.words = words
        self._by_text = {word.text: word for word in words}

    @property
    def pattern(self) -> str:
        """The regular expression of all texts."""
        return "|".join(re.escape(text).replace(r"\ ", " ") for text in self._by_text)

    def read(self, text: str) -> T_co:
        """Return what a text stands for. Raises `PhraseError` for a text that is not in the list."""
        if text not in self._by_text:
            raise PhraseError(f"{text!r} is none of {', '.join(map(repr, self._by_text))}")
        return self._by_text[text].value

    def text_of(self, value: object) -> str:
        """Return the text that stands for a value; another value as it prints."""
        return next((word.text for word in self.words if word.value == value), str(value))


Holds = OpenType[T_co] | ClosedList[T_co]


@dataclass(frozen=True, eq=False)
class Column(Generic[T_co]):
    """A column of a table. A `required` column must be there, and its cells are never empty where a list is closed."""

    name: str
    meaning: str
    holds: Holds[T_co]
    required: bool = field(default=False, kw_only=True)

    def text(self, row: Row) -> str:
        """Return the text of the cell, empty where the column is missing."""
        return row.get(self.name, "")

    def of(self, row: Row, default: D) -> T_co | D:
        """Return what the cell stands for; `default` where the cell is empty or the column is missing."""
        text = self.text(row)
        return self.holds.read(text) if text else default

    def read(self, row: Row) -> T_co:
        """Return what the cell of a required column stands for."""
        return self.holds.read(row[self.name])

    def check(self, phrase: str, row: Row) -> None:
        """Raise `PhraseError` where a cell is not in the column's closed list."""
        text = row.get(self.name)
        if text is None or not isinstance(self.holds, ClosedList) or not (text or self.required):
            return
        try:
            self.holds.read(text)
        except PhraseError as error:
            raise PhraseError(f"{error}: the column {self.name!r} of {phrase!r}") from None


@dataclass(frozen=True, eq=False)
class SeenColumn(Column[object], Generic[S_contra]):
    """A column of a Then; `shows` returns what stands there for an entry that was seen."""

    shows: Callable[[S_contra], object]

    def wanted_text(self, cell: str) -> str:
        """Return a cell of the table in the form in which rows are compared."""
        return cell if isinstance(self.holds, ClosedList) else _compared(self.holds.read(cell))

    def seen_text(self, entry: S_contra) -> str:
        """Return the cell of an entry in the same form."""
        value = self.shows(entry)
        return self.holds.text_of(value) if isinstance(self.holds, ClosedList) else _compared(value)


def _compared(value: object) -> str:
    """Return a value as text. The keys of a JSON object have no order."""
    return str(dict(sorted(value.items())) if isinstance(value, dict) else value)


C_co = TypeVar("C_co", bound=Column[object], covariant=True)


class Columns(Generic[C_co]):
    """The columns of a table. Several phrases may share them."""

    def __init__(self, name: str, meaning: str, *columns: C_co) -> None:
        self.name = name
        self.meaning = meaning
        self._columns: Mapping[str, C_co] = {column.name: column for column in columns}

    def __iter__(self) -> Iterator[C_co]:
        return iter(self._columns.values())

    def __getitem__(self, name: str) -> C_co:
        return self._columns[name]

    def check(self, phrase: str, head: Sequence[str], table: Table) -> None:
        """Raise `PhraseError` for an unknown, repeated or missing column, and for a cell outside a closed list."""
        known = ", ".join(self._columns)
        for name in head:
            if name not in self._columns:
                raise PhraseError(f"{phrase!r} has no column {name!r}{_nearest(name, self._columns)}: it has {known}")
        if len(set(head)) < len(head):
            raise PhraseError(f"the table of {phrase!r} has a column twice: {', '.join(head)}")
        for column in self:
            if column.required and column.name not in head:
                raise PhraseError(f"{phrase!r} needs the column {column.name!r}: it has {known}")
        for row in table:
            for name in head:
                self._columns[name].check(phrase, row)


class SeenColumns(Columns[SeenColumn[S_contra]]):
    """The columns of a Then, which compares as many of them as its table has. With `named`, a line names each cell."""

    def wanted(self, table: Table, *, named: bool = False) -> list[str]:
        """Return the rows of the table, each on a line."""
        return [_line({name: self[name].wanted_text(cell) for name, cell in row.items()}, named) for row in table]

    def seen(self, entries: Iterable[S_contra], names: Iterable[str], *, named: bool = False) -> list[str]:
        """Return what was seen in the columns with these names, each entry on a line."""
        columns = [self[name] for name in names]
        return [_line({column.name: column.seen_text(entry) for column in columns}, named) for entry in entries]


def _line(cells: Row, named: bool) -> str:
    return ", ".join(f"{name}: {cell}" for name, cell in cells.items()) if named else " | ".join(cells.values())


@dataclass(frozen=True, eq=False)
class Clause(Generic[T_co]):
    """A part of a step with holes of its own: an action, a gate, a moment. `reads` receives the values of the holes.

    `holds` is what the holes hold whose names do not say it.
    """

    sentence: str
    meaning: str
    reads: Callable[..., T_co]
    holds: Mapping[str, Holds[object]] = field(default_factory=dict, kw_only=True)

    @cached_property
    def _parser(self) -> parse.Parser:
        import parse  # needed to compile features only

        return parse.compile(self.sentence, case_sensitive=True)

    @property
    def readable(self) -> str:
        """The sentence without the types of its holes."""
        return re.sub(r"\{(\w+):\w+\}", r"{\1}", self.sentence)

    def holes(self, text: str) -> Mapping[str, str | int] | None:
        """Return the values of the holes, or None for another sentence. Only a last hole may hold quotes."""
        if not text.startswith(self.sentence.partition("{")[0]):
            return None
        found = self._parser.parse(text)
        if found is None:
            return None
        values: Mapping[str, str | int] = found.named
        quoted = any(isinstance(value, str) and '"' in value for value in values.values())
        return None if quoted and not self.sentence.endswith("}") else values


K = TypeVar("K", bound=Clause[object])


def clause_of(text: str, clauses: Sequence[K], what: str) -> tuple[K, Mapping[str, str | int]]:
    """Return the clause that a text is, and the values of its holes. Raises `PhraseError` with the nearest one."""
    for clause in clauses:
        if (holes := clause.holes(text)) is not None:
            return clause, holes
    sentences = {_HOLE.sub('""', clause.sentence): clause.readable for clause in clauses}
    close = _closest(re.sub(r'"[^"]*"', '""', text), sentences)
    raise PhraseError(
        f"{text!r} is no {what}: the nearest {what} is {sentences[close]!r}; `loopspec phrases` lists every {what}"
    )


def _nearest(name: str, known: Iterable[str]) -> str:
    from loopspec.contract.names import nearest  # needed for mistakes only

    close = nearest(name, known)
    return f" (did you mean {close!r}?)" if close else ""


def _closest(text: str, known: Iterable[str]) -> str:
    """The known text that is most like this one, however little."""
    from loopspec.contract.names import alike  # likewise

    return max(known, key=lambda one: alike(text, one))
