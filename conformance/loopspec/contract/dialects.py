"""Dialects: what each tool that reads instruction files does on each axis, and what the tool's own document says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from .names import nearest
from .specification import features_file, features_root
from .workspaces import FIRST_NAME, GLOBAL, NAME, SECOND_NAME, Entry, Workspace

if TYPE_CHECKING:
    from pathlib import Path

NOT_CONCERNED = "not concerned"  # the value of an axis that does not concern a dialect: without imports, no depth
UNKNOWN = "unknown"  # the value of an axis on which the behavior of the tool is not known
DEFAULT_DIALECT = "eino"
INSTRUCTION_AXES = "instructions/axes.toml"
_ALIKE = 0.75  # of names of dialects: some are as short as the name of another tool
_OBSERVED = "-observed"  # ends the name of a dialect as its tool reads, where that is not as the document says


class AxisValue(Struct, frozen=True, forbid_unknown_fields=True):
    """One value of an axis. `rule` judges the value; it is empty for a default, which the other rules judge.

    The others are what a reader of instruction files needs to know. `groups` are groups of file names, or of places
    below the home folder: in a group, an earlier name precedes a later one, and groups do not compete. `usual` is the
    name that most projects use, `number` is a count.
    """

    sentence: str
    rule: str = ""
    groups: tuple[tuple[str, ...], ...] = ()
    usual: str = ""
    number: int = 0


class Axis(Struct, frozen=True, forbid_unknown_fields=True):
    """A question that implementations answer differently, with its values by name.

    A target declares its value as a posture; without a posture, it has the `default`. Its dialect decides the others.
    The question does not concern a dialect that has one of the values in `unless`, by axis: it has no value here.
    """

    question: str
    values: dict[str, AxisValue]
    kind: Literal["posture", "dialect"] = "dialect"
    default: str = ""
    unless: dict[str, str | tuple[str, ...]] = {}

    def concerns(self, value_on: Callable[[str], str]) -> bool:
        """Whether the question concerns a dialect with these values by axis."""
        unless = ((axis, (one,) if isinstance(one, str) else one) for axis, one in self.unless.items())
        return not any(value_on(axis) in values for axis, values in unless)


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a tool on one axis.

    `documented` is what the tool's document says at `link`, and `says` says so in our words. `observed` is what the
    tool does where the tool does something else. `measured` is what the tool does where its document is silent.
    `unknown` is the reason why neither is known.
    """

    documented: str = ""
    link: str = ""
    says: str = ""
    observed: str = ""
    measured: str = ""
    unknown: str = ""

    @property
    def judged(self) -> str:
        """The value that a target of the dialect is judged by."""
        return self.documented or self.measured or UNKNOWN

    @property
    def actual(self) -> str:
        """The value that the tool has, as far as known."""
        return self.observed or self.judged

    def as_observed(self) -> Choice:
        """The choice with the observed value as the judged one."""
        return Choice(measured=self.observed) if self.observed else self


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """What a version of a tool changed, as a sentence. Without a link, the version and an earlier one were measured."""

    version: str
    says: str
    link: str = ""


class Dialect(Struct, frozen=True, forbid_unknown_fields=True):
    """One dialect, of features/dialects. `judged`: the tool itself can be run, and `version` was measured.

    An axis that does not concern the dialect is missing. `reader` are the texts around files and imports, which no rule
    judges and which count toward a budget.
    """

    schema: int
    title: str
    documents: tuple[str, ...]
    axes: dict[str, Choice]
    tool: str = ""
    version: str = ""
    judged: bool = False
    reader: dict[str, object] = {}
    history: tuple[Change, ...] = ()  # the newest change first

    def value(self, axis: str) -> str:
        """The value on an axis that a target is judged by."""
        return self.axes[axis].judged if axis in self.axes else NOT_CONCERNED

    def as_observed(self) -> Dialect:
        """The dialect as the tool reads, so that a target can be judged by the observed values."""
        axes = {axis: choice.as_observed() for axis, choice in self.axes.items()}
        return replace(self, title=f"{self.title}, as observed", axes=axes)

    def lacks(self, workspace: Workspace) -> str:
        """What the dialect lacks for a workspace, as a part of a sentence; empty if nothing."""
        if self.value("walk") == "working-directory":
            above = {"", *_folders(workspace.working_directory)[:-1]}
            if any("{" in path and path.rpartition("/")[0] in above for path in workspace.entries):
                return "searches no folder above the working directory"
        text = repr(workspace)
        return next((_MISSING[each] for each, place in self.places().items() if not place and each in text), "")

    def applied_to(self, workspace: Workspace) -> Workspace:
        """The workspace with the file names of the dialect."""
        places = self.places()

        def named(text: str) -> str:
            for placeholder, place in places.items():
                text = text.replace(placeholder, place)
            return text

        entries = {named(path): _named(entry, named) for path, entry in workspace.entries.items()}
        configured = workspace.configured
        if configured is None:
            folders = _folders(workspace.working_directory)
            configured = tuple(path for folder in folders if (path := f"{folder}/{places[NAME]}") in entries)
        return replace(workspace, entries=entries, configured=tuple(named(path) for path in configured))

    def places(self) -> dict[str, str]:
        """What the placeholders in a workspace stand for; empty where the dialect has nothing of the kind."""
        found = self._data("names")
        names = next((group for group in found.groups if len(group) > 1), tuple(chain(*found.groups)))
        first, second = names[:2] if len(names) > 1 else ("", "")
        # a place that is no override of another one
        usual = (place for place in chain(*self._data("global-file").groups) if "override" not in place)
        return {
            NAME: found.usual or "AGENTS.md",
            FIRST_NAME: first,
            SECOND_NAME: second,
            GLOBAL: next(usual, ""),
        }

    def _data(self, axis: str) -> AxisValue:
        return instruction_axes()[axis].values.get(self.value(axis), AxisValue(""))


