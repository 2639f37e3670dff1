"""From the words in cells and quotes to values: the only parsing of feature text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeVar

from loopspec.contract.scene import File
from loopspec.contract.values import Json

from .phrasebook import PhraseError

T = TypeVar("T")

_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([nrt\\]))")
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


def one_of(text: str, meanings: Mapping[str, T]) -> T:
    """The meaning of a word from a closed list."""
    if text not in meanings:
        raise PhraseError(f"{text!r} is none of {', '.join(map(repr, meanings))}")
    return meanings[text]
