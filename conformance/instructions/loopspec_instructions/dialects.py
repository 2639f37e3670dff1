"""The dialects of instruction files as the reference reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from loopspec.contract.dialects import NOT_CONCERNED, UNKNOWN, AxisValue, dialect, instruction_axes

from .reader import Dialect as Reader

# The fields of a reader that are choices, by the names of their axes.
_CHOICES: Mapping[str, tuple[str, ...]] = {
    name.replace("_", "-"): get_args(kind)
    for name, kind in get_type_hints(Reader).items()
    if get_origin(kind) is Literal
}


@cache
def reader_of(name: str, *, observed: bool = False) -> Reader:
    """The dialect of a name, as its tool's document has it; `observed`: as the tool has it where the tool differs."""
    known = dialect(name)
    values = {axis: choice.actual if observed else choice.judged for axis, choice in known.axes.items()}
    return reader_with(values, known.reader)


def reader_with(values: Mapping[str, str], details: Mapping[str, object]) -> Reader:
    """The reader with these values by axis, and these details of the texts around files and imports.

    An axis without a value has no effect. On an axis whose value is unknown, the reader has the first value.
    """

    def of(axis: str) -> AxisValue:
        known = instruction_axes()[axis].values if axis in instruction_axes() else {}
        return known.get(values.get(axis, NOT_CONCERNED), AxisValue(""))

    data = {
        "file_names": of("names").groups or (("AGENTS.md",),),
        "global_files": of("global-file").groups,
        "budget": of("budget").number,
        "import_depth": of("import-depth").number,
        "rules_folders": tuple(chain(*of("rules-folder").groups)),
        "rules_place": of("rules-folder").number,
        "settings_files": tuple(chain(*of("exclusions").groups)),
        "import_extensions": tuple(chain(*of("import-types").groups)),
    }
    choices = {axis.replace("-", "_"): _choice(axis, values.get(axis, NOT_CONCERNED)) for axis in _CHOICES}
    return msgspec.convert({**choices, **data, **details}, Reader)


def _choice(axis: str, value: str) -> str:
    """A value that the reader has on an axis."""
    if value == UNKNOWN:
        return next(iter(instruction_axes()[axis].values))
    if value == NOT_CONCERNED:
        return "none" if "none" in _CHOICES[axis] else _CHOICES[axis][0]
    return value
