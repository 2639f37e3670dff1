"""The encoding of run-local values: JSON values, and values of registered types (RUNLOCAL-13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ..values.errors import UnregisteredTypeError
from ..values.messages import Json

_types: dict[str, type[Any]] = {}
_names: dict[type[Any], str] = {}


def register_type(name: str, registered: type[Any]) -> None:
    """Allow run-local values of a type that msgspec can convert. Checkpoints store them under this name."""
    _types[name], _names[registered] = registered, name


def packed(value: object) -> Json:
    """Return the value as JSON for `unpacked`: a value of a registered type becomes a list with the type's name first.

    Raises `UnregisteredTypeError` for a value that cannot be stored.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    name = _names.get(type(value))
    if name is not None:
        return [name, msgspec.to_builtins(value)]
    if type(value) is list:
        return [None, *map(packed, value)]
    if type(value) is dict and all(type(key) is str for key in value):
        return {key: packed(item) for key, item in value.items()}
    raise UnregisteredTypeError(
        f"{type(value).__qualname__} is not JSON, and not a registered type: a checkpoint could not hold it"
    )


def unpacked(value: Json) -> Json:
    """Return the value that `packed` received."""
    if isinstance(value, Mapping):
        return {key: unpacked(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    name, *items = value
    return [unpacked(item) for item in items] if name is None else msgspec.convert(items[0], _types[name])
