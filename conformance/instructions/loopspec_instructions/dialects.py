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
    choices = {axis: _choice(axis, values.get(axis, NOT_CONCERNED)) for axis in _CHOICES}
    found = {axis: of.values[values[axis]] for axis, of in instruction_axes().items() if values.get(axis) in of.values}
    data = {
        "file_names": found["names"].groups if "names" in found else (("AGENTS.md",),),
        "global_files": found["global-file"].groups if "global-file" in found else (),
        "budget": found["budget"].number if "budget" in found else 0,
        "import_depth": found["import-depth"].number if "import-depth" in found else 0,
        "rules_folders": tuple(chain(*_groups(found, "rules-folder"))),
        "rules_place": found["rules-folder"].number if "rules-folder" in found else 0,
        "settings_files": tuple(chain(*_groups(found, "exclusions"))),
        "import_extensions": tuple(chain(*_groups(found, "import-types"))),
    }
    fields = {axis.replace("-", "_"): value for axis, value in choices.items()}
    return msgspec.convert({**fields, **data, **details}, Reader)


def _groups(found: Mapping[str, AxisValue], axis: str) -> tuple[tuple[str, ...], ...]:
    return found[axis].groups if axis in found else ()


def _choice(axis: str, value: str) -> str:
    """A value that the reader has on an axis."""
    if value == UNKNOWN:
        return next(iter(instruction_axes()[axis].values))
    if value == NOT_CONCERNED:
        return "none" if "none" in _CHOICES[axis] else _CHOICES[axis][0]
    return value
