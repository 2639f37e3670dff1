"""What a phrase declares of its holes and of its table, and how each reads and is written.

The parser reads features with it, the phrasebook prints it, and scenes are written with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field as declared
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.capabilities import Capability
from loopspec.contract.mismatch import expect
from loopspec.contract.names import nearest

from .templates import filled, held_in, hole

Row = Mapping[str, str]
Table = list[dict[str, str]]
Rows = tuple[tuple[str, ...], ...]  # a table with its head, as a step has it
T_co = TypeVar("T_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
D = TypeVar("D")
V = TypeVar("V")
W = TypeVar("W")


class PhraseError(Exception):
    """A feature, or the phrasebook itself, is wrong: nothing an implementation could be blamed for."""


class NotWritable(Exception):
    """A value that no phrase says. `field` is the path of the value, in the end from the Scene."""

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason

    def within(self, path: str) -> NotWritable:
        """The same of a value that contains the value."""
        inner = self.field if not self.field or self.field.startswith("[") else f".{self.field}"
        return NotWritable(self.reason, f"{path}{inner}")


@contextmanager
def within(path: str) -> Iterator[None]:
    """Let a `NotWritable` name the path of the value that contains the value."""
    try:
        yield
    except NotWritable as error:
        raise error.within(path) from None


def each(field: str, values: Iterable[V], write: Callable[[V], W]) -> Iterator[W]:
    """Write each value of a field; a `NotWritable` names its place."""
    for at, value in enumerate(values):
        with within(f"{field}[{at}]"):
            yield write(value)


@dataclass(frozen=True, eq=False)
class OpenType(Generic[T_co]):
    """What a hole or a cell holds where the texts are too many to list. `pattern` is for the holes of this type.

    `write` returns the text of a value, and raises `NotWritable` for a value that has none.
    """

    name: str
    meaning: str
    example: str
    read: Callable[[str], T_co]
    write: Callable[[Any], str] = str  # Any: a value that `read` returns
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

    def write(self, value: object) -> str:
        """Return the text that stands for a value. Raises `NotWritable` for a value that no text stands for."""
        for word in self.words:
            if word.value == value:
                return word.text
        raise NotWritable(f"no phrase says {value!r}")

    def text_of(self, value: object) -> str:
        """Return the text that stands for a value; another value as it prints."""
        return next((word.text for word in self.words if word.value == value), str(value))


Holds = OpenType[T_co] | ClosedList[T_co]
CELL = hole("cell")  # what a cell holds, in the fields that its column fills


@dataclass(frozen=True, eq=False)
class Column(Generic[T_co]):
    """A column of a table. A `required` column must be there, and its cells are never empty where a list is closed."""

    name: str
    meaning: str
    holds: Holds[T_co]
    required: bool = declared(default=False, kw_only=True)

    @property
    def field(self) -> str:
        """The name of the column as that of a field."""
        return self.name.replace(" ", "_")

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
class FieldColumn(Column[T_co]):
    """A column whose cells fill a field of the contract, or several fields by their templates with the hole `CELL`.

    By default, it is the field of the column's name.
    """

    fills: str | Mapping[str, object] = ""

    @property
    def templates(self) -> Mapping[str, object]:
        """The fields that a cell fills, with their templates."""
        return {self.fills or self.field: CELL} if isinstance(self.fills, str) else self.fills

    def values(self, row: Row) -> Mapping[str, object]:
        """Return the fields that the row fills in this column; none for an empty cell."""
        text = self.text(row)
        return filled(dict(self.templates), {CELL.name: self.holds.read(text)}, {}) if text else {}

    def cell(self, value: Struct) -> str:
        """Return the cell that fills the fields of a value. Raises `NotWritable` for fields that no cell fills so."""
        wanted = {name: getattr(value, name) for name in self.templates}
        name = next(iter(wanted))
        held = held_in(dict(self.templates), wanted, {})
        if held is None:
            raise NotWritable(f"the column {self.name!r} does not say {wanted[name]!r}", name)
        with within(name):
            return self.holds.write(held[CELL.name])

    def is_default(self, value: Struct, default: Struct) -> bool:
        """Whether the fields of a value are those of an empty cell."""
        return all(getattr(value, name) == getattr(default, name) for name in self.templates)


@dataclass(frozen=True, eq=False)
class OwnColumn(FieldColumn[T_co]):
    """A column that fills its fields in a way of its own: `reads` a row, and `writes` the cell of a value.

    `blank`: an empty cell is the empty text, and not the default, so that a row has each cell.
    """

    reads: Callable[[Row], Mapping[str, object]] = declared(kw_only=True)
    writes: Callable[[Any], str] = declared(kw_only=True)  # Any: a value of the table's rows
    blank: bool = declared(default=False, kw_only=True)

    def values(self, row: Row) -> Mapping[str, object]:
        """Return the fields that the row fills."""
        return self.reads(row)

    def cell(self, value: Struct) -> str:
        """Return the cell of a value."""
        return self.writes(value)


@dataclass(frozen=True, eq=False)
class SeenColumn(Column[object], Generic[S_contra]):
    """A column of a Then; a table with the column needs the capability `needs`.

    `shows` is the field that it shows, by default that of its name, or returns the value that it shows.
    """

    shows: Callable[[S_contra], object] | str = ""
    needs: Capability = declared(default="", kw_only=True)

    def value(self, entry: S_contra) -> object:
        """Return what stands there for an entry that was seen."""
        return getattr(entry, self.shows or self.field) if isinstance(self.shows, str) else self.shows(entry)

    def wanted_text(self, cell: str) -> str:
        """Return a cell of the table in the form in which rows are compared."""
        return cell if isinstance(self.holds, ClosedList) else _compared(self.holds.read(cell))

    def seen_text(self, entry: S_contra) -> str:
        """Return the cell of an entry in the same form."""
        value = self.value(entry)
        return self.holds.text_of(value) if isinstance(self.holds, ClosedList) else _compared(value)


def _compared(value: object) -> str:
    """Return a value as text. The keys of a JSON object have no order."""
    return str(dict(sorted(value.items())) if isinstance(value, dict) else value)


C_co = TypeVar("C_co", bound=Column[object], covariant=True)
S = TypeVar("S", bound=Struct)


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
                close = nearest(name, self._columns)
                hint = f" (did you mean {close!r}?)" if close else ""
                raise PhraseError(f"{phrase!r} has no column {name!r}{hint}: it has {known}")
        if len(set(head)) < len(head):
            raise PhraseError(f"the table of {phrase!r} has a column twice: {', '.join(head)}")
        for column in self:
            if column.required and column.name not in head:
                raise PhraseError(f"{phrase!r} needs the column {column.name!r}: it has {known}")
        for row in table:
            for name in head:
                self._columns[name].check(phrase, row)


class BuiltColumns(Columns[FieldColumn[object]], Generic[S]):
    """The columns of a table whose rows are values of the contract. `default` is the value of an empty row."""

    def __init__(self, name: str, meaning: str, default: S, *columns: FieldColumn[object]) -> None:
        super().__init__(name, meaning, *columns)
        self._default = default

    def build(self, row: Row, **known: object) -> S:
        """Return the value of a row; `known` are fields that are read from elsewhere."""
        found: dict[str, Any] = {}  # Any: the values of fields
        for column in self:
            for name, value in column.values(row).items():
                before = found.get(name)
                found[name] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
        return replace(self._default, **{**found, **known})

    def read(self, table: Table) -> tuple[S, ...]:
        """Return the values of a table, one per row."""
        return tuple(map(self.build, table))

    def write(self, values: Sequence[S], known: Mapping[str, Sequence[str]] | None = None) -> Rows:
        """Return the table of values, with the columns that it needs; `known` are the cells of columns by name.

        Raises `NotWritable` for a value that no row says.
        """
        columns = [one for one in self if one.name not in (known or {})]
        rows = list(each("", values, lambda value: {one.name: self._cell(one, value) for one in columns}))
        for name, cells in (known or {}).items():
            rows = [row | {name: cell} for row, cell in zip(rows, cells, strict=True)]
        used = {one.name for one in self if not all(one.is_default(value, self._default) for value in values)}
        head = [one.name for at, one in enumerate(self) if at == 0 or one.required or one.name in used]
        return (tuple(head), *(tuple(row[name] for name in head) for row in rows))

    def _cell(self, column: FieldColumn[object], value: S) -> str:
        is_empty = not column.required and column.is_default(value, self._default)
        return "" if is_empty and not (isinstance(column, OwnColumn) and column.blank) else column.cell(value)


class SeenColumns(Columns[SeenColumn[S_contra]]):
    """The columns of a Then, which compares as many of them as its table has. With `named`, a line names each cell."""

    def __init__(self, name: str, meaning: str, *columns: SeenColumn[S_contra], named: bool = False) -> None:
        super().__init__(name, meaning, *columns)
        self._named = named

    def wanted(self, table: Table) -> list[str]:
        """Return the rows of the table, each on a line."""
        return [self._line({name: self[name].wanted_text(cell) for name, cell in row.items()}) for row in table]

    def seen(self, entries: Iterable[S_contra], names: Iterable[str]) -> list[str]:
        """Return what was seen in the columns with these names, each entry on a line."""
        columns = [self[name] for name in names]
        return [self._line({column.name: column.seen_text(entry) for column in columns}) for entry in entries]

    def compare(
        self, what: str, table: Table, entries: Iterable[S_contra], *, sort: bool = False, hint: str = ""
    ) -> None:
        """Raise `Mismatch` unless the entries are the rows of the table; with `sort`, in any order."""
        wanted, found = self.wanted(table), self.seen(entries, table[0])
        expect(what, sorted(wanted) if sort else wanted, sorted(found) if sort else found, hint)

    def _line(self, cells: Row) -> str:
        named = (f"{name}: {cell}" for name, cell in cells.items())
        return ", ".join(named) if self._named else " | ".join(cells.values())
