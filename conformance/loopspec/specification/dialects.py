"""The dialects that have a value of an axis of instruction files."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ..contract.dialects import Choice, Dialect, as_observed, dialect, dialect_names


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
