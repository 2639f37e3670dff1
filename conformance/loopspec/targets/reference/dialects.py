"""The dialects of instruction files as the reference reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from loopspec_reference.instruction_files import Dialect as Reader

from ...contract.dialects import UNKNOWN, Choice, dialect, instruction_axes


@cache
def reader_of(name: str, *, observed: bool = False) -> Reader:
    """The dialect of a name, as its tool's document has it; `observed`: as the tool has it where it differs.

    On an axis on which the tool's behavior is not known, and on one that does not concern the dialect, the reader has
    the first value of the axis, or `none`.
    """
    known = dialect(name)
    values = {axis: _value(axis, known.axes.get(axis), observed=observed) for axis in instruction_axes()}
    return reader_with(values, known.reader)


def reader_with(values: Mapping[str, str], details: Mapping[str, object]) -> Reader:
    """The reader with these values by axis, and these details of the texts around files and imports."""
    fields = {axis.replace("-", "_"): value for axis, value in values.items() if axis not in _DATA}
    data = {axis: instruction_axes()[axis].values.get(value) for axis, value in values.items() if axis in _DATA}
    names, paths, budget, depth = (data[axis] for axis in _DATA)
    found = {
        "file_names": names.names if names else (),
        "global_files": (paths.paths,) if paths and paths.paths else (),
        "budget": budget.number if budget else 0,
        "import_depth": depth.number if depth else 0,
    }
    return msgspec.convert({**fields, **found, **details}, Reader)


# The axes whose values are names, paths and numbers.
_DATA = ("names", "global-file", "budget", "import-depth")


def _value(axis: str, choice: Choice | None, *, observed: bool) -> str:
    if choice is None:
        return "none"
    value = choice.actual if observed else choice.judged
    return next(iter(instruction_axes()[axis].values)) if value == UNKNOWN else value
