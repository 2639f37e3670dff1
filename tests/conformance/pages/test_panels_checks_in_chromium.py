"""The values that the page takes for valid: those of JSON Schema, and of msgspec for the schemas it makes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ..strategies import Everything, of_schema

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

Opening = Callable[..., "Page"]

VALUES: list[Any] = [
    None, True, 0, 1, 3, 6, 9, -1, 0.5, 1.5, "", "a", "ab", "😀", "abcde", "low", "q", [], [1], [1, "a"], [1, 1],
    ["a"], ["low"], [[1], []], {}, {"a": 1}, {"a": "b"}, {"type": "first", "v": 1}, {"type": "second", "v": 1},
    {"type": "second", "w": ""}, {"host": "h"}, {"host": "", "port": 1}, {"host": "h", "x": 1},
    {"host": "h", "port": 70000}, [{"host": "h"}], {"children": [{"children": []}]}, {"children": [{"children": 1}]},
    "2026-11-21", "2026-13-21", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00", "YWI=", "YWI",
    "123e4567-e89b-12d3-a456-426614174000", "123e4567",
]  # fmt: skip
# msgspec accepts repeated items of a set; its schema does not.
STRICTER = {("unique", "[1,1]")}


def test_the_page_and_msgspec_agree_on_what_is_valid(opened: Opening) -> None:
    """Every kind of field against every kind of value."""
    schema = msgspec.json.schema(Everything)
    page = opened(*of_schema(schema))
    fields = msgspec.structs.fields(Everything)
    properties = schema["$defs"]["Everything"]["properties"]

    verdicts = page.evaluate(
        "([root, schemas, values]) => schemas.map((schema) => "
        "values.map((value) => !new Check(root, () => {}).errorsOf(schema, value).length))",
        [schema, [properties[field.name] for field in fields], VALUES],
    )

    differing = set()
    for field, row in zip(fields, verdicts, strict=True):
        for value, valid in zip(VALUES, row, strict=True):
            text = msgspec.json.encode(value)
            try:
                msgspec.json.decode(text, type=field.type)
                taken = True
            except msgspec.ValidationError:
                taken = False
            if taken != valid:
                differing.add((field.name, text.decode()))
    assert sorted(differing - STRICTER) == []
    assert sorted(STRICTER - differing) == []


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"const": {"a": [1, 2], "b": 0}}, [{"b": 0, "a": [1, 2]}], [{"a": [2, 1], "b": 0}]),
        ({"allOf": [{"minimum": 1}, {"maximum": 3}]}, [2, "x"], [0, 4]),
        ({"oneOf": [{"minimum": 2}, {"type": "integer"}]}, [1, 2.5], [2, 1.5]),
        ({"not": {"type": "string"}}, [1], ["x"]),
        ({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}, ["ab", 2], ["a", 1]),
        ({"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}, [{"x": 1}], [{"x": ""}]),
        ({"propertyNames": {"maxLength": 1}}, [{"a": 1}], [{"ab": 1}]),
        ({"minProperties": 1, "maxProperties": 2}, [{"a": 1}], [{}, {"a": 1, "b": 2, "c": 3}]),
        ({"format": "time"}, ["10:00:00Z"], ["25:00:00"]),
        ({"format": "duration"}, ["PT1.5S", "P1D", "P1W"], ["P", "PT", "1D"]),
        ({"exclusiveMinimum": 1, "exclusiveMaximum": 2}, [1.5], [1, 2]),
        ({"multipleOf": 0.1}, [0.3, 7], [0.35]),
        ({"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {"type": "null"}}}, [None], [0]),
        ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, [None], []),
        (False, [], [1, None]),
    ],
    ids=lambda value: json.dumps(value)[:50],
)  # fmt: skip
def test_the_keywords_that_msgspec_does_not_write_are_checked_too(
    opened: Opening, schema: Any, good: Any, bad: Any
) -> None:
    """A schema can be written by hand."""
    verdicts = opened().evaluate(
        "([schema, values]) => values.map((value) => !new Check(schema, () => {}).errorsOf(schema, value).length)",
        [schema, [*good, *bad]],
    )

    assert verdicts == [True] * len(good) + [False] * len(bad)
