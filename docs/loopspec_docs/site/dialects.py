"""The dialects of instruction files for the site: the matrix of dialects and axes, and a page for each dialect."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, get_args

from loopspec.contract.dialects import Axis, Choice, Dialect, dialect, dialect_names, instruction_axes, tool_dialect
from loopspec.specification.cases import area_of
from loopspec.specification.order import areas_in_order, topic
from loopspec_instructions.answers import questions, skill_dialects, touch_dialects, touch_questions

from .markdown import Page, rendered

State = Literal["documented", "measured", "unknown", "none"]
_OF_FILES = ("names", "local-file", "rules-folder", "global-file")


def dialect_address(name: str) -> str:
    """The page of a dialect in the site: a dialect as observed is on the page of its tool."""
    return f"dialects/{tool_dialect(name)}.html"


@cache
def dialects() -> dict[str, Dialect]:
    """Every dialect by its name: the judged ones first."""
    found = {name: dialect(name) for name in dialect_names()}
    return dict(sorted(found.items(), key=lambda item: not item[1].judged))


@cache
def _axes_by_area() -> dict[str, dict[str, Axis]]:
    """Every axis, in the order of the file, by the area of its rules."""
    found: dict[str, dict[str, Axis]] = {}
    for name, axis in instruction_axes().items():
        found.setdefault(area_of(next(iter(axis.values.values())).rule), {})[name] = axis
    return found


def _state(choice: Choice | None) -> State:
    """How the value of a dialect on an axis is known."""
    if choice is None:
        return "none"
    return "documented" if choice.documented else "measured" if choice.measured else "unknown"


def pages() -> Iterator[Page]:
    """Make the matrix, and the page of each dialect."""
    shared = {"by_area": _axes_by_area(), "topic": topic, "state": _state, "address": dialect_address}
    yield rendered(
        "dialects",
        **shared,
        areas=areas_in_order(),
        dialects=dialects(),
        of_files={name: _file_names(known) for name, known in dialects().items()},
        readers=_readers(),
        on_touch=(touch_questions(), touch_dialects()),
        skills=(questions(), skill_dialects()),
    )
    for name, known in dialects().items():
        states = Counter(_state(known.axes.get(key)) for key in instruction_axes())
        counts = {state: states[state] for state in get_args(State)}
        of = {"differing": [key for key, choice in known.axes.items() if choice.observed], "counts": counts}
        yield rendered(f"dialects/{name}", "dialect", **shared, name=name, known=known, **of)


def _file_names(known: Dialect, keys: Sequence[str] = _OF_FILES) -> list[str]:
    """What a tool loads by the names of files, as measured or else as documented."""
    of = [(instruction_axes()[key].values, known.axes.get(key)) for key in keys]
    return [values[name].sentence for values, one in of if one and (name := one.observed or one.judged) in values]


def _readers() -> dict[str, set[str]]:
    """The dialects that read a file of a name in a project: the commonest name first. Sentences quote names alone."""
    found = defaultdict[str, set[str]](set)
    for one, known in dialects().items():
        for name in re.findall(r'"([^"]+)"', " ".join(_file_names(known, ("names", "local-file")))):
            found[name].add(one)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))
