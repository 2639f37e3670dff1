"""Mutants about the content that a backend returns, and about ranges of its lines."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from unittest.mock import patch

from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import backends as module

from .registry import mutant

Change = Callable[[bytes], Content]


def _of_whole_files(change: Change) -> AbstractContextManager[object]:
    """Patch the content of whole files, without ranges."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        is_range = request.offset > 1 or request.limit > 0
        return content if is_range else change(content.encode() if isinstance(content, str) else content)

    return patch.object(MemoryBackend, "read", reads)


def _of_ranges(change: Callable[[bytes, ReadRequest], bytes]) -> AbstractContextManager[object]:
    """Patch how lines are picked."""
    return patch.object(module, "pick_lines", change)


_pick = module.pick_lines


@mutant("BACKEND-07", backend="memory")
def replaces_invalid_bytes() -> AbstractContextManager[object]:
    """Replaces bytes that are not valid UTF-8."""
    return _of_whole_files(lambda content: content.decode(errors="replace"))


@mutant("BACKEND-08", backend="memory")
def composes_stored_characters() -> AbstractContextManager[object]:
    """Converts text to the composed Unicode form."""

    def composed(content: bytes) -> Content:
        try:
            return unicodedata.normalize("NFC", content.decode())
        except UnicodeDecodeError:
            return content

    return _of_whole_files(composed)


@mutant("BACKEND-09", backend="memory")
def strips_content() -> AbstractContextManager[object]:
    """Removes spaces, tabs and form feeds at both ends of a file."""
    return _of_whole_files(lambda content: content.strip(b" \t\f"))


@mutant("BACKEND-10", backend="memory")
def loses_the_last_block() -> AbstractContextManager[object]:
    """Loses the last byte of a file that ends at the size of a buffer."""
    return _of_whole_files(lambda content: content if len(content) % 4096 else content[:-1])


@mutant("BACKEND-11", backend="memory")
def converts_line_endings_of_ranges() -> AbstractContextManager[object]:
    """Converts the line endings in a range of lines."""
    return _of_ranges(lambda content, request: _pick(content, request).replace(b"\r\n", b"\n"))


@mutant("BACKEND-12", backend="memory")
def splits_lines_like_unicode() -> AbstractContextManager[object]:
    """Ends a line at every character that Unicode counts as a line boundary."""

    def picked(content: bytes, request: ReadRequest) -> bytes:
        first = max(request.offset, 1) - 1
        last = first + request.limit if request.limit >= 1 else None
        lines = content.decode(errors="surrogateescape").splitlines(keepends=True)
        return "".join(lines[first:last]).encode(errors="surrogateescape")

    return _of_ranges(picked)


@mutant("BACKEND-13", backend="memory", neighbors={"BACKEND-07": "the last line of a range has no line feed"})
def drops_an_unfinished_line() -> AbstractContextManager[object]:
    """Returns only lines with a line feed from a range."""

    def picked(content: bytes, request: ReadRequest) -> bytes:
        return b"".join(line for line in _pick(content, request).splitlines(keepends=True) if line.endswith(b"\n"))

    return _of_ranges(picked)


@mutant("BACKEND-47", backend="memory")
def parses_json() -> AbstractContextManager[object]:
    """Returns the value of a file that contains JSON."""

    def parsed(content: bytes) -> Content:
        with suppress(ValueError):
            value = json.loads(content)
            if isinstance(value, list | dict):
                return value  # type: ignore[return-value]  # the bug
        return content

    return _of_whole_files(parsed)


@mutant(
    "BACKEND-48",
    backend="memory",
    neighbors={
        "BACKEND-20": "a refused name below a file is read",
        "BACKEND-27": "a path below a file is read",
    },
)
def returns_a_sentence_for_an_error() -> AbstractContextManager[object]:
    """Returns a sentence about the error for a path below a file."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except NotADirectoryError as error:
            return f"Error: {error}"

    return patch.object(MemoryBackend, "read", reads)


@mutant(
    "BACKEND-49",
    backend="memory",
    neighbors={"AMD-BACKEND-12": "an example is an empty file", "BACKEND-50": "an empty file is deleted"},
)
def describes_an_empty_file() -> AbstractContextManager[object]:
    """Returns a reminder for a model in place of an empty file."""
    return _of_whole_files(lambda content: content or "System reminder: the file is empty.")
