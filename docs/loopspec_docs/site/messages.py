"""The messages of the protocol: its methods and their types, read from the JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator

from markupsafe import Markup

from loopspec.contract.values import Json
from loopspec.protocol.schema import schema

from .markdown import Page, code, joined, plain, rendered

_REF = "#/$defs/"


def pages() -> Iterator[Page]:
    """Make the page."""
    whole = schema()
    yield rendered("messages", methods=whole["methods"], types=whole["$defs"], named=_name, form=_form, json=_json)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _name(said: dict[str, Json]) -> str:
    return str(said["$ref"]).removeprefix(_REF)


def _form(said: dict[str, Json]) -> Markup:
    """A type in a word or two; each type with a name is a link."""
    if "$ref" in said:
        return Markup(f"[{_name(said)}](#{_name(said)})")
    if "anyOf" in said:
        return joined(dict.fromkeys(map(_form, said["anyOf"])), " or ")
    if "enum" in said:
        return joined((code(_json(one)) for one in said["enum"]), " or ")
    match said.get("type"):
        case "array":
            return _of("list", said.get("items"))
        case "object":
            return _of("object", said.get("additionalProperties"))
        case str(kind):
            return plain(kind)
        case [*kinds]:
            return joined(kinds, " or ")
        case _:
            return plain("any JSON")


def _of(word: str, inner: Json) -> Markup:
    """A list or an object, with the type of what is in it if the schema says one."""
    return plain(word) + (" of " + _form(inner) if isinstance(inner, dict) and inner else "")
