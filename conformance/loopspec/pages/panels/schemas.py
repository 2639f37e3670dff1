"""A config schema before anything is made of it: is it sound, where do its references lead, what is beyond us?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import unquote

from ...contract.values import Json

TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")
FORMATS = ("date", "date-time", "duration", "time", "uuid")  # those that page.js knows
_ONE = ("additionalProperties", "propertyNames", "items", "not", "if", "then", "else")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS = ("properties", "patternProperties", "$defs", "definitions")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_CHECKED = {*_ONE, *_LISTS, *_MAPS, *_NUMBERS, *_COUNTS}
_CHECKED |= {"$ref", "type", "enum", "const", "required", "pattern", "uniqueItems"}
# Says something, and demands nothing.
_SAYING = {"$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly"}
_SAYING |= {"writeOnly", "discriminator", "contentMediaType"}


class BrokenSchema(Exception):
    """The schema is none; the message is the rest of a sentence."""


def check(schema: Json) -> tuple[str, ...]:
    """Return what the page cannot check of a schema; raise `BrokenSchema` for one that cannot be read."""
    beyond: dict[str, None] = {}
    for where, part in _parts(schema, "#"):
        _check_shapes(where, part)
        if "$ref" in part:
            follow(part, schema)
        beyond |= dict.fromkeys(key for key in part if key not in _CHECKED | _SAYING and not _is_known(key, part[key]))
    return tuple(beyond)


def _is_known(key: str, value: Json) -> bool:
    if key == "format":
        return value in FORMATS
    return key.startswith("x-") or (key == "contentEncoding" and value == "base64")


def _parts(schema: Json, where: str) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """The schema and every schema in it."""
    if isinstance(schema, bool):
        return
    _demand(isinstance(schema, Mapping), f"{where} is no schema but {_short(schema)}")
    yield where, schema
    for key in _ONE:
        if key in schema:
            yield from _parts(schema[key], f"{where}/{key}")
    for key in _LISTS:
        if key in schema:
            _demand(isinstance(schema[key], list | tuple) and schema[key], f"{where}/{key} is no list of schemas")
            for number, part in enumerate(schema[key]):
                yield from _parts(part, f"{where}/{key}/{number}")
    for key in _MAPS:
        if key in schema:
            _demand(isinstance(schema[key], Mapping), f"{where}/{key} does not map names to schemas")
            for name, part in schema[key].items():
                yield from _parts(part, f"{where}/{key}/{name}")


def _check_shapes(where: str, part: Mapping[str, Json]) -> None:
    """The keywords hold values of the right kinds, so that no later code has to check."""
    kinds = part.get("type", "object")
    known = all(kind in TYPES for kind in (kinds if isinstance(kinds, list | tuple) else [kinds]))
    _demand(known, f"{where}/type is {_short(kinds)}")
    shapes: list[tuple[tuple[str, ...], str, Callable[[Json], bool]]] = [
        (_NUMBERS, "no number", _is_number),
        (_COUNTS, "no count", lambda value: isinstance(value, int) and _is_number(value) and value >= 0),
        (("enum",), "no list of values", lambda value: isinstance(value, list | tuple) and bool(value)),
        (("required",), "no list of names", _is_names),
        (("pattern", "$ref"), "no text", lambda value: isinstance(value, str)),
        (("multipleOf",), "not more than 0", lambda value: value > 0),
    ]
    for keys, complaint, is_right in shapes:
        for key in keys:
            _demand(key not in part or is_right(part[key]), f"{where}/{key} is {complaint}")


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_names(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def follow(part: Mapping[str, Json], root: Json) -> Json:
    """The schema that a reference leads to in the end, and never to itself."""
    seen: list[str] = []
    found: Json = part
    while isinstance(found, Mapping) and "$ref" in found:
        reference = found["$ref"]
        _demand(reference not in seen, f"$ref {_short(reference)} leads to itself")
        seen.append(reference)
        found = _at(reference, root)
    return found


def _at(reference: str, root: Json) -> Json:
    _demand(reference == "#" or reference.startswith("#/"), f"$ref {_short(reference)} leads out of the schema")
    found = root
    for step in unquote(reference).split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list | tuple) and re.fullmatch(r"\d{1,6}", name) and int(name) < len(found):
            found = found[int(name)]
        else:
            _demand(isinstance(found, Mapping) and name in found, f"$ref {_short(reference)} leads nowhere")
            found = found[name]
    _demand(isinstance(found, Mapping | bool), f"$ref {_short(reference)} leads to no schema")
    return found


def _demand(condition: object, complaint: str) -> None:
    if not condition:
        raise BrokenSchema(complaint)


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
