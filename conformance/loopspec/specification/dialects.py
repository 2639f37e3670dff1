"""Rules about instruction files: normative in a dialect whose document states them; the dialects that have a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from msgspec import Struct

from ..contract.axes import Postures, dialect_of
from ..contract.dialects import Choice, Dialect, as_observed, dialect, dialect_names, value_of_rule
from .cases import Case


def in_dialect(cases: Iterable[Case], postures: Postures) -> list[Case]:
    """The cases, those about instruction files with the basis that their rule has in the dialect of a target."""
    return [
        replace(case, rule=replace(case.rule, basis="documented"))
        if case.roles == ("workspace",) and is_documented(case.rule.ids, postures)
        else case
        for case in cases
    ]


def is_documented(rules: Sequence[str], postures: Postures) -> bool:
    """Whether the document of a target's dialect states the value that the first of these rules judges."""
    if not rules or rules[0] not in value_of_rule():
        return False
    axis, value = value_of_rule()[rules[0]]
    choice = dialect_of(postures).axes.get(axis)
    return choice is not None and choice.documented == value


class Holder(Struct, frozen=True):
    """A dialect that has a value, and what is known of its axis.

    `how`: the document of the tool states the value, or the value was measured. A tool with an observed value has the
    value in spite of its document.
    """

    name: str
    dialect: Dialect
    choice: Choice
    how: Literal["documented", "measured", "observed"]

    @property
    def judged_as(self) -> str:
        """The name of the dialect in which a target is judged by the value."""
        return as_observed(self.name) if self.how == "observed" else self.name


def holders(axis: str, value: str) -> tuple[Holder, ...]:
    """The dialects that have a value of an axis of instruction files, in the order of the alphabet."""
    found = []
    for name in dialect_names():
        known = dialect(name)
        choice = known.axes.get(axis)
        if choice is None or value not in (choice.documented, choice.measured, choice.observed):
            continue
        how: Literal["documented", "measured", "observed"] = "measured"
        if choice.documented:
            how = "documented" if choice.documented == value else "observed"
        found.append(Holder(name, known, choice, how))
    return tuple(found)
