"""The messages of the protocol: its methods and their types, read from the JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

from markupsafe import Markup, escape
from msgspec import Struct

from loopspec.contract.values import Json
from loopspec.pages.theme import coded
from loopspec.protocol.schema import schema

_REF = "#/$defs/"
# What a line is, and neither params nor a result.
_LINES = frozenset({"HarnessLine", "AdapterLine", "Answer", "Refusal"})


class Field(Struct, frozen=True):
    """A field of a type. `default` is its JSON, and empty for one without a default."""

    name: str
    type: Markup
    required: bool
    default: str


class Type(Struct, frozen=True):
    """A type: what it is for, by paragraphs, and its fields; `form` says what it is where it has none."""

    name: str
    says: tuple[Markup, ...]
    fields: tuple[Field, ...]
    form: Markup


class Method(Struct, frozen=True):
    """A method. `result` is None for a notification."""

    name: str
    meaning: str
    caller: str
    nested: bool
    params: Type
    result: Type | None
    roles: tuple[str, ...]
    capability: str

    @property
    def direction(self) -> str:
        """Who sends it to which program."""
        return {
            "harness": "harness → adapter",
            "adapter": "adapter → harness",
            "both": "harness ↔ adapter",
        }[self.caller]


@cache
def methods() -> tuple[Method, ...]:
    """Every method, in the order of the schema."""
    known = {one.name: one for one in types()}
    return tuple(
        Method(
            name=name,
            meaning=said["meaning"],
            caller=said["caller"],
            nested=said["nested"],
            params=known[_name(said["params"])],
            result=known[_name(said["result"])] if "result" in said else None,
            roles=tuple(said["roles"]),
            capability=said.get("capability", ""),
        )
        for name, said in schema()["methods"].items()
    )


@cache
def types() -> tuple[Type, ...]:
    """Every type of params, results and their fields, by name."""
    return tuple(_type(name, said) for name, said in schema()["$defs"].items() if name not in _LINES)


def _type(name: str, said: dict[str, Json]) -> Type:
    text: str = said.get("description", "")
    required = said.get("required", ())
    fields = tuple(
        Field(key, _form(found), key in required, _default(found)) for key, found in said.get("properties", {}).items()
    )
    return Type(
        name=name,
        says=tuple(coded(paragraph) for paragraph in text.split("\n\n") if paragraph),
        fields=fields,
        form=Markup("") if fields or said.get("type") == "object" else _form(said),
    )


def _default(said: dict[str, Json]) -> str:
    return _json(said["default"]) if "default" in said else ""


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _name(said: dict[str, Json]) -> str:
    return str(said["$ref"]).removeprefix(_REF)


def _form(said: dict[str, Json]) -> Markup:
    """A type in a word or two; each type with a name is a link."""
    if "$ref" in said:
        name = _name(said)
        return Markup('<a href="#{0}">{0}</a>').format(name)
    if "anyOf" in said:
        return _any_of(_form(one) for one in said["anyOf"])
    if "enum" in said:
        return _any_of(Markup("<code>{}</code>").format(_json(one)) for one in said["enum"])
    match said.get("type"):
        case "array":
            return _of("list", said.get("items"))
        case "object":
            return _of("object", said.get("additionalProperties"))
        case str(kind):
            return escape(kind)
        case [*kinds]:
            return _any_of(escape(kind) for kind in kinds)
        case _:
            return Markup("any JSON")


def _of(word: str, inner: Json) -> Markup:
    """A list or an object, with the type of what is in it if the schema says one."""
    return Markup("{} of {}").format(word, _form(inner)) if isinstance(inner, dict) and inner else Markup(word)


def _any_of(forms: Iterable[Markup]) -> Markup:
    return Markup(" or ").join(dict.fromkeys(forms))
