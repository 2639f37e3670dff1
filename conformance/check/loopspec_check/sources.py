"""The JSON values of a file: one, or one on each line. What cannot be read is a finding, and the rest is read."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from loopspec.contract.faults import UsageError

from .judging import Finding
from .values import Record, json_value, loads

STANDARD_INPUT = Path("-")
LONGEST_LINE = 64 << 20  # bytes
LARGEST_VALUE = 256 << 20  # bytes of a file that is one value
_BEGINNING = 256 << 10  # bytes in which most files have the end of their first line
_SUFFIXES = {".json", ".jsonl", ".ndjson"}
_NOT_SEARCHED = {".git", "node_modules"}
_ESCAPED_COLON = re.compile(rb"u003[aA]")
_MARK = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of a file


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


class Source:
    """One file, or standard input. `whole` is its text if it is one JSON value, and no value on each line.

    Raises `OSError` if the file cannot be opened, and `UsageError` if it is no file.
    """

    def __init__(self, path: Path, find: Callable[[Finding], None]) -> None:
        self._find = find
        if path != STANDARD_INPUT and path.exists() and not path.is_file():
            raise UsageError(f"{path} is no file and no folder of files; `-` is standard input")
        self._file: IO[bytes] = _standard_input() if path == STANDARD_INPUT else path.open("rb")
        self._size = os.fstat(self._file.fileno()).st_size
        first = self._file.read(_BEGINNING)  # at once: `readline` is slower than what decodes the line
        end = first.find(b"\n") + 1
        first = first[:end] if end else first + self._file.readline(LONGEST_LINE)
        self._encoding = json.detect_encoding(first).removesuffix("-sig")
        self._is_whole = len(first) == self._size or not _begins_lines(path, first)
        self.whole = b""
        self._file.seek(0)

    def records(self) -> Iterator[Record]:
        """The values of the file, and a finding for each part that cannot be read."""
        with self._file as file:
            if self._encoding != "utf-8":
                self._find(unreadable(f"the file is {self._encoding.upper()}, and JSON is UTF-8"))
            elif not self._is_whole:
                yield from self._lines(file)
            elif self._size > LARGEST_VALUE:
                what = f"the file is one JSON value of more than {LARGEST_VALUE >> 20} MiB, and is not read"
                self._find(unreadable(what))
            else:
                self.whole = file.read()
                if self.whole.removeprefix(_MARK).strip():
                    yield from self._decoded(self.whole, 1, is_last=False)
                else:
                    self._find(unreadable("the file is empty"))

    def _lines(self, file: IO[bytes]) -> Iterator[Record]:
        number = 0
        while raw := file.readline(LONGEST_LINE):
            number += 1
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                while raw and not raw.endswith(b"\n"):
                    raw = file.readline(LONGEST_LINE)
                self._find(unreadable(f"the line is longer than {LONGEST_LINE >> 20} MiB, and is left out", number))
            elif raw.strip():
                yield from self._decoded(raw, number, is_last=not raw.endswith(b"\n"))

    def _decoded(self, raw: bytes, number: int, *, is_last: bool) -> Iterator[Record]:
        raw = raw.removeprefix(_MARK) if number == 1 else raw
        try:
            value = json_value(raw)
        except RecursionError:
            self._find(unreadable("the value is nested too deep, and is left out", number))
        except UnicodeDecodeError as error:
            self._find(unreadable(f"byte {error.start + 1} is not UTF-8", number))
        except ValueError as error:
            if is_last:
                self._find(Finding("CHECK-21", number))
            else:
                before = raw[: getattr(error, "pos", 0)] if self._is_whole else b""
                what = f"this is not JSON: {getattr(error, 'msg', error)}"
                self._find(unreadable(what, number + before.count(b"\n")))
        else:
            if (name := _key_that_is_twice(raw, value)) is not None:
                self._find(Finding("CHECK-22", number, {"name": name}))
            yield Record(value, number)


def _standard_input() -> IO[bytes]:
    """What standard input contains, as a file: a pipe is read once, and a file that is recognized more often."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed when it has been read
    shutil.copyfileobj(sys.stdin.buffer, file)
    file.seek(0)
    return file


def _begins_lines(path: Path, first: bytes) -> bool:
    """Whether the first line is a value; or the name says that each is one, and it does not begin a longer value."""
    if path.suffix in (".jsonl", ".ndjson") and not first.strip().endswith((b"{", b"[", b",")):
        return True
    try:
        json_value(first.removeprefix(_MARK))
    except (ValueError, RecursionError):
        return False
    return True


def _key_that_is_twice(raw: bytes, value: object) -> str | None:
    """A key that an object of the text has twice. The colons are counted, and the keys looked at if one is missing."""
    try:
        colons = raw.count(b":") + len(_ESCAPED_COLON.findall(raw))
        if colons == msgspec.json.encode(value).count(b":"):
            return None
    except (msgspec.EncodeError, UnicodeEncodeError, ValueError):  # what only `json` reads
        pass
    twice: list[str] = []

    def look_at(pairs: list[tuple[str, object]]) -> None:
        twice.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)

    loads(raw.decode(), object_pairs_hook=look_at)
    return twice[0] if twice else None
