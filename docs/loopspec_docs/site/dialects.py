"""The dialects of instruction files for the site: the matrix of dialects and axes, and a page for each dialect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from loopspec.contract.dialects import (
    Axis,
    AxisValue,
    Choice,
    Dialect,
    Holder,
    dialect,
    dialect_names,
    holders,
    instruction_axes,
    tool_dialect,
    value_of_rule,
)
from loopspec.specification.cases import area_of
from loopspec.specification.order import topic
from loopspec_instructions.skills import questions, skill_dialects
from loopspec_instructions.touch import touch_dialects, touch_questions

State = Literal["documented", "measured", "unknown", "none"]

# What a state means, in the order of the legend.
STATES: Mapping[State, str] = {
    "documented": "the document of the tool states the value",
    "measured": "the document is silent, and the value was measured with the named version",
    "unknown": "the document is silent, and the tool was not measured",
    "none": "the question does not concern the tool",
}


class Cell(Struct, frozen=True):
    """A dialect on an axis. Targets of the dialect are judged by `value`; the tool does `observed` instead."""

    name: str
    dialect: Dialect
    state: State
    choice: Choice
    value: AxisValue | None = None
    observed: AxisValue | None = None

    @property
    def address(self) -> str:
        """The page of the dialect."""
        return dialect_address(self.name)


class AxisRow(Struct, frozen=True):
    """An axis with a cell for each dialect."""

    name: str
    axis: Axis
    cells: tuple[Cell, ...]

    def of(self, dialect: str) -> Cell:
        """The cell of a dialect."""
        return next(cell for cell in self.cells if cell.name == dialect)


class AxisGroup(Struct, frozen=True):
    """The axes whose rules are in one area."""

    area: str
    topic: str
    rows: tuple[AxisRow, ...]


def dialect_address(name: str) -> str:
    """The page of a dialect in the site: a dialect as observed is on the page of its tool."""
    return f"dialects/{tool_dialect(name)}.html"


def axis_address(name: str) -> str:
    """An axis, on the page of all dialects."""
    return f"dialects.html#{name}"


@cache
def dialects() -> dict[str, Dialect]:
    """Every dialect by its name: the judged ones first."""
    found = {name: dialect(name) for name in dialect_names()}
    return dict(sorted(found.items(), key=lambda item: not item[1].judged))


@cache
def axis_groups() -> tuple[AxisGroup, ...]:
    """Every axis, in the order of the file, by area."""
    by_area: dict[str, list[AxisRow]] = {}
    for name, axis in instruction_axes().items():
        area = area_of(next(iter(axis.values.values())).rule)
        cells = tuple(_cell(each, known, name, axis) for each, known in dialects().items())
        by_area.setdefault(area, []).append(AxisRow(name, axis, cells))
    return tuple(AxisGroup(area, topic(area), tuple(rows)) for area, rows in by_area.items())


def answers() -> dict[str, tuple[Mapping[str, Axis], Mapping[str, Dialect]]]:
    """Questions that no rule judges, and the tools that answer them, by the place on the page of the dialects."""
    return {"on-touch": (touch_questions(), touch_dialects()), "skills": (questions(), skill_dialects())}


def _cell(name: str, known: Dialect, axis: str, of: Axis) -> Cell:
    choice = known.axes.get(axis)
    if choice is None:
        return Cell(name, known, "none", Choice())
    state: State = "documented" if choice.documented else "measured" if choice.measured else "unknown"
    return Cell(name, known, state, choice, of.values.get(choice.judged), of.values.get(choice.observed))


def holders_of_rule(rule: str) -> tuple[str, tuple[Holder, ...]] | None:
    """The axis whose value a rule judges, and the dialects with the value; None for a rule of another kind."""
    if rule not in value_of_rule():
        return None
    axis, value = value_of_rule()[rule]
    return axis, holders(axis, value)
