"""The messages of the protocol: its methods and their types, read from the JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable

from loopspec.contract.values import Json
from loopspec.protocol.schema import schema

from .markdown import chip, code, coded, heading, items, link, page, plain, slug, table
from .words import intro

_REF = "#/$defs/"
# What a line is, and neither params nor a result.
_LINES = frozenset({"HarnessLine", "AdapterLine", "Answer", "Refusal"})
_DIRECTIONS = {"harness": "harness → adapter", "adapter": "adapter → harness", "both": "harness ↔ adapter"}


def pages() -> dict[str, str]:
    """Make the page."""
    whole = schema()
    parts = [*intro("messages"), heading(2, "Methods", "methods")]
    for name, said in whole["methods"].items():
        kind = "request" if "result" in said else "notification"
        nested = f" {chip('within a call of the adapter', 'status')}" if said["nested"] else ""
        labels = f"{chip(_DIRECTIONS[said['caller']], 'status')} {chip(kind, 'status')}{nested}"
        parts += [heading(3, code(name), slug(name)), labels, coded(said["meaning"])]
        for side in ("params", "result"):
            if side in said:
                one = whole["$defs"][_name(said[side])]
                of = link(_name(said[side]), f"#{_name(said[side])}") if one.get("properties") else "no fields"
                parts += [f"**{side.capitalize()}:** {of}", *_fields(one)]
        facts = [f"Roles: {', '.join(link(role, f'capabilities.html#{role}') for role in said['roles'])}"]
        if "capability" in said:
            facts.append(f"Needs: {link(said['capability'], 'capabilities.html#' + said['capability'])}")
        parts.append(items(facts))
    parts.append(heading(2, "Types", "types"))
    for name, said in whole["$defs"].items():
        if name not in _LINES:
            texts = said.get("description", "").split("\n\n")
            shown = [*_fields(said)] or ["No fields."]
            parts += [heading(3, code(name), name), *(coded(" ".join(text.split())) for text in texts), *shown]
    return {"messages.md": page(*parts)}


def _fields(said: dict[str, Json]) -> Iterable[str]:
    """The fields of a type as a table, or what the type is if it has none."""
    found, required = said.get("properties", {}), said.get("required", ())
    if found:
        rows = (
            (code(key), _form(one), "required" if key in required else code(_default(one) or "none"))
            for key, one in found.items()
        )
        yield table(("Field", "Type", "Default"), rows)
    elif said.get("type") != "object":
        yield _form(said)


def _default(said: dict[str, Json]) -> str:
    return _json(said["default"]) if "default" in said else ""


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _name(said: dict[str, Json]) -> str:
    return str(said["$ref"]).removeprefix(_REF)


def _form(said: dict[str, Json]) -> str:
    """A type in a word or two; each type with a name is a link."""
    if "$ref" in said:
        return link(_name(said), f"#{_name(said)}")
    if "anyOf" in said:
        return " or ".join(dict.fromkeys(map(_form, said["anyOf"])))
    if "enum" in said:
        return " or ".join(code(_json(one)) for one in said["enum"])
    match said.get("type"):
        case "array":
            return _of("list", said.get("items"))
        case "object":
            return _of("object", said.get("additionalProperties"))
        case str(kind):
            return plain(kind)
        case [*kinds]:
            return " or ".join(map(plain, kinds))
        case _:
            return "any JSON"


def _of(word: str, inner: Json) -> str:
    """A list or an object, with the type of what is in it if the schema says one."""
    return f"{word} of {_form(inner)}" if isinstance(inner, dict) and inner else word
