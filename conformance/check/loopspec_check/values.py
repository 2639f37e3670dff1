"""Values of JSON that may be anything: what is missing, or of another kind than expected, is empty."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

Keys = tuple[str | int, ...]  # lead to a value inside a value


class Record(Struct, frozen=True):
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
            if not isinstance(value, dict):
                return None
            value = value.get(key)
        return value

    def text(self, *keys: str) -> str:
        """The text to which the keys lead."""
        return text(self.get(*keys))

    def inside(self, *keys: str) -> Record:
        """The value to which the keys lead, with its place."""
        return Record(self.get(*keys), self.line, self.at + keys)

    def within(self, *keys: str) -> Record:
        """The value under the first of the keys that the object has; the value itself without one."""
        return next((self.inside(key) for key in keys if key in self.fields), self)

    def items(self) -> list[Record]:
        """The values of a list."""
        values = self.value if isinstance(self.value, list) else []
        return [Record(value, self.line, (*self.at, place)) for place, value in enumerate(values)]

    def parts(self, *keys: str) -> list[Record]:
        """The objects of the list to which the keys lead."""
        if not isinstance(self.get(*keys), list):
            return []
        return [one for one in self.inside(*keys).items() if isinstance(one.value, dict)]


def text(value: object) -> str:
    """The value if it is a text."""
    return value if isinstance(value, str) else ""


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
        return msgspec.json.decode(arguments) if arguments.strip() else {}
    except (msgspec.DecodeError, RecursionError):
        return arguments