_MISSING = {
    FIRST_NAME: "has one file name only",
    SECOND_NAME: "has one file name only",
    GLOBAL: "has no global file",
}


def _named(entry: Entry, named: Callable[[str], str]) -> Entry:
    if entry.text is None and not entry.target:
        return entry
    return replace(entry, text=None if entry.text is None else named(entry.text), target=named(entry.target))


def _folders(path: str) -> list[str]:
    """The folders from the first one of a path down to the path."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


class _Axes(Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal[1]
    axes: dict[str, Axis]


def axes_in(file: str) -> dict[str, Axis]:
    """The axes of a file next to the features, by name; none for features without the file."""
    text = features_file(file)
    return msgspec.toml.decode(text, type=_Axes).axes if text else {}


@cache
def instruction_axes() -> Mapping[str, Axis]:
    """The axes of instruction files by name."""
    return axes_in(INSTRUCTION_AXES)


@cache
def value_of_rule() -> Mapping[str, tuple[str, str]]:
    """The axis and the value that each rule of instruction files judges."""
    return {one.rule: (axis, value) for axis, of in instruction_axes().items() for value, one in of.values.items()}


@cache
def dialect_names() -> tuple[str, ...]:
    """The names of the dialects, in the order of the alphabet."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


@cache
def observed_dialect_names() -> tuple[str, ...]:
    """The names of the dialects as observed, of the tools that do something else than their documents say."""
    differing = (name for name in dialect_names() if any(choice.observed for choice in _read(name).axes.values()))
    return tuple(map(as_observed, differing))


def as_observed(name: str) -> str:
    """The name of a dialect as its tool reads, where that is not as the document says."""
    return f"{name}{_OBSERVED}"


def tool_dialect(name: str) -> str:
    """The name of the dialect without `-observed`: the dialect that a file in features/dialects describes."""
    return name.removesuffix(_OBSERVED)


def is_dialect(name: str) -> bool:
    """Whether a target can declare the dialect of this name."""
    return name in dialect_names() or name in observed_dialect_names()


@cache
def dialect(name: str) -> Dialect:
    """The dialect of a name: `codex`, or `codex-observed` as observed. Raises `LookupError` for an unknown one."""
    if name in observed_dialect_names():
        return _read(tool_dialect(name)).as_observed()
    if name not in dialect_names():
        raise LookupError(f"there is no dialect {name!r}{dialect_hint(name)}")
    return _read(name)


def dialect_hint(name: str) -> str:
    """The end of a sentence about an unknown dialect: a name that resembles it much, or all names."""
    close = nearest(name, dialect_names(), _ALIKE)
    return f": did you mean {close!r}?" if close else f": the dialects are {', '.join(dialect_names())}"


@cache
def _read(name: str) -> Dialect:
    return msgspec.toml.decode((_folder() / f"{name}.toml").read_bytes(), type=Dialect)


def _folder() -> Path:
    return features_root() / "dialects"


How = Literal["documented", "measured", "observed"]


class Holder(Struct, frozen=True):
    """A dialect that has a value, and what is known of its axis.

    `how`: the document of the tool states the value, or the value was measured. A tool with an observed value has the
    value in spite of its document.
    """

    name: str
    dialect: Dialect
    choice: Choice
    how: How

    @property
    def judged_as(self) -> str:
        """The name of the dialect in which a target is judged by the value."""
        return as_observed(self.name) if self.how == "observed" else self.name


def holders(axis: str, value: str) -> tuple[Holder, ...]:
    """The dialects that have a value of an axis of instruction files, in the order of the alphabet."""
    found = []
    for name in dialect_names():
        choice = dialect(name).axes.get(axis, Choice())
        if value in (choice.documented, choice.measured, choice.observed):
            how: How = "measured"
            if choice.documented:
                how = "documented" if choice.documented == value else "observed"
            found.append(Holder(name, dialect(name), choice, how))
    return tuple(found)
