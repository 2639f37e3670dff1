"""The failure of a check, and the check that conversations share: each tool call has its result."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from .names import shortened
from .values import Error, Message

_LONG, _LONG_ERROR = 2000, 400  # characters of a text, and of the message of an error, that are shown completely


class Mismatch(AssertionError):
    """A scenario expects another value than the one seen. Raised, so that `python -O` cannot disable the check.

    `what` names the compared value, `hint` says how to fix the difference, if that is known.
    """

    def __init__(self, what: str, expected: object, seen: object, hint: str = "") -> None:
        self.what = f"{what}: {hint}" if hint else what
        self.expected = shown(expected)
        self.seen = shown(seen)
        super().__init__(self.what)

    def __str__(self) -> str:
        return f"{self.what}\n  expected: {self.expected}\n  seen:     {self.seen}"

    def add(self, sentence: str) -> None:
        """Add a sentence to what was seen."""
        self.seen += f"\n    {sentence}" if "\n" in self.seen else f"; {sentence}"


def expect(what: str, expected: object, seen: object, hint: str = "") -> None:
    """Compare two whole values."""
    if expected != seen:
        raise Mismatch(what, expected, seen, hint)


def shown(value: object) -> str:
    """A value for a reader: on one line, or with one line for each element; a text is shown unchanged.

    A record is shown as JSON, without its defaults, so that each value has its name.

    An element of several lines begins with a dash, and its lines keep their indentation. A shortened text has an
    ellipsis.
    """
    match value:
        case str():
            return _text(value)
        case bool():
            return "yes" if value else "no"
        case None | () | []:
            return "nothing"
        case Error():
            return _error(value)
        case dict():
            return _text(_json(value))
        case set() | frozenset():
            return shown(sorted(value, key=repr))
        case Struct():
            return _text(_json(msgspec.to_builtins(value, enc_hook=repr)))
        case tuple() if hasattr(value, "_asdict"):
            return _text(_json({name: each for name, each in value._asdict().items() if each not in (None, ())}))
        case list() | tuple():
            return _listed([_element(item) for item in value])
        case _:
            return _text(repr(value))


def _json(value: dict[object, object]) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_as_json)
    except (TypeError, ValueError):  # with keys that JSON does not have, or recursive
        return repr(value)


def _as_json(value: object) -> object:
    """A value inside others that JSON does not have."""
    return msgspec.to_builtins(value) if isinstance(value, Struct) else repr(value)


def excerpt(text: str, length: int) -> str:
    """The beginning of a text, with an ellipsis if the text is longer."""
    return text if len(text) <= length else f"{text[:length]}…"


def _text(text: str) -> str:
    return shortened(text, _LONG) or '""'


def _element(value: object) -> str:
    """An element of a list; an element that is a list is printed on one line."""
    if isinstance(value, list | tuple) and value and not hasattr(value, "_asdict"):
        return ", ".join(map(_element, value))
    return shown(value)


def _listed(items: list[str]) -> str:
    if len(items) == 1:
        return items[0]
    if any("\n" in item for item in items):
        items = ["- " + item.replace("\n", "\n      ") for item in items]
    return "".join(f"\n    {item}" for item in items)


def _error(error: Error) -> str:
    """An error by its code or kind. The message of an error of no known kind begins with the exception's name."""
    if error.kind == "other" and error.message:
        where = f", raised at {error.place}" if error.place else ""
        return f"{shortened(error.message, _LONG_ERROR)} (an error of no known kind{where})"
    if error.code:
        return f"the error {error.code}"
    return f"the error {error.kind}" + (f" ({shortened(error.message, _LONG_ERROR)})" if error.message else "")


def is_answered(messages: Sequence[Message]) -> bool:
    """Whether each call in a conversation has its result."""
    try:
        must_be_answered(messages, "")
    except Mismatch:
        return False
    return True


def must_be_answered(messages: Sequence[Message], where: str, open_end: bool = False) -> None:
    """Raise `Mismatch` unless each answer is followed by one result for each of its calls, in any order.

    With `open_end`, calls of the last answer may have no results.
    """
    if not any(message.tool_calls or message.role == "tool" for message in messages):
        return
    for at, ids, results in results_of_answers(messages):
        if messages[at].role == "tool":
            raise Mismatch(f"message {at + 1} of {where}", "a message other than a result", messages[at])
        if results == ids:
            continue
        may_lack = open_end and at + 1 + len(results) == len(messages)
        if (Counter(results) - Counter(ids)) or (len(results) < len(ids) and not may_lack):
            raise Mismatch(f"the results after message {at + 1} of {where}", ids, results)


def results_of_answers(messages: Sequence[Message]) -> Iterator[tuple[int, list[str], list[str | None]]]:
    """The place of each message but results, the ids of its calls, and those of the results that directly follow."""
    at, count = 0, len(messages)
    while at < count:
        end = at + 1
        while end < count and (messages[end].role == "tool" or messages[end].tool_call_id is not None):
            end += 1
        results = [message.tool_call_id for message in messages[at + 1 : end]]
        yield at, [call.id for call in messages[at].tool_calls], results
        at = end
