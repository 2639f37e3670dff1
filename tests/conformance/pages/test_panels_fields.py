"""From a config schema to the fields of a panel."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from loopspec.pages.panels.fields import Field, form_of

from ..parsed_page import page_of
from ..strategies import CACHE, Everything, of_schema


def kinds(schema: Any) -> dict[str, str]:
    """The kind of field that each property becomes."""
    return {child.key: child.kind for child in form_of(schema, "p").root.children}


def only(schema: Any, **more: Any) -> Field:
    """The field of an optional property with this schema."""
    (child,) = form_of({"type": "object", "properties": {"a": schema}, **more}, "p").root.children
    return child


def test_everything_msgspec_generates_becomes_a_field() -> None:
    """Nothing is dropped: what has no field of its own is entered as JSON."""
    as_json = {"either", "pair", "mapped", "anything", "tagged"}

    found = kinds(msgspec.json.schema(Everything))

    assert list(found) == list(Everything.__struct_fields__)
    assert {name for name, kind in found.items() if kind == "json"} == as_json
    assert {name: kind for name, kind in found.items() if name not in as_json} == {
        **dict.fromkeys(["text", "short", "when", "day", "which", "data"], "string"),
        **dict.fromkeys(["whole", "limited", "maybe"], "integer"),
        **dict.fromkeys(["maybe_flag", "level", "number", "one_of"], "choice"),
        **dict.fromkeys(["words", "unique", "levels", "rows", "places"], "array"),
        **dict.fromkeys(["place", "maybe_place", "tree"], "object"),
        "real": "number",
        "flag": "boolean",
    }


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "default": 5}, "json"),
        ({"type": "integer", "default": 1.5}, "json"),
        ({"type": "integer", "default": True}, "json"),
        ({"type": "boolean", "default": "yes"}, "json"),
        ({"enum": ["a"], "default": "b"}, "json"),
        ({"enum": [None]}, "json"),
        ({"type": "array", "items": {"type": "string"}, "default": "a"}, "json"),
        ({"type": "object", "properties": {"x": {}}, "default": {"z": 1}}, "json"),
        ({"type": "object", "properties": {"x": {}}, "default": []}, "json"),
        ({"type": "object"}, "json"),
        ({"type": "array"}, "json"),
        ({"type": ["integer", "string"]}, "json"),
        ({"type": ["integer", "null"]}, "integer"),
        ({"oneOf": [{"type": "null"}, {"type": "string"}]}, "string"),
        ({"allOf": [{"type": "string"}], "title": "T"}, "string"),
        ({"allOf": [{"type": "string"}, {"minLength": 3}]}, "json"),
        ({"const": "a"}, "choice"),
        (True, "json"),
        (False, "json"),
        ({"type": "boolean"}, "choice"),
        ({"type": "boolean", "default": False}, "boolean"),
    ],
    ids=json.dumps,
)
def test_what_a_field_would_lose_is_entered_as_json(schema: Any, kind: str) -> None:
    """A default that does not fit is shown."""
    found = only(schema)

    assert found.kind == kind
    if kind == "json" and isinstance(schema, dict) and "default" in schema:
        assert json.loads(found.shown) == schema["default"]


def test_further_properties_have_a_field_too() -> None:
    """As JSON, with what a default holds of it."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": {"type": "integer"},
        "default": {"a": "x", "b": 1},
    }

    a, more = form_of(schema, "p").root.children

    assert (a.shown, more.kind, more.extra, json.loads(more.shown)) == ("x", "json", True, {"b": 1})


def test_a_schema_that_contains_itself_ends() -> None:
    """In JSON, at some depth."""
    deepest = form_of(
        {
            "$ref": "#/$defs/T",
            "$defs": msgspec.json.schema(Everything)["$defs"]
            | {"T": {"type": "object", "properties": {"next": {"$ref": "#/$defs/T"}}}},
        },
        "p",
    ).root
    while deepest.children:
        (deepest,) = deepest.children

    assert deepest.kind == "json"


