"""Changes to every text inside a value: names, paths and contents alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import is_
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .facts import LEAVES

T = TypeVar("T")
Change = Callable[[str], str]
# The fields of a type that are changed, each with the change to its own text.
Fields = Callable[[type[Struct], Change], Mapping[str, Change]]
FieldsOf = Callable[[type[Struct]], Mapping[str, Change]]

_OPAQUE = "checkpoint"  # bytes of the implementation's own, in which nothing is to be found
_ONE_TO_ONE = "latin-1"  # maps each byte to one character, so that bytes that are not UTF-8 have paths as well


def _all_fields(kind: type[Struct], change: Change) -> Mapping[str, Change]:
    return dict.fromkeys((name for name in kind.__struct_fields__ if name != _OPAQUE), change)


def with_texts(value: T, change: Change, fields: Fields = _all_fields) -> T:
    """The value with a change made to every text and to all bytes inside it, keys of dictionaries included.

    Checkpoints are not changed. `fields` chooses other fields, or other changes for some of them.
    """
    fields_of = cache(lambda kind: fields(kind, change))
    return _changed(value, change, fields_of, {})  # type: ignore[return-value]  # a change keeps the type of each value


def _changed(value: object, change: Change, fields_of: FieldsOf, known: dict[int, object]) -> object:
    """The value with the change; an equal part of it is the same object, and is compared no further."""
    match value:
        case Struct():
            changes = {}
            for name, of_field in fields_of(type(value)).items():
                old = getattr(value, name)
                is_text = type(old) is str
                if is_text or (old and type(old) not in LEAVES):  # few values: a call for each takes long
                    new = of_field(old) if is_text else known.get(id(old)) or _changed(old, of_field, fields_of, known)
                    if new is not old and new != old:
                        changes[name] = new
            return known.setdefault(id(value), replace(value, **changes) if changes else value)  # is in many places
        case str():
            return value if (new_text := change(value)) == value else new_text
        case tuple() | list():
            items = [known.get(id(each)) or _changed(each, change, fields_of, known) for each in value]
            if all(map(is_, items, value)):
                return value
            return items if isinstance(value, list) else tuple(items)
        case dict():
            return dict(_changed((*value.items(),), change, fields_of, known))  # type: ignore[call-overload]  # pairs
        case bytes():
            return change(value.decode(_ONE_TO_ONE)).encode(_ONE_TO_ONE)
    return value
