"""Realistic bugs of stores: in the content that a read returns, and in ranges of its lines."""

from __future__ import annotations

import gzip
import html
import os
import re
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from string import Template
from unittest.mock import patch

from loopspec.contract.scene import ReadRequest as Request
from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import backends as module
from loopspec_reference_adapter.stores import MemoryStore

from ..registry import bug

_FRONT_MATTER = re.compile(rb"\A---\n.*?\n---\n", re.DOTALL)
_LINE_LIMIT = 1 << 16  # the limit of a line in asyncio's streams

_pick = module.pick_lines


def _returning(change: Callable[[bytes], Content]) -> AbstractContextManager[object]:
    """Patch the content that a store returns."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        return change(content.encode() if isinstance(content, str) else content)

    return patch.object(MemoryBackend, "read", reads)


def _picking(pick: Callable[[bytes, ReadRequest], bytes]) -> AbstractContextManager[object]:
    """Patch how lines are picked from a file, also from a whole one."""
    return patch.object(module, "pick_lines", pick)


def _slice(request: ReadRequest) -> slice:
    """The indices of the requested lines."""
    first = max(request.offset, 1) - 1
    return slice(first, first + request.limit if request.limit >= 1 else None)


@bug("BACKEND-09", "AMD-BACKEND-12", backend="memory")
def drops_line_feeds_at_the_end() -> AbstractContextManager[object]:
    """Removes the line feeds at the end of a file."""
    return _returning(lambda content: content.rstrip(b"\n"))


@bug("BACKEND-07", backend="memory")
def replaces_invalid_bytes_of_ranges() -> AbstractContextManager[object]:
    """Decodes a file to pick lines, and replaces bytes that are not valid UTF-8."""

    def picked(content: bytes, request: ReadRequest) -> bytes:
        return _pick(content.decode(errors="replace").encode(), request)

    return _picking(picked)


@bug("BACKEND-07", backend="memory")
def decompresses_content() -> AbstractContextManager[object]:
    """Decompresses a file that begins like one of gzip, as an HTTP client does."""

    def decompressed(content: bytes) -> bytes:
        try:
            return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        except (OSError, EOFError, zlib.error):
            return content

    return _returning(decompressed)


@bug("AMD-BACKEND-12", backend="memory")
def expands_variables_in_content() -> AbstractContextManager[object]:
    """Expands environment variables in the content, as loaders of configuration files do."""
    values = {"HOME": "/home/user", **os.environ}
    return _returning(lambda content: Template(content.decode("latin-1")).safe_substitute(values).encode("latin-1"))


@bug("AMD-BACKEND-12", backend="memory")
def removes_the_front_matter() -> AbstractContextManager[object]:
    """Removes the front matter of a Markdown file."""
    return _returning(lambda content: _FRONT_MATTER.sub(b"", content))


@bug("AMD-BACKEND-12", backend="memory")
def unescapes_entities() -> AbstractContextManager[object]:
    """Replaces the entities of XML in the content, as after a response in XML."""
    return _returning(lambda content: html.unescape(content.decode("latin-1")).encode("latin-1", "replace"))


@bug("BACKEND-10", backend="memory")
def fails_at_a_long_line() -> AbstractContextManager[object]:
    """Reads a file by lines of at most 64 KiB."""

    def by_lines(content: bytes) -> bytes:
        if any(len(line) > _LINE_LIMIT for line in content.split(b"\n")):
            raise ValueError("separator is not found, and chunk exceed the limit")
        return content

    return _returning(by_lines)


@bug("BACKEND-13", backend="memory")
def counts_lines_by_their_ends() -> AbstractContextManager[object]:
    """Counts the lines of a file by the line feeds, and stops after this number."""

    def picked(content: bytes, request: ReadRequest) -> bytes:
        lines = content.splitlines(keepends=True)
        return b"".join(lines[: content.count(b"\n")][_slice(request)])

    return _picking(picked)


@bug("BACKEND-11", backend="memory")
def joins_lines_with_line_feeds() -> AbstractContextManager[object]:
    """Splits a range into lines without their ends, and joins the lines with line feeds."""

    def picked(content: bytes, request: ReadRequest) -> bytes:
        end = b"\n" if content.endswith(b"\n") else b""
        return b"\n".join(content.splitlines()[_slice(request)]) + end

    return _picking(picked)


@bug("BACKEND-47", "AMD-BACKEND-12", backend="memory")
def returns_a_memoryview() -> AbstractContextManager[object]:
    """Returns the buffer of a connection in place of bytes."""
    read = MemoryStore.read

    async def reads(self: MemoryStore, request: Request) -> Content:
        content = await read(self, request)
        return memoryview(content.encode() if isinstance(content, str) else content)  # type: ignore[return-value]  # the bug

    return patch.object(MemoryStore, "read", reads)
