"""The evidence of a case that did not pass, as texts that fit a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring
from typing import NamedTuple

import msgspec

from ...contract.observation import Observation
from ...engine.result import CaseLine

LIMIT = 4096  # characters of one text
TOTAL = 20_000_000  # characters of all texts: beyond that, each gets fewer
_WIDTH = 64  # characters of a line of JSON
_DEEP = 40  # levels of JSON that are broken into lines


class Part(NamedTuple):
    """A text by its name. `length` is that of the whole, in the report, where it was cut; else 0."""

    name: str
    text: str
    length: int = 0


def limit_for(lines: Iterable[CaseLine]) -> int:
    """The number of characters that each text may have, so that all of them together fit a page."""
    lengths = [length for line in lines for length in _lengths(line)]
    limit = LIMIT
    while limit > 64 and sum(min(length, limit) for length in lengths) > TOTAL:
        limit //= 2
    return limit


def _lengths(line: CaseLine) -> Iterator[int]:
    if line.scene is not None:
        yield _size(line.scene)
    if line.observation is not None:
        yield from (_size(value) for _, value in _filled(line.observation))
    yield from map(len, (line.message, line.expected, line.seen, *line.evidence.values()))


def _size(value: object) -> int:
    try:
        return len(msgspec.json.encode(value, enc_hook=repr))
    except UnicodeEncodeError:  # half a character of UTF-16
        return len(_compact(msgspec.to_builtins(value, enc_hook=repr)))


def cut(name: str, text: str, limit: int = LIMIT) -> Part:
    """A text, cut where it is too long."""
    return Part(name, text) if len(text) <= limit else Part(name, text[:limit], len(text))


def parts_of(line: CaseLine, limit: int = LIMIT) -> list[Part]:
    """The evidence apart from the scene: each part of the Observation that is not empty, then other texts."""
    found = [] if line.observation is None else _filled(line.observation)
    parts = [as_json(name.replace("_", " "), value, limit) for name, value in found]
    return parts + [cut(name, text, limit) for name, text in line.evidence.items()]


def scene_of(line: CaseLine, limit: int = LIMIT) -> Part | None:
    """The Scene, where the report has one."""
    return None if line.scene is None else as_json("scene", line.scene, limit)


def _filled(observation: Observation) -> list[tuple[str, object]]:
    values = ((name, getattr(observation, name)) for name in observation.__struct_fields__)
    return [(name, value) for name, value in values if value not in ((), None)]


def as_json(name: str, value: object, limit: int = LIMIT) -> Part:
    """A value as JSON, up to the limit; what fits on one line is on one line."""
    plain = msgspec.to_builtins(value, enc_hook=repr)
    compact = _compact(plain)
    chunks: list[str] = []
    _write(plain, compact, 0, chunks, limit)
    text = "".join(chunks)
    return Part(name, text) if len(text) <= limit else Part(name, text[:limit], len(compact))


def _write(value: object, compact: str, depth: int, chunks: list[str], limit: int) -> None:
    """Append JSON piece by piece, and stop when there are enough pieces for the limit."""
    if not isinstance(value, dict | list | tuple) or len(compact) + 2 * depth <= _WIDTH or depth == _DEEP:
        chunks.append(compact)
        return
    margin = "\n" + "  " * (depth + 1)
    if isinstance(value, dict):
        opening, closing = "{", "}"
        pairs = [(f"{_compact(key)}: ", each) for key, each in value.items()]
    else:
        opening, closing = "[", "]"
        pairs = [("", each) for each in value]
    chunks.append(opening)
    for number, (key, each) in enumerate(pairs):
        if len(chunks) > limit:
            return
        chunks.append(f"{',' if number else ''}{margin}{key}")
        _write(each, _compact(each), depth + 1, chunks, limit)
    chunks.append(margin[:-2] + closing)


def _compact(value: object) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()  # on one line, with spaces
    except UnicodeEncodeError:  # half a character of UTF-16
        return json.dumps(value, ensure_ascii=False)
