"""What can be kept for a run: JSON values, and values of types that were registered (RUNLOCAL-13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from .errors import ConfigError, UnregisteredTypeError
from .messages import Json

_MARK = "__type__"

_types: dict[str, type[Any]] = {}
_names: dict[type[Any], str] = {}


def register_type(name: str, registered: type[Any]) -> None:
    """Let values of a type that msgspec can convert be kept for a run, and stored in checkpoints under this name.

    Raises `ConfigError` when the name stands for another type already.
    """
    if _types.setdefault(name, registered) is not registered:
        raise ConfigError(f"the name {name!r} is taken by {_types[name].__qualname__}")
    _names[registered] = name


def packed(value: object) -> Json:
    """The value as JSON that `unpacked` understands. Raises `UnregisteredTypeError` for what cannot be stored."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    name = _names.get(type(value))
    if name is not None:
        return {_MARK: name, "value": msgspec.to_builtins(value)}
    if type(value) is list:
        return [packed(item) for item in value]
    if type(value) is dict and all(type(key) is str for key in value):
        items = {key: packed(item) for key, item in value.items()}
        return {_MARK: "", "value": items} if _MARK in items else items
    raise UnregisteredTypeError(
        f"{type(value).__qualname__} is not JSON, and not a registered type: a checkpoint could not hold it"
    )


def unpacked(value: Json) -> Json:
    """The value that `packed` was given."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    name = value.get(_MARK)
    if name is None:
        return {key: unpacked(item) for key, item in value.items()}
    if name == "":
        return {key: unpacked(item) for key, item in value["value"].items()}
    if name not in _types:
        raise UnregisteredTypeError(f"the checkpoint holds a value of {name!r}, which is not registered here")
    return msgspec.convert(value["value"], _types[name])
