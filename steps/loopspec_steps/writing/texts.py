"""From texts, names and tool calls to the words of cells and quotes: the inverse of `cells`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from loopspec.contract.values import Json, ToolCall

from .steps import NotWritable

_PLAIN = {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_BYTES = range(0xDC80, 0xDD00)  # what `surrogateescape` makes of bytes that are no UTF-8


def as_cell(text: str, *, keep: str = "") -> str:
    """The cell for a text. Characters in `keep` become escapes as well."""
    inner = text.strip()
    start = text.index(inner) if inner else len(text)
    end = start + len(inner)
    return "".join(
        _escape(letter) if letter in keep or not start <= at < end else _plain(letter) for at, letter in enumerate(text)
    )


def _plain(letter: str) -> str:
    return letter if letter.isprintable() and letter != "\\" else _escape(letter)


def _escape(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    number = ord(letter)
    if number in _BYTES:
        return f"\\x{number - 0xDC00:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else letter


def as_content(content: bytes) -> str:
    """The quoted text for the bytes of a file."""
    return as_cell(content.decode(errors="surrogateescape"), keep='"')


def quoted(text: str, field: str) -> str:
    """A text between quotes, as it is. Raises `NotWritable` for a text that cannot be there."""
    if '"' in text or not (text.isprintable() or not text):
        raise NotWritable(field, f"{text!r} cannot be between quotes")
    return text


def plain(text: str, field: str, without: str = "") -> str:
    """A text of a cell that has no escapes. Raises `NotWritable` for a text that cannot be there."""
    if text != text.strip() or not text or not text.isprintable() or any(letter in text for letter in without):
        raise NotWritable(field, f"{text!r} cannot be in a cell")
    return text


def joined(texts: Sequence[str], field: str) -> str:
    """Texts with `/` between them. Raises `NotWritable` for texts that a cell does not give back."""
    whole = "/".join(texts)
    if any("/" in text for text in texts) or whole != whole.strip() or (texts and not whole):
        raise NotWritable(field, f"{list(texts)!r} cannot be written with / between them")
    if not (whole.isprintable() or not whole) or "\\" in whole:
        raise NotWritable(field, f"{list(texts)!r} has characters that a cell cannot hold")
    return whole


def names_text(names: Iterable[str], field: str) -> str:
    """A list of names. Raises `NotWritable` for a name that cannot be in a list."""
    return ", ".join(_name(name, field) for name in names) or "nothing"


def _name(name: str, field: str) -> str:
    if not name or name != name.strip() or any(letter in name for letter in '",') or not name.isprintable():
        raise NotWritable(field, f"{name!r} cannot be a name in a list")
    return f'"{name}"' if " " in name or name == "nothing" else name


def times(number: int) -> str:
    """How many times."""
    return "once" if number == 1 else f"{number} times"


def json_text(value: Json) -> str:
    """A value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def calls_text(calls: Sequence[ToolCall], first: int, field: str) -> str:
    """The tool calls of a cell, the first of which is number `first` of its table."""
    return ", ".join(_call(call, number, field) for number, call in enumerate(calls, first))


def _call(call: ToolCall, number: int, field: str) -> str:
    if any(letter in call.name for letter in '",()') or not call.name.strip() or call.name != call.name.strip():
        raise NotWritable(f"{field}.name", f"{call.name!r} cannot be called in a cell")
    args = "" if call.args == "{}" else f"({as_cell(call.args)})"
    return f"{call.name}{args}" + ("" if call.id == f"call {number}" else f" as {call.id}")
