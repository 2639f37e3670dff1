"""The JSON values of a file: one, or one on each line. What cannot be read is a finding, and the rest is read."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from io import BufferedReader, FileIO
from itertools import chain
from pathlib import Path

import msgspec

from loopspec.contract.faults import UsageError

from .judging import Finding
from .values import Keys, Record, json_value, loads

STANDARD_INPUT = Path("-")
LONGEST_LINE = 64 << 20  # bytes
LARGEST_VALUE = 256 << 20  # bytes of a file that is one value
_BUFFER = 256 << 10  # bytes: with fewer, `readline` is slower than what decodes a long line
_SUFFIXES = {".json", ".jsonl", ".ndjson"}
_NOT_SEARCHED = {".git", "node_modules"}
_ESCAPED_COLON = re.compile(rb"u003[aA]")
_MARK = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of a file
_BETWEEN = re.compile(r"[\s,:]*")
_DECODER = json.JSONDecoder()
_Find = Callable[[Finding], None]


def files_below(folder: Path) -> Iterator[Path | OSError]:
    """The files of a folder that may contain histories, in the order of their names; errors of folders come last."""
    errors: list[OSError] = []
    for root, folders, names in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if name not in _NOT_SEARCHED)
        paths = (Path(root, name) for name in sorted(names))
        yield from (path for path in paths if path.suffix in _SUFFIXES and path.is_file())
    yield from errors


def unreadable(what: str, line: int = 1) -> Finding:
    """The finding that a part of a file cannot be read."""
    return Finding("CHECK-20", line, {"what": what})


def read(path: Path, find: _Find) -> tuple[Iterator[Record], bytes]:
    """The values of a file, or of standard input; and its text if it is one value, and no value on each line.

    Raises `OSError` if the file cannot be opened, and `UsageError` if it is no file.
    """
    if path == STANDARD_INPUT:
        opened = FileIO(sys.stdin.fileno(), closefd=False)
    elif path.exists() and not path.is_file():
        raise UsageError(f"{path} is no file and no folder of files; `-` is standard input")
    else:
        opened = path.open("rb", 0)
    file = BufferedReader(opened, _BUFFER)
    first = file.readline(LONGEST_LINE)
    encoding = json.detect_encoding(first).removesuffix("-sig")
    if encoding == "utf-8" and file.peek(1) and _begins_lines(path, first):
        return _lines(file, first, find), b""
    with file:
        whole = first + file.read(LARGEST_VALUE)
    if encoding != "utf-8":
        find(unreadable(f"the file is {encoding.upper()}, and JSON is UTF-8"))
    elif len(whole) > LARGEST_VALUE:
        find(unreadable(f"the file is one JSON value of more than {LARGEST_VALUE >> 20} MiB, and is not read"))
    elif not whole.removeprefix(_MARK).strip():
        find(unreadable("the file is empty"))
    else:
        return _decoded(whole, 1, find, is_line=False), whole
    return iter(()), b""


def _begins_lines(path: Path, first: bytes) -> bool:
    """Whether the first line is a value; or the name says that each is one, and it does not begin a longer value."""
    if path.suffix in (".jsonl", ".ndjson") and not first.strip().endswith((b"{", b"[", b",")):
        return True
    with suppress(ValueError, RecursionError):
        json_value(first.removeprefix(_MARK))
        return True
    return False


def _lines(file: BufferedReader[FileIO], first: bytes, find: _Find) -> Iterator[Record]:
    with file:
        for number, raw in enumerate(chain([first], iter(partial(file.readline, LONGEST_LINE), b"")), 1):
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                while (more := file.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
                    pass
                find(unreadable(f"the line is longer than {LONGEST_LINE >> 20} MiB, and is left out", number))
            elif raw.strip():
                yield from _decoded(raw, number, find, is_line=True)


def _decoded(raw: bytes, line: int, find: _Find, *, is_line: bool) -> Iterator[Record]:
    raw = raw.removeprefix(_MARK) if line == 1 else raw
    try:
        value = json_value(raw)
    except RecursionError:
        find(unreadable("the value is nested too deep, and is left out", line))
    except UnicodeDecodeError as error:
        find(unreadable(f"byte {error.start + 1} is not UTF-8", line))
    except json.JSONDecodeError as error:
        is_torn = is_line and not raw.endswith(b"\n")
        what = unreadable(f"this is not JSON: {error.msg}", line if is_line else error.lineno)
        find(Finding("CHECK-21", line) if is_torn else what)
    else:
        for name in _keys_that_are_twice(raw, value)[:1]:
            find(Finding("CHECK-22", line, {"name": name}))
        yield Record(value, line)


def _keys_that_are_twice(raw: bytes, value: object) -> list[str]:
    """The keys that an object of the text has twice. The colons are counted, and the keys if a colon is missing."""
    with suppress(msgspec.EncodeError, UnicodeEncodeError, ValueError):  # what only `json` reads
        if raw.count(b":") + len(_ESCAPED_COLON.findall(raw)) == msgspec.json.encode(value).count(b":"):
            return []
    twice: list[str] = []

    def look_at(pairs: list[tuple[str, object]]) -> None:
        twice.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)

    loads(raw.decode(), object_pairs_hook=look_at)
    return twice


def lines_of(text: str, wanted: Iterable[Keys]) -> dict[Keys, int]:
    """The line of each value that the keys lead to, counted from 1: no decoder of JSON keeps them.

    The text is read once. It is known to be JSON.
    """
    above = {keys[:length] for keys in wanted for length in range(len(keys) + 1)}
    found: dict[Keys, int] = {}
    line, before = 1, 0
    for keys, at in _starts(text, 0, (), above):
        line += text.count("\n", before, at)
        found[keys], before = line, at
    return found


def _starts(text: str, at: int, keys: Keys, wanted: set[Keys]) -> Generator[tuple[Keys, int], None, int]:
    """Where a wanted value starts, and the wanted values in it; the others are skipped. Returns its end."""
    at = _next(text, at)
    first = text[at]
    if keys in wanted:
        yield keys, at
    if keys not in wanted or first not in "{[":
        return _DECODER.raw_decode(text, at)[1]
    at, number = _next(text, at + 1), 0
    while text[at] not in "}]":
        key: str | int = number
        if first == "{":
            key, at = _DECODER.raw_decode(text, at)
        at = yield from _starts(text, at, (*keys, key), wanted)
        at = _next(text, at)
        number += 1
    return at + 1


def _next(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at
