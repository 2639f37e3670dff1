"""From the words in cells and quotes to values: the only parsing of feature text."""

from __future__ import annotations

import json
import re

from loopspec.contract.scene import File
from loopspec.contract.values import Json, ToolCall

from .declarations import ClosedList, OpenType, PhraseError, Word

_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([nrt\\]))")
_CALL = re.compile(r"\s*([^,(]+?)(?:\((.*?)\))?(?: as ([^,]+))?(?:,|$)")
_PLAIN = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}


def unescape(text: str) -> bytes:
    r"""The bytes a text stands for: \n \r \t \\, \uXXXX for a character, \xXX for a byte."""
    out, at = [], 0
    for hit in _ESCAPE.finditer(text):
        out.append(text[at : hit.start()].encode())
        byte, character, plain = hit.groups()
        if byte:
            out.append(bytes.fromhex(byte))
        elif character:
            out.append(chr(int(character, 16)).encode())
        else:
            out.append(_PLAIN[plain])
        at = hit.end()
    return b"".join([*out, text[at:].encode()])


def as_text(text: str) -> str:
    """`unescape`, where the outcome is text."""
    return unescape(text).decode(errors="replace")


def file_of(text: str) -> File:
    """The file with this content, escapes and all."""
    content = unescape(text)
    try:
        return File(text=content.decode())
    except UnicodeDecodeError:
        return File(base64=content)


def as_json(text: str) -> Json:
    """The value that a text holds as JSON."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise PhraseError(f"{text!r} is no JSON: {error}") from error


def as_arguments(text: str) -> str:
    """The arguments of a tool call in one spelling: equal for equal JSON. A text that is no JSON stays as it is."""
    try:
        return json.dumps(json.loads(text, parse_int=float), sort_keys=True)
    except ValueError:
        return text


def as_object(text: str) -> dict[str, Json]:
    """The same, where it has to be an object."""
    value = as_json(text)
    if not isinstance(value, dict):
        raise PhraseError(f"{text!r} is no JSON object")
    return value


def names(text: str) -> tuple[str, ...]:
    """A list of names: separated by commas, each in quotes or not; `nothing` is the empty list."""
    if text == "nothing":
        return ()
    return tuple(part.strip().strip('"') for part in text.split(","))


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise PhraseError(f"{text!r} is no number") from None


def _times(text: str) -> int:
    return 1 if text == "once" else int(text.split()[0])


def texts(text: str) -> tuple[str, ...]:
    """The texts of a cell that has `/` between them."""
    return tuple(text.split("/")) if text else ()


def _any_text(text: str) -> str:
    return text


def calls_of(text: str, first: int = 1) -> tuple[ToolCall, ...]:
    """The tool calls of a cell: `t1, t2({"a": 1}) as c7`. Ids are `call 1` and so on, where none is given.

    A call without parentheses has an empty object as its arguments, and one with `()` an empty text.
    """
    if not text or text == "nothing":
        return ()
    found = [hit.groups() for hit in _CALL.finditer(text)]
    return tuple(
        ToolCall(id=as_given or f"call {number}", name=name.strip('"'), args="{}" if args is None else as_text(args))
        for number, (name, args, as_given) in enumerate(found, first)
    )


# What a hole or a cell holds, where the texts are too many to list.
QUOTED = OpenType("quoted text", "Any text without quotes.", "Hello.", _any_text, r'[^"]*')
ANY_TEXT = OpenType("any text", "Any text, also with quotes in it.", 'say "Hello."', _any_text, r".*")
TEXT = OpenType(
    "text",
    r"Any text; `\n`, `\r`, `\t` and `\\` stand for characters, `\uXXXX` for a code point, and `\xXX` for a byte.",
    r"one\ntwo",
    as_text,
)
NAMES = OpenType(
    "names",
    "Names with commas between them, each in quotes or not; `nothing` is the empty list.",
    't1, "look up"',
    names,
    r'(?:"[^"]+"|[^\s",]+)(?:, (?:"[^"]+"|[^\s",]+))*',
)
TEXTS = OpenType("texts", "Texts with `/` between them.", "sun/ny", texts)
NUMBER = OpenType("number", "A whole number in digits.", "2", _number)
TIMES = OpenType("times", "How many times: `once`, or a number in digits.", "2 times", _times, r"once|\d+ times?")
JSON = OpenType("JSON", "Any JSON value.", "[1, null]", as_json)
OBJECT = OpenType("JSON object", "A JSON object.", '{"size": 3}', as_object)
CODE = OpenType("error code", "The code of an error of the harness, by which a Then recognizes the error.", "boom", str)
PATH = OpenType("path", "The path of a file.", "/p/a.md", str)
NAME = OpenType("name", "The name of a tool, model, agent, middleware, node or field.", "t1", str)

CALLS = OpenType(
    "tool calls",
    "Tools with commas between them, each maybe with arguments in parentheses, and with `as` and an id; without "
    "parentheses the arguments are `{}`, and without an id the calls of a table are `call 1`, `call 2` and so on.",
    't1, t2({"a": 1}) as c7',
    calls_of,
)

YES: ClosedList[bool] = ClosedList(
    "yes", "Whether the statement of the column is true.", Word("yes", "The statement is true.", True)
)
YES_NO: ClosedList[bool] = ClosedList(
    "yes or no",
    "Whether the statement of the column is true.",
    Word("yes", "The statement is true.", True),
    Word("no", "The statement is false.", False),
)
