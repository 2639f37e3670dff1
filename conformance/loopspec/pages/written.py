"""The text of a feature as it is written: its rules with their examples, tables and docstrings."""

from __future__ import annotations

from msgspec import Struct

Cells = tuple[str, ...]


class WrittenStep(Struct, frozen=True):
    """A step with its table and docstring. `keyword` is as written, `And` included."""

    keyword: str
    text: str
    line: int
    table: tuple[Cells, ...] = ()
    docstring: str | None = None


class Rows(Struct, frozen=True):
    """The `Examples:` of an outline: the first row is the head."""

    name: str
    table: tuple[Cells, ...]


class Scenario(Struct, frozen=True):
    """A scenario or an outline. `keyword` is the one it is written with."""

    keyword: str
    title: str
    prose: tuple[str, ...]
    line: int
    steps: tuple[WrittenStep, ...]
    examples: tuple[Rows, ...]

    @property
    def holes(self) -> tuple[str, ...]:
        """The columns of its examples, which fill the holes of the same names."""
        return tuple(dict.fromkeys(name for rows in self.examples for name in rows.table[0]))


class WrittenRule(Struct, frozen=True):
    """A `Rule:`. `background` is its own one, without that of its feature."""

    ids: tuple[str, ...]
    sentence: str
    prose: tuple[str, ...]
    line: int
    background: tuple[WrittenStep, ...]
    scenarios: tuple[Scenario, ...]


class Feature(Struct, frozen=True):
    """A feature file: its prose by paragraphs, and its rules in their order."""

    file: str
    title: str
    prose: tuple[str, ...]
    background: tuple[WrittenStep, ...]
    rules: tuple[WrittenRule, ...]
