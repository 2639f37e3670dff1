"""What a scene is made of. Two small scenes with other ingredients usually show two causes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from loopspec.contract.actions import Script
from loopspec.contract.agents import Tool
from loopspec.contract.scene import Cancel, Scene

from .doubles import HELLO

# Fields of text whose values are words of the contract, and not names or contents.
_WORDS = frozenset({"hook", "act", "kind", "message_type", "role"})


def ingredients_of(scene: Scene) -> frozenset[str]:
    """The fields of the scene that are not at their defaults, and the kinds of its values; names and texts are not.

    Of a backend: the fields of the calls. Whether a file is stored from the beginning is no cause of its own.
    """
    return frozenset(_in(scene.backend if scene.act == "read" else scene))


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
    if isinstance(value, Cancel):
        return  # when a request comes, and what it waits for, rarely has a cause of its own
    for field in fields(value):
        content = getattr(value, field.name)
        default = field.default if field.default is not NODEFAULT else field.default_factory
        is_usual = content == (default() if callable(default) else default) or content == (HELLO,)
        if is_usual and field.name not in _WORDS:
            continue
        yield f"{name}.{field.name}"
        if field.name in _WORDS and isinstance(content, str):
            yield f"{name}.{field.name}={content}"
        yield from _in(content)
    if isinstance(value, Script):
        yield from (f"{value.hook}: {type(action).__name__}" for action in value.actions)
    if isinstance(value, Tool) and value.kinds != Tool(name="").kinds:
        yield f"Tool.kinds={value.kinds}"
