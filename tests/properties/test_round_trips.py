"""Each scene, observation, message of the protocol, and part of one survives JSON."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopspec import Observation, Scene
from loopspec.contract.doubles import RegisteredValue
from loopspec.contract.values import Value
from loopspec.protocol.methods import FROM_ADAPTER, FROM_HARNESS

_DEEP = 3  # the depth of generated parts
_TEXTS = st.one_of(st.sampled_from(["", "model", "null", "\u0000é\\"]), st.text(max_size=4))
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, width=32), _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(_TEXTS, inner, max_size=2)),
    max_leaves=4,
).filter(lambda value: "inf" not in repr(value))
_PLAIN: dict[object, st.SearchStrategy[Any]] = {
    Any: _JSON,
    str: _TEXTS,
    bytes: st.binary(max_size=4),
    bool: st.booleans(),
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False, width=32),
    type(None): st.none(),
}


@cache
def _of(kind: Any, depth: int) -> st.SearchStrategy[Any]:  # Any: an annotation, of whichever form
    """Any value of an annotation; optional parts are missing beyond the depth."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, types.UnionType):
        near = [part for part in parts if depth < _DEEP or part in _PLAIN] or parts[:1]
        return st.one_of([_of(part, depth) for part in near])
    if origin is tuple:
        return st.lists(_of(parts[0], depth), max_size=2).map(tuple) if _fits(parts[0], depth) else st.just(())
    if origin is dict:
        values = _of(parts[1], depth) if _fits(parts[1], depth) else None
        return st.just({}) if values is None else st.dictionaries(_of(parts[0], depth), values, max_size=2)
    return _struct(kind, depth + 1)


def _fits(kind: Any, depth: int) -> bool:
    """Whether several values of this kind may be generated at this depth."""
    return depth < _DEEP or all(part in _PLAIN for part in get_args(kind) or (kind,))


def _struct(kind: type[Value], depth: int = 0) -> st.SearchStrategy[Any]:
    """An object of a class, with each optional field present or missing."""
    hints = get_type_hints(kind)
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}
    some = {name: _of(hints[name], depth) for name in kind.__struct_fields__}
    given_ = st.fixed_dictionaries(
        {name: some[name] for name in required}, optional={name: some[name] for name in some if name not in required}
    )
    return given_.map(lambda fields: kind(**fields))


def _classes(of: type[Value]) -> Iterator[type[Value]]:
    for kind in of.__subclasses__():
        yield kind
        yield from _classes(kind)


# The params and results that are made of signatures.
MESSAGES = {
    kind for one in (*FROM_HARNESS.values(), *FROM_ADAPTER.values()) for kind in (one.params, one.result) if kind
}
# A value of a custom type is not written.
CLASSES = sorted({*_classes(Value), *MESSAGES} - {RegisteredValue}, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_value_survives_json(kind: type[Value]) -> None:
    """The value is equal and is written in the same way; default values are not written."""

    @settings(max_examples=settings().max_examples // 4)
    @given(_struct(kind, 1))
    def comes_back(value: Value) -> None:
        written = msgspec.json.encode(value)
        again = msgspec.json.decode(written, type=kind)
        assert again == value
        assert msgspec.json.encode(again) == written

    comes_back()


def test_every_part_of_a_scene_and_of_an_observation_is_tried() -> None:
    """Classes of the plugin layer are included."""
    names = {kind.__name__ for kind in CLASSES}

    assert {Scene.__name__, Observation.__name__} < names
    assert {"Plugin", "Summarization", "TodoList", "Module", "Strategy", "Workflow", "View", "Command"} < names
    assert {"SetState", "Count", "AssignContext", "Jump", "GiveCommand", "Creation", "Registered", "Executed"} < names
