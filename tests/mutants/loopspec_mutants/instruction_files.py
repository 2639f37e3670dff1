"""Mutants of the rules of instruction files: the reference with another value on one axis than its dialect has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

from loopspec import Target, WorkspaceReading
from loopspec.contract.axes import declared_dialect
from loopspec.contract.capabilities import Role
from loopspec.contract.dialects import (
    Dialect,
    dialect,
    dialect_names,
    instruction_axes,
    observed_dialect_names,
)
from loopspec.contract.harness import HarnessStage
from loopspec.targets.python import PythonTarget
from loopspec.targets.reference import Reference, dialects
from loopspec.targets.reference.workspaces import read_workspace
from loopspec_reference.instruction_files import Dialect as Reader

from .registry import MUTANTS, Mutant, MutantTarget

# The wrong values of the axes whose values are numbers and names. Every other axis has the next value of the axis.
_WRONG_DATA: Mapping[str, Mapping[str, object]] = {
    "budget": {"budget": 32_769},
    "import-depth": {"import_depth": 6},
    "names": {"file_names": (("INSTRUCTIONS.md",),)},
    "global-file": {"global_files": (("INSTRUCTIONS.md",),)},
}


@dataclass(frozen=True)
class Misread(Mutant):
    """A reader with a wrong value on one axis, in a dialect with the right one."""

    axis: str = ""
    value: str = ""

    @property
    def roles(self) -> frozenset[Role]:
        """The role of a reader."""
        return frozenset({"workspace"})

    @property
    def sentence(self) -> str:
        """What the mutant does wrong."""
        return f"Reads instruction files with another value than {self.value} on the axis {self.axis}."

    @property
    def dialect(self) -> str:
        """The first dialect with the right value, as observed only if no document has the value."""
        names = (*dialect_names(), *observed_dialect_names())
        return next(name for name in names if dialect(name).value(self.axis) == self.value)

    def target(self) -> MutantTarget:
        """Return the mutant as a target."""
        return _MisreadTarget(self)


class _MisreadTarget(MutantTarget):
    """The reference in the dialect of the mutant."""

    def __init__(self, mutant: Misread) -> None:
        super().__init__(mutant)
        self._target = PythonTarget(Reference, mutant.name, mutant.dialect)
        self.postures = declared_dialect(mutant.dialect)
        self._misread = mutant

    def perform(self, stage: HarnessStage) -> None:
        """Perform the scene with the wrong value."""
        with self._misread.bug():
            self._target.perform(stage)

    def rebuilt(self) -> Target:
        """Return a new target of the same mutant."""
        return _MisreadTarget(self._misread)


def _misreading(axis: str, value: str) -> AbstractContextManager[object]:
    """Patch the reader of every dialect."""
    if (axis, value) == ("order", "as-configured"):  # a reader of configured files has no other order
        return patch.object(Reference, "read_workspace", _read_backward)

    def wrong(name: str, *, observed: bool = False) -> Reader:
        known: Dialect = dialect(name)
        values = {each: choice.judged for each, choice in known.axes.items()}
        if axis in _WRONG_DATA:
            return dialects.reader_with(values, {**known.reader, **_WRONG_DATA[axis]})
        return dialects.reader_with({**values, axis: wrong_value(axis, value)}, known.reader)

    return patch.object(dialects, "reader_of", wrong)


def _read_backward(self: Reference, cwd: Path, home: Path, configured: Sequence[str]) -> WorkspaceReading:
    return read_workspace(self.dialect, cwd, home, configured[::-1])


def wrong_value(axis: str, value: str) -> str:
    """The value after this one in the list of an axis."""
    values = [*instruction_axes()[axis].values]
    return values[(values.index(value) + 1) % len(values)]


def _enter_all() -> None:
    for axis, of in instruction_axes().items():
        for value, one in of.values.items():
            name = f"{axis}-not-{value}"
            MUTANTS[name] = Misread(name, one.rule, partial(_misreading, axis, value), axis=axis, value=value)


_enter_all()
