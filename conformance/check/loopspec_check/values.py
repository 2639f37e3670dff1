"""Values of JSON that may be anything: what is of another kind than expected counts as missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

Object = Mapping[str, object]
Keys = tuple[str | int, ...]  # lead to a value inside a value


def mapping(value: object) -> Object:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> Sequence[object]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def text(value: object) -> str:
    """The value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def inside(value: object, *keys: str) -> object:
    """What the keys lead to in objects within objects; None if there is no such value."""
    for key in keys:
        value = mapping(value).get(key)
    return value


def parts_of(value: Object, key: str, at: Keys = ()) -> list[tuple[Keys, Object]]:
    """The objects of a list in an object, each with the keys that lead to it. `at` leads to the object."""
    parts = enumerate(items(value.get(key)))
    return [((*at, key, place), part) for place, part in parts if isinstance(part, dict)]


def text_of(content: object) -> object:
    """The text of a content that is a text or a list of parts, or the content itself if it is more than text."""
    if isinstance(content, str):
        return content
    texts = [text(inside(part, "text")) for part in items(content)]
    return "".join(texts) if all(texts) else content


def decoded(arguments: object) -> object:
    """The arguments of a call. A text is decoded if it is JSON, and nothing means no arguments."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        return msgspec.json.decode(arguments) if arguments.strip() else {}
    except (msgspec.DecodeError, RecursionError):
        return arguments
