"""Axes: questions that implementations answer differently; and postures: the values that a target declares."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from .dialects import (
    DEFAULT_DIALECT,
    Axis,
    AxisValue,
    Dialect,
    axes_in,
    dialect,
    dialect_hint,
    dialect_names,
    instruction_axes,
    is_dialect,
    observed_dialect_names,
    tool_dialect,
)
from .faults import TargetUnusable
from .names import did_you_mean
from .values import Value

# The tag of a scenario that presupposes a value: `@axis:after-order`, or `@axis:after-order=reversed`.
AXIS_TAG = "axis:"
AXES = "axes.toml"


class Posture(Value, frozen=True):
    """The value that a target declares on an axis.

    `link` is where the implementation documents the value. A posture without a link must be `measured`: the documents
    are silent, and the adapter's author has measured the value.
    """

    value: str
    link: str = ""
    measured: bool = False


# The axis whose value is the dialect in which a target reads instruction files.
DIALECT = "dialect"

Postures = Mapping[str, Posture]
NO_POSTURES: Postures = MappingProxyType[str, Posture]({})


@cache
def axes() -> Mapping[str, Axis]:
    """The axes of the features in use, by name."""
    own = axes_in(AXES)
    return own | {DIALECT: _dialects()} if own else {}


def _dialects() -> Axis:
    """The axis whose values are the dialects."""
    values = {name: AxisValue(f"Instruction files are read as in the dialect {name}.") for name in dialect_names()}
    for name in observed_dialect_names():
        known = dialect(tool_dialect(name))
        sentence = f"Instruction files are read as {known.title} {known.version} reads them, also against its document."
        values[name] = AxisValue(sentence)
    question = "Which dialect of instruction files does the target read?"
    return Axis(question=question, kind="dialect", default=DEFAULT_DIALECT, values=values)


@cache
def posture_rules() -> frozenset[str]:
    """The rules that judge values other than the default ones."""
    return frozenset(value.rule for axis in axes().values() for value in axis.values.values() if value.rule)


def value_of_tag(tag: str) -> tuple[str, str]:
    """The axis of a tag and its value, without a value the default one. Raises `LookupError` for an unknown one."""
    name, equals, value = tag.removeprefix(AXIS_TAG).partition("=")
    axis = axes().get(name) or instruction_axes().get(name)
    if axis is None:
        raise LookupError(f"there is no axis {name!r}{did_you_mean(name, axes(), 'see features/axes.toml')}")
    value = value if equals else axis.default
    if value not in axis.values:
        raise LookupError(f"the axis {name} has no value {value!r}{_values_hint(axis, value)}")
    return name, value


def value_on(axis: str, postures: Postures) -> str:
    """The value of a target with these postures on an axis; on an axis of instruction files, that of its dialect."""
    if axis not in axes():
        return dialect_of(postures).value(axis)
    return postures[axis].value if axis in postures else axes()[axis].default


def must_be_dialect(name: str, target: str) -> None:
    """Raise `TargetUnusable` if a target declares this dialect, and there is none of the name.

    Features without dialects judge no workspace, and any name will do.
    """
    if not dialect_names():
        return
    if not name:
        names = ", ".join(dialect_names())
        raise TargetUnusable(f"{target} has the role workspace and declares no dialect: add `dialect`, one of {names}")
    if not is_dialect(name):
        raise TargetUnusable(f"{target} declares the dialect {name!r}, which is none{dialect_hint(name)}")


def dialect_of(postures: Postures) -> Dialect:
    """The dialect of a target with these postures."""
    return dialect(value_on(DIALECT, postures))


def declared_dialect(name: str) -> dict[str, Posture]:
    """The posture of a target that reads instruction files in a dialect; none for features without dialects."""
    if not dialect_names():
        return {}
    documents = dialect(name).documents
    return {DIALECT: Posture(value=name, link=documents[0] if documents else "", measured=not documents)}


def own_postures(postures: Postures) -> dict[str, str]:
    """The values that are not the default ones, by axis, in the order of the axes."""
    return {
        name: postures[name].value
        for name, axis in axes().items()
        if name in postures and postures[name].value != axis.default
    }


def without_default_dialect(postures: Postures) -> dict[str, Posture]:
    """The postures as a report has them: the default dialect is not mentioned."""
    return {name: one for name, one in postures.items() if (name, one.value) != (DIALECT, DEFAULT_DIALECT)}


def posture_hint(presupposed: Mapping[str, str], postures: Postures) -> str:
    """The hint for a failed case that presupposes default values: a posture that the target may have, and the values.

    Empty if it declares one on each of these axes, and for axes of instruction files, which a dialect decides.
    """
    undeclared = [
        f"{axis} ({', '.join(each for each in axes()[axis].values if each != value)})"
        for axis, value in presupposed.items()
        if axis in axes() and axis not in postures and value == axes()[axis].default
    ]
    if not undeclared:
        return ""
    where = f"the axis {undeclared[0]}" if len(undeclared) == 1 else f"one of the axes {', '.join(undeclared)}"
    return f"if your implementation documents another choice, declare a posture on {where}"


def as_text(values: Mapping[str, str]) -> str:
    """Values by axis as a part of a sentence."""
    return ", ".join(f"{axis}: {value}" for axis, value in values.items())


def judged_in(own: Mapping[str, str]) -> str:
    """Own values, as from `own_postures`, as a part of a sentence: in which dialect, and in which posture.

    Empty without own values: "conformant" alone is about the default ones.
    """
    parts = [f"in the dialect {own[DIALECT]}"] if DIALECT in own else []
    if choices := {axis: value for axis, value in own.items() if axis != DIALECT}:
        parts.append(f"in its own posture ({as_text(choices)})")
    return " and ".join(parts)


def checked_postures(postures: Postures, name: str) -> dict[str, Posture]:
    """The declared postures of the target `name`. Raises `TargetUnusable` for an unknown one, and for one without a
    source."""
    for axis, posture in postures.items():
        _check_types(axis, posture, name)
        if axis not in axes():
            hint = did_you_mean(axis, axes(), "see `loopspec capabilities`")
            raise TargetUnusable(f"{name} declares a posture on the axis {axis!r}, which is none{hint}")
        if posture.value not in axes()[axis].values:
            hint = _values_hint(axes()[axis], posture.value)
            raise TargetUnusable(f"{name} declares {posture.value!r} on the axis {axis}, which is no value{hint}")
        if not posture.link and not posture.measured:
            raise TargetUnusable(
                f"{name} declares {axis}: {posture.value} without a link to where it is documented: "
                "add the link, or `measured` if no document says it"
            )
        if posture.link and not posture.link.startswith(("https://", "http://")):
            raise TargetUnusable(f"{name} declares {axis}: {posture.value} with {posture.link!r}, which is no link")
    return dict(postures)


def _check_types(axis: object, posture: Posture, name: str) -> None:
    """Raise `TargetUnusable` for a field of another type: Python does not check what an adapter passes."""
    if not isinstance(axis, str):
        raise TargetUnusable(f"{name} declares a posture on the axis {axis!r}: the name of an axis is a text")
    for field, of_type, wanted in (
        ("value", str, "a text"),
        ("link", str, "a text"),
        ("measured", bool, "True or False"),
    ):
        found = getattr(posture, field)
        if not isinstance(found, of_type):
            raise TargetUnusable(f"{name} declares a posture on the axis {axis} with {field}={found!r}: write {wanted}")


def _values_hint(axis: Axis, value: str) -> str:
    return did_you_mean(value, axis.values, f"the values are {', '.join(axis.values)}")
