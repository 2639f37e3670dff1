"""Changes to every text inside a value: names, paths and contents alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .facts import LEAVES

T = TypeVar("T")

_OPAQUE = "checkpoint"  # bytes of the implementation's own, in which nothing is to be found
_ONE_TO_ONE = "latin-1"  # maps each byte to one character, so that bytes that are not UTF-8 have paths as well


def with_texts(value: T, change: Callable[[str], str]) -> T:
    """The value with a change made to every text and to all bytes inside it, keys of dictionaries included.

    Checkpoints are not changed.
    """
    return _changed(value, change)  # type: ignore[return-value]  # a change keeps the type of each value


def _changed(value: object, change: Callable[[str], str]) -> object:
    """The value with the change; an equal part of it is the same object, and is compared no further."""
    if type(value) in LEAVES:  # most values: patterns take longer
        return value
    match value:
        case str():
            new_text = change(value)
            return value if new_text == value else new_text
        case bytes():
            return change(value.decode(_ONE_TO_ONE)).encode(_ONE_TO_ONE)
        case tuple() | list():
            items = [_changed(each, change) for each in value]
            if all(new is old for new, old in zip(items, value, strict=True)):
                return value
            return items if isinstance(value, list) else tuple(items)
        case dict():
            return {_changed(key, change): _changed(each, change) for key, each in value.items()}
        case Struct():
            changes = {}
            for name in value.__struct_fields__:
                old = getattr(value, name)
                new = old if name == _OPAQUE else _changed(old, change)
                if new is not old and new != old:
                    changes[name] = new
            return replace(value, **changes) if changes else value
    return value
