"""What a scene is made of: a minimal scene's ingredients tell its cause apart from other causes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from ..contract.scene import Scene

# Fields of text whose values are words of the contract, and not names or contents.
_WORDS = frozenset({"hook", "act", "kind", "message_type", "role"})


def ingredients_of(scene: Scene) -> frozenset[str]:
    """The fields of the scene that are not at their defaults, and the kinds of its values; names and texts are not."""
    return frozenset(_in(scene))


def _in(value: object) -> Iterator[str]:
    match value:
        case Struct():
            yield from _of_struct(value)
        case tuple() | list():
            for one in value:
                yield from _in(one)
        case dict():
            for one in value.values():
                yield from _in(one)


def _of_struct(value: Struct) -> Iterator[str]:
    name = type(value).__name__
    yield name
    for field in fields(value):
        content = getattr(value, field.name)
        default = field.default if field.default is not NODEFAULT else field.default_factory
        if content == (default() if callable(default) else default) and field.name not in _WORDS:
            continue
        yield f"{name}.{field.name}"
        if field.name in _WORDS and isinstance(content, str):
            yield f"{name}.{field.name}={content}"
        yield from _in(content)
    if name == "Script":
        actions = getattr(value, "actions", ())
        yield from (f"{value.hook}: {type(action).__name__}" for action in actions)  # type: ignore[attr-defined]  # of a Script
    if name in ("Tool", "Cancel"):
        yield f"{name}: {getattr(value, 'kinds', None) or getattr(value, 'modes', None)}"