def test_a_schema_that_is_no_object_is_one_field() -> None:
    """A map, a number, anything."""
    assert form_of({"type": "object", "additionalProperties": {"type": "integer"}}, "p").root.kind == "json"
    assert form_of({"type": "integer"}, "p").root.kind == "integer"
    assert form_of(True, "p").root.kind == "json"
    assert "Options" in {label.text.split()[0] for label in page_of(*of_schema({"type": "integer"})).all("label")}


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"$ref": "#/nowhere"}, "$ref '#/nowhere' leads nowhere"),
        ({"$ref": "https://example.org/s"}, "$ref 'https://example.org/s' leads out of the schema"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, "$ref '#/$defs/A' leads to itself"),
        ({"$ref": "#/title", "title": "T"}, "$ref '#/title' leads to no schema"),
        ({"$ref": "#/anyOf/7", "anyOf": [True]}, "$ref '#/anyOf/7' leads nowhere"),
        ({"type": "str"}, "#/type is 'str'"),
        ({"properties": []}, "#/properties does not map names to schemas"),
        ({"properties": {"a": 5}}, "#/properties/a is no schema but 5"),
        ({"items": "x" * 99}, f"#/items is no schema but '{'x' * 79}…"),
        ({"anyOf": []}, "#/anyOf is no list of schemas"),
        ({"enum": []}, "#/enum is no list of values"),
        ({"required": "a"}, "#/required is no list of names"),
        ({"minimum": "1"}, "#/minimum is no number"),
        ({"multipleOf": 0}, "#/multipleOf is not more than 0"),
        ({"minLength": -1}, "#/minLength is no count"),
        ({"pattern": 1}, "#/pattern is no text"),
        ({"minimum": float("nan")}, "it is no JSON: Out of range float values are not JSON compliant"),
        ({"default": object}, "it is no JSON: Object of type type is not JSON serializable"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_broken_schema_breaks_its_own_panel_only(schema: Any, complaint: str) -> None:
    """It says what is wrong, and the others are there."""
    (broken,) = of_schema(schema)

    page = page_of(broken, ("cache", CACHE))

    (note,) = [element for element in page.all("p") if "broken" in (element.attributes.get("class") or "")]
    assert complaint in note.text
    assert len(page.all("form")) == 1


def test_a_schema_of_great_depth_is_no_trouble() -> None:
    """Its panel is there or says why not."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(5000):
        schema = {"type": "array", "items": schema}

    assert len(page_of(*of_schema(schema), ("cache", CACHE)).all("section")) == 2


def test_what_the_page_cannot_check_is_said() -> None:
    """And not passed over in silence."""
    page = page_of(
        *of_schema({"type": "object", "properties": {"a": {"type": "string", "format": "email"}}, "x-ui": {}})
    )

    (note,) = [element for element in page.all("p") if "data-unchecked" in element.attributes]
    assert "hidden" not in note.attributes
    assert note.text == "The schema requires more than this page can check: format."


def test_a_label_comes_from_the_schema_by_language() -> None:
    """Else it is the title, else the name; the title of a type is none."""
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "x-label": {"zh_Hans": "甲", "en_US": " "}, "title": "A title"},
            "b": {"type": "string", "title": "B title", "x-label": 5},
            "c": {"$ref": "#/$defs/C"},
            "d": {"anyOf": [{"type": "string", "x-label": {"zh_Hans": "丁"}}, {"type": "null"}]},
        },
        "$defs": {"C": {"type": "string", "title": "Type", "description": "Help."}},
    }

    fields = form_of(schema, "p").root.children

    assert [child.label for child in fields] == [
        {"": "A title", "zh_Hans": "甲"},
        {"": "B title"},
        {"": "c"},
        {"": "d", "zh_Hans": "丁"},
    ]
    assert fields[2].help == {"": "Help."}


def test_a_union_with_itself_ends() -> None:
    """It says nothing about what it is."""
    itself = {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}

    root = form_of({"$ref": "#/$defs/A", "$defs": {"A": itself}}, "p").root

    assert (root.kind, root.nullable, root.example) == ("json", True, '"text"')


def test_an_example_is_of_the_kind_of_its_field() -> None:
    """As far as the schema says."""
    schemas = {
        '{"name": 1}': {"type": "object", "additionalProperties": {"type": "integer"}},
        '[5, "text"]': {"prefixItems": [{"type": "integer", "minimum": 5}, {"type": "string"}], "type": "array"},
        "true": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
        '"b"': {"examples": ["b"]},
        '{"k": "v"}': {"type": "object", "default": {"k": "v"}},
    }

    assert [only(schema).example for schema in schemas.values()] == list(schemas)
