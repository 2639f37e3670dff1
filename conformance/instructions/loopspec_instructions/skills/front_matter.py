"""The front matter of a SKILL.md: the fields that tools read, and what a strict parser of YAML refuses.

This is no parser of YAML: it knows one line for each field, quotes, blocks and continued lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

_FIELD = re.compile(r"( *)([\w-]+) *:(?:\s+(.*))?")
_NO_TEXT = re.compile(r"|[-+]?\d+(\.\d+)?|true|false|null|~", re.IGNORECASE)
_CLOSED_BY = {"'": "'", '"': '"', "[": "]", "{": "}"}


class Field(Struct, frozen=True):
    """The value of a field. `is_text` is false for a number, a list, a map and the like."""

    text: str
    is_text: bool = True


class FrontMatter(Struct, frozen=True):
    """The fields by name, the text after them, and the faults: questions about what a strict parser refuses."""

    fields: Mapping[str, Field]
    body: str
    faults: frozenset[str] = frozenset()


def front_matter(text: str, *, is_exact: bool) -> FrontMatter | None:
    """Return the front matter of a text, or None without one. `is_exact`: no space may follow the opening line."""
    lines = text.splitlines()
    if not lines or (lines[0] if is_exact else lines[0].strip()) != "---":
        return None
    end = next((number for number, line in enumerate(lines) if number and line.strip() == "---"), 0)
    return _parsed(lines[1:end], "\n".join(lines[end + 1 :])) if end else None


def _parsed(lines: Sequence[str], body: str) -> FrontMatter:
    fields: dict[str, Field] = {}
    faults: set[str] = set()
    indent, number = None, 0
    while number < len(lines):
        field = _FIELD.fullmatch(lines[number])
        number += 1
        if field is None or indent not in (None, field[1]):
            faults.update(["broken-field"] if lines[number - 1].strip()[:1] not in ("", "#") else [])
            continue
        indent, start = field[1], number
        while number < len(lines) and (not lines[number].strip() or lines[number].startswith((indent + " ", "- "))):
            number += 1
        faults.update(["repeated-field"] if field[2] in fields else [])
        fields[field[2]] = _value((field[3] or "").strip(), [line.strip() for line in lines[start:number]], faults)
    return FrontMatter(fields, body, frozenset(faults))


def _value(text: str, more: Sequence[str], faults: set[str]) -> Field:
    """The value that begins in the line of a field, and may continue in more lines."""
    if re.fullmatch(r"[|>][-+\d]*", text):
        return Field(("\n" if text[0] == "|" else " ").join(more).strip())
    if not text and any(line.startswith("-") or _FIELD.fullmatch(line) for line in more):
        return Field("", is_text=False)
    text = " ".join([text, *filter(None, more)]).strip()
    if closing := _CLOSED_BY.get(text[:1]):
        if len(text) < 2 or text[-1] != closing:
            faults.add("broken-field")
            return Field(text)
        return Field(text, is_text=False) if closing in "]}" else Field(_unquoted(text))
    text = text.partition(" #")[0].rstrip()
    faults.update(["broken-field"] if text[:1] and text[0] in "@`%&*!|>" else [])
    faults.update(["colon"] if ": " in text or text.endswith(":") else [])
    return Field(text, is_text=not _NO_TEXT.fullmatch(text))


def _unquoted(text: str) -> str:
    try:
        return msgspec.json.decode(text.encode(), type=str)
    except msgspec.DecodeError:
        return text[1:-1].replace("''", "'")
