"""From the words in cells and quotes to values, and back: the only parsing of feature text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from loopspec.contract.scene import File
from loopspec.contract.values import Json, ToolCall

from .declarations import ClosedList, NotWritable, OpenType, PhraseError, Word

_ESCAPE = re.compile(r"\\(?:([^nrt\\])\*(\d+)|x([0-9a-f]{2})|u([0-9a-f]{4})|([nrt\\]))")
_CALL = re.compile(r"\s*([^,(]+?)(?:\((.*?)\))?(?: as ([^,]+))?(?:,|$)")
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_ESCAPED = {plain: f"\\{letter}" for letter, plain in _PLAIN.items()}
_BYTES = range(0xDC80, 0xDD00)  # what `surrogateescape` makes of bytes that are no UTF-8


def unescape(text: str) -> bytes:
    r"""The bytes a text stands for: \n \r \t \\, \uXXXX for a character, \xXX for a byte, \k*9 for nine times the k."""
    return _ESCAPE.sub(_unescaped, text).encode(errors="surrogateescape")


def _unescaped(escape: re.Match[str]) -> str:
    repeated, count, byte, character, plain = escape.groups()
    if repeated:
        return repeated * int(count)
    if byte:
        return bytes.fromhex(byte).decode(errors="surrogateescape")
    return chr(int(character, 16)) if character else _PLAIN[plain]


def as_text(text: str) -> str:
    """`unescape`, where the outcome is text."""
    return unescape(text).decode(errors="replace")


def as_cell(text: str, *, keep: str = "") -> str:
    """The cell for a text. Characters in `keep` become escapes as well."""
    inside = range(len(text) - len(text.lstrip()), len(text.rstrip()))  # a cell loses the spaces around its text
    return "".join(
        letter if at in inside and letter not in keep and letter.isprintable() and letter != "\\" else _escape(letter)
        for at, letter in enumerate(text)
    )


def _escape(letter: str) -> str:
    if letter in _ESCAPED:
        return _ESCAPED[letter]
    number = ord(letter)
    if number in _BYTES:
        return f"\\x{number - 0xDC00:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else letter


def as_content(content: bytes) -> str:
    """The quoted text for the bytes of a file."""
    return as_cell(content.decode(errors="surrogateescape"), keep='"')


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


def json_text(value: Json) -> str:
    """A value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


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


def names_text(names: Iterable[str]) -> str:
    """A list of names in words. Raises `NotWritable` for a name that cannot be in a list."""
    return ", ".join(map(_name, names)) or "nothing"


def _name(name: str) -> str:
    if not name or name != name.strip() or any(letter in name for letter in '",') or not name.isprintable():
        raise NotWritable(f"{name!r} cannot be a name in a list")
    return f'"{name}"'


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise PhraseError(f"{text!r} is no number") from None


def _digits(number: object) -> str:
    if type(number) is not int and not (isinstance(number, str) and number.isdigit()):  # a text: the id of a run
        raise NotWritable(f"{number!r} is no whole number")
    return str(number)


def _times(text: str) -> int:
    return 1 if text == "once" else int(text.split()[0])


def times(number: int) -> str:
    """How many times, in words."""
    return "once" if number == 1 else f"{number} times"


def texts(text: str) -> tuple[str, ...]:
    """The texts of a cell that has `/` between them."""
    return tuple(text.split("/")) if text else ()


def joined(texts: Sequence[str]) -> str:
    """Texts with `/` between them. Raises `NotWritable` for texts that a cell does not give back."""
    whole = "/".join(texts)
    if any("/" in text for text in texts) or whole != whole.strip() or (texts and not whole):
        raise NotWritable(f"{list(texts)!r} cannot be written with / between them")
    if not (whole.isprintable() or not whole) or "\\" in whole:
        raise NotWritable(f"{list(texts)!r} has characters that a cell cannot hold")
    return whole


def quoted(text: object) -> str:
    """A text between quotes, as it is. Raises `NotWritable` for a text that cannot be there."""
    if not isinstance(text, str) or '"' in text or not (text.isprintable() or not text):
        raise NotWritable(f"{text!r} cannot be between quotes")
    return text


def plain(text: str | None) -> str:
    """A text of a cell that has no escapes. Raises `NotWritable` for a text that cannot be there, and for none."""
    if text is None or text != text.strip() or not text or not text.isprintable():
        raise NotWritable(f"{text!r} cannot be in a cell")
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


def calls_text(calls: Sequence[ToolCall], first: int = 1) -> str:
    """The tool calls in words, the first of which is number `first` of its table."""
    return ", ".join(_call(call, number) for number, call in enumerate(calls, first))


def _call(call: ToolCall, number: int) -> str:
    if any(letter in call.name for letter in '",()') or not call.name.strip() or call.name != call.name.strip():
        raise NotWritable(f"{call.name!r} cannot be called in a cell")
    args = "" if call.args == "{}" else f"({as_cell(call.args)})"
    return f"{call.name}{args}" + ("" if call.id == f"call {number}" else f" as {call.id}")


# What a hole or a cell holds, where the texts are too many to list.
QUOTED = OpenType("quoted text", "Any text without quotes.", "Hello.", str, quoted, r'[^"]*')
ANY_TEXT = OpenType("any text", "Any text, also with quotes in it.", 'say "Hello."', str, pattern=r".*")
TEXT = OpenType(
    "text",
    r"Any text; `\n`, `\r`, `\t`, `\\` and `\uXXXX` stand for characters, `\xXX` for a byte, `\k*9` for nine letters.",
    r"one\ntwo",
    as_text,
    as_cell,
)
NAMES = OpenType(
    "names",
    "Names with commas between them, each in quotes or not; `nothing` is the empty list.",
    't1, "look up"',
    names,
    names_text,
    r'(?:"[^"]+"|[^\s",]+)(?:, (?:"[^"]+"|[^\s",]+))*',
)
TEXTS = OpenType("texts", "Texts with `/` between them.", "sun/ny", texts, joined)
NUMBER = OpenType("number", "A whole number in digits.", "2", _number, _digits)
TIMES = OpenType(
    "times", "How many times: `once`, or a number in digits.", "2 times", _times, times, r"once|\d+ times?"
)
JSON = OpenType("JSON", "Any JSON value.", "[1, null]", as_json, json_text)
OBJECT = OpenType("JSON object", "A JSON object.", '{"size": 3}', as_object, json_text)
CODE = OpenType(
    "error code", "The code of an error of the harness, by which a Then recognizes the error.", "boom", str, plain
)
PATH = OpenType("path", "The path of a file.", "/p/a.md", str, plain)
NAME = OpenType("name", "The name of a tool, model, agent, middleware, node or field.", "t1", str, plain)
CALLS = OpenType(
    "tool calls",
    "Tools with commas between them, each maybe with arguments in parentheses, and with `as` and an id; without "
    "parentheses the arguments are `{}`, and without an id the calls of a table are `call 1`, `call 2` and so on.",
    't1, t2({"a": 1}) as c7',
    calls_of,
    calls_text,
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
