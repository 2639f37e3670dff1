"""The values that a run can store."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import pytest

from loopspec_reference import Json, UnregisteredTypeError, register_type
from loopspec_reference.runs.run_values import packed, unpacked


@dataclass
class Point:
    """A value of a registered type."""

    x: int


class Unknown:
    """A value of a type that is not registered."""


register_type("point", Point)


@pytest.mark.parametrize(
    "value",
    [None, 1, 1.5, True, "a", [1, [None]], {"a": {"b": []}}, Point(1), [{"p": Point(2)}], ["point", 1], []],
)
def test_a_stored_value_is_the_same_value(value: Json) -> None:
    """Values of registered types, and lists that look like one, are kept."""
    assert unpacked(msgspec.json.decode(msgspec.json.encode(packed(value)))) == value


@pytest.mark.parametrize("value", [Unknown(), [Unknown()], {1: 2}, (1, 2), {1, 2}, b""])
def test_a_value_that_is_not_json_is_rejected(value: object) -> None:
    """The error names the type."""
    with pytest.raises(UnregisteredTypeError, match="not a registered type"):
        packed(value)


def test_an_unknown_type_cannot_be_unpacked() -> None:
    """A checkpoint may come from another program."""
    with pytest.raises(KeyError, match="'other'"):
        unpacked(["other", 1])
