"""Makes the fields of a form from a config schema. What has no kind of field is entered as JSON, and never dropped."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from msgspec import UNSET

from ...contract.values import Json
from .schemas import check, follow
from .words import WORDS

Kind = Literal["string", "integer", "number", "boolean", "choice", "array", "object", "json"]
Texts = dict[str, str]  # by language; what has none, as a title, is under ""

_DEEPEST = 5  # levels of forms inside forms; below that it is JSON
_LONG = 120  # characters from which on a text may have lines
_HINTS: tuple[str, ...] = (
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
)
_HINTS += ("pattern", "format", "contentEncoding", "minItems", "maxItems", "uniqueItems")


@dataclass(frozen=True)
class Field:
    """A part of a form.

    `initial` is what it holds at first, UNSET for nothing. `toggle`: it can be left out as a whole. `extra`: its
    fields go among its siblings. `blank`: where a default was cleared, an empty text is a value. An array's
    `rows` are those it begins with, `item` is what another one is like.
    """

    id: str
    kind: Kind
    key: str = ""
    label: Texts = field(default_factory=dict)
    help: Texts = field(default_factory=dict)
    required: bool = True
    nullable: bool = False
    initial: Json = UNSET
    toggle: bool = False
    extra: bool = False
    blank: bool = False
    lines: bool = False
    hints: tuple[tuple[str, str], ...] = ()
    example: str = ""
    choices: tuple[Json, ...] = ()
    children: tuple[Field, ...] = ()
    rows: tuple[Field, ...] = ()
    item: Field | None = None

    @property
    def is_set(self) -> bool:
        """It begins with a value that is not null."""
        return self.initial is not UNSET and self.initial is not None

    @property
    def shown(self) -> str:
        """The text in it at first."""
        if not self.is_set:
            return ""
        if self.kind == "json":
            return json.dumps(self.initial, ensure_ascii=False, indent=2)
        return self.initial if isinstance(self.initial, str) else json.dumps(self.initial)


@dataclass(frozen=True)
class Form:
    """What a schema becomes: its outermost field, and the keywords that the page cannot check."""

    root: Field
    unchecked: tuple[str, ...]


def form_of(schema: Json, id_: str) -> Form:
    """The form of a schema. Raises `BrokenSchema`."""
    unchecked = check(schema)
    label = {language: words["options"] for language, words in WORDS.items()}
    return Form(_Maker(schema, id_).make(schema, "", label), unchecked)


class _Maker:
    def __init__(self, root: Json, id_: str) -> None:
        self._root = root
        self._ids = (f"{id_}-{number}" for number in count(1))

    def make(
        self, schema: Json, key: str, label: Texts, required: bool = True, initial: Json = UNSET, depth: int = 0
    ) -> Field:
        """The field of a schema: what is in a form is a property by its key, what is in a list has none."""
        plain, nullable = self._plain(schema)
        if key:
            label = ({"": key} | _without_language(plain.get("title"))) | _texts(plain, "x-label")
        if initial is UNSET:
            initial = plain.get("default", UNSET)
        made = Field(
            id=next(self._ids),
            kind="json",
            key=key,
            label=label,
            help=_texts(plain, "x-description") | _without_language(plain.get("description")),
            required=required,
            nullable=nullable,
            initial=initial,
            hints=tuple((name, _limit(plain[name])) for name in _HINTS if _is_news(name, plain)),
        )
        return self._filled(made, plain, depth) or _changed(
            made, lines=True, example=json.dumps(self._example(plain, 0), ensure_ascii=False)
        )

    def _filled(self, made: Field, plain: Mapping[str, Json], depth: int) -> Field | None:
        """The field as more than JSON; None where that would lose something."""
        initial = None if made.initial is UNSET else made.initial
        kind = plain.get("type")
        if "enum" in plain or "const" in plain:
            choices = tuple(plain["enum"]) if "enum" in plain else (plain["const"],)
            if None in choices:
                made = _changed(made, nullable=True)
            choices = tuple(choice for choice in choices if choice is not None)
            known = initial is None or json.dumps(initial) in map(json.dumps, choices)
            return _changed(made, kind="choice", choices=choices) if known and choices else None
        if kind == "boolean" and (initial is None or isinstance(initial, bool)):
            if made.nullable or not (made.required or made.is_set):
                return _changed(made, kind="choice", choices=(True, False))
            return _changed(made, kind="boolean")
        if kind in ("integer", "number") and _is_number(initial, whole=kind == "integer"):
            return _changed(made, kind=kind)
        if kind == "string" and (initial is None or isinstance(initial, str)):
            limited = any(name in plain for name in ("pattern", "format", "contentEncoding"))
            short = limited or plain.get("maxLength", _LONG) < _LONG
            blank = not (plain.get("minLength") or limited) and (made.required or initial != "")
            return _changed(made, kind="string", blank=blank, lines=not short or "\n" in (initial or ""))
        if kind == "array":
            return self._array(made, plain, depth)
        return self._object(made, plain, depth) if kind == "object" else None

    def _array(self, made: Field, plain: Mapping[str, Json], depth: int) -> Field | None:
        items, initial = plain.get("items"), made.initial if made.is_set else []
        if depth >= _DEEPEST or "prefixItems" in plain or not isinstance(items, Mapping):
            return None
        if not isinstance(initial, list | tuple):
            return None
        rows = tuple(self.make(items, "", made.label, True, value, depth + 1) for value in initial)
        item = self.make(items, "", made.label, True, UNSET, depth + 1)
        return _changed(made, kind="array", toggle=made.nullable, rows=rows, item=item)

    def _object(self, made: Field, plain: Mapping[str, Json], depth: int) -> Field | None:
        properties, initial = plain.get("properties"), made.initial if made.is_set else {}
        others = plain.get("additionalProperties")
        open_ = "patternProperties" in plain or isinstance(others, Mapping)
        if depth >= _DEEPEST or not isinstance(initial, Mapping) or not (properties or others is False):
            return None
        properties = properties or {}
        more = {name: value for name, value in initial.items() if name not in properties}
        if more and not open_:
            return None
        children = [
            self.make(part, name, {"": name}, name in plain.get("required", ()), initial.get(name, UNSET), depth + 1)
            for name, part in properties.items()
        ]
        if open_:
            rest: Json = {"type": "object"}
            if isinstance(others, Mapping):
                rest["additionalProperties"] = others
            extra = self.make(rest, "", {}, False, more or UNSET, depth + 1)
            children.append(_changed(extra, extra=True))
        toggle = depth > 0 and (made.nullable or not made.required)
        return _changed(made, kind="object", toggle=toggle, children=tuple(children))

    def _plain(self, schema: Json) -> tuple[dict[str, Json], bool]:
        """The schema without a reference, a wrapping of one or a null at its top; and whether it allows null."""
        nullable = False
        for _ in range(20):  # one inside the other; no schema has more
            if not isinstance(schema, Mapping):
                return {}, nullable
            rest = dict(schema)
            if "$ref" in rest:
                found = follow(schema, self._root)
                del rest["$ref"]
                # The title there is the name of a type, and no label of what is of that type.
                named = isinstance(found, Mapping)
                schema = {**{key: found[key] for key in found if key != "title"}, **rest} if named else rest
                continue
            if isinstance(rest.get("type"), list | tuple):
                nullable |= "null" in rest["type"]
                kinds = [kind for kind in rest["type"] if kind != "null"]
                rest["type"] = kinds[0] if len(kinds) == 1 else kinds
            wrapping = next((name for name in ("anyOf", "oneOf", "allOf") if name in rest), None)
            if wrapping is None or "type" in rest:
                return rest, nullable
            parts = [part for part in rest[wrapping] if wrapping == "allOf" or not _is_null(part)]
            nullable |= len(parts) < len(rest[wrapping])
            if len(parts) != 1 or not isinstance(parts[0], Mapping):
                return rest, nullable
            del rest[wrapping]
            schema = {**parts[0], **rest}
        return {}, nullable

    def _example(self, schema: Json, depth: int) -> Json:
        """Something that the schema may well allow."""
        plain, _ = self._plain(schema)
        if depth >= _DEEPEST:
            return None
        chosen = plain.get("default") or plain.get("const")
        for key in ("examples", "enum"):
            if not chosen and isinstance(plain.get(key), list) and plain[key]:
                chosen = plain[key][0]
        branches = plain.get("anyOf") or plain.get("oneOf")
        if chosen or not branches:
            return chosen or self._typical(plain, depth)
        return self._example(branches[0], depth + 1)

    def _typical(self, plain: Mapping[str, Json], depth: int) -> Json:
        """A value of the type."""
        match plain.get("type"):
            case "array":
                items = plain.get("prefixItems") or [plain.get("items", {})]
                return [self._example(item, depth + 1) for item in items]
            case "object":
                properties, others = plain.get("properties", {}), plain.get("additionalProperties")
                parts = {name: properties[name] for name in plain.get("required", ()) if name in properties}
                if isinstance(others, Mapping):
                    parts["name"] = others
                return {name: self._example(part, depth + 1) for name, part in parts.items()}
            case "integer" | "number":
                return plain.get("minimum", 1)
        return {"boolean": True, "null": None}.get(str(plain.get("type")), "text")


def _changed(made: Field, **changes: Json) -> Field:
    return Field(**{**vars(made), **changes})


def _is_null(part: Json) -> bool:
    return isinstance(part, Mapping) and (part.get("type") == "null" or part.get("enum") in ([None], (None,)))


def _is_number(value: Json, whole: bool) -> bool:
    if isinstance(value, bool):
        return False
    return value is None or isinstance(value, int) or (not whole and isinstance(value, float))


def _is_news(name: str, plain: Mapping[str, Json]) -> bool:
    """Whether a hint about this demand says something that is not obvious."""
    return plain.get(name, False) is not False and (name, plain[name]) not in (("minLength", 0), ("minLength", 1))


def _limit(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _texts(schema: Mapping[str, Json], key: str) -> Texts:
    """The texts by language under a key; anything else there says nothing."""
    found = schema.get(key)
    if not isinstance(found, Mapping):
        return _without_language(found)
    return {language: text for language, text in found.items() if isinstance(text, str) and re.search(r"\S", text)}


def _without_language(text: Json) -> Texts:
    return {"": text} if isinstance(text, str) and text else {}
