"""Values of JSON that may be anything: what is missing, or of another kind than expected, is empty."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

import msgspec
from msgspec import Struct

loads = partial(json.loads, parse_int=float)  # an integer may have more digits than `int` reads
Keys = tuple[str | int, ...]  # lead to a value inside a value


class Record(Struct, frozen=True, gc=False):
    """A JSON value of a file: the whole file, one of its lines, or a value in it.

    `line` is counted from 1, and `at` leads to the value inside that of the line.
    """

    value: object
    line: int = 1
    at: Keys = ()

    @property
    def fields(self) -> Mapping[str, object]:
        """The fields of an object."""
        return self.value if isinstance(self.value, dict) else {}

    def get(self, *keys: str) -> object:
        """The value inside objects to which the keys lead; None if there is none."""
        value = self.value
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def text(self, *keys: str) -> str:
        """The text to which the keys lead."""
        return text(self.get(*keys))

    def inside(self, *keys: str) -> Record:
        """The value to which the keys lead, with its place."""
        return Record(self.get(*keys), self.line, self.at + keys)

    def within(self, *keys: str) -> Record:
        """The value under the first of the keys that the object has; the value itself without one."""
        fields = self.fields
        for key in keys:
            if key in fields:
                return Record(fields[key], self.line, (*self.at, key))
        return self

    def items(self, *keys: str) -> list[Record]:
        """The values of the list to which the keys lead."""
        values, at = self.get(*keys), self.at + keys
        places = enumerate(values) if isinstance(values, list) else ()
        return [Record(value, self.line, (*at, place)) for place, value in places]

    def parts(self, *keys: str) -> list[Record]:
        """The objects of the list to which the keys lead."""
        return [one for one in self.items(*keys) if isinstance(one.value, dict)]


def text(value: object) -> str:
    """The value if it is a text."""
    return value if isinstance(value, str) else ""


def id_of(value: object) -> str:
    """The id of a call, which some servers give as a number."""
    return value if isinstance(value, str) else str(value) if isinstance(value, (int, float)) else ""


def text_of(content: object) -> object:
    """The text of a content that is a text or a list of parts, or the content itself if it is more than text."""
    if isinstance(content, str):
        return content
    texts = [part.text("text") for part in Record(content).items()]
    return "".join(texts) if all(texts) else content


def decoded(arguments: object) -> object:
    """The arguments of a call. A text is decoded if it is JSON, and nothing means no arguments."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        return json_value(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments


def json_value(written: str | bytes) -> object:
    """The value of a JSON text. Raises `ValueError` and `RecursionError`."""
    try:
        value: object = msgspec.json.decode(written)
    except (msgspec.DecodeError, UnicodeError):  # `json` reads half a surrogate pair and NaN, and names the place
        value = loads(written if isinstance(written, str) else written.decode())
    return value
