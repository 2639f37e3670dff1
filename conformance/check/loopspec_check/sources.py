"""The JSON values of a file: one, or one on each line. What cannot be read is a finding, and the rest is read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from loopspec.contract.faults import UsageError

from .history import Record
from .judging import Finding

LONGEST_LINE = 64 << 20  # bytes
LARGEST_VALUE = 256 << 20  # bytes of a file that is one value
_SUFFIXES = {".json", ".jsonl", ".ndjson"}
_NOT_SEARCHED = {".git", "node_modules"}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

Find = Callable[[Finding], None]


class TwiceError(Exception):
    """An object has a key twice."""


def files_below(folder: Path) -> Iterator[Path]:
    """The files of a folder that may contain histories, in the order of their names."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NOT_SEARCHED)
        for name in sorted(names):
            path = Path(root, name)
            if path.suffix in _SUFFIXES and path.is_file():
                yield path


class Source:
    """One file. `is_whole` says whether it is one JSON value, whose text is kept then, and no value on each line."""

    def __init__(self, path: Path, find: Find) -> None:
        self._find = find
        try:
            if not path.is_file() and path.exists():
                raise UsageError(f"{path} is no file and no folder of files")
            self._file: IO[bytes] = path.open("rb")
            size = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None
        first = self._file.readline(LONGEST_LINE + 1)
        is_one_line = len(first) == size
        self.is_whole = is_one_line or not (_may_be_lines(path, first) or _is_value(first))
        self.whole = first if is_one_line else b""
        self._file.seek(0)
        self._size = size

    def records(self) -> Iterator[Record]:
        """The values of the file, and a finding for each part that cannot be read."""
        with self._file as file:
            yield from self._value() if self.is_whole else self._lines(file)

    def _value(self) -> Iterator[Record]:
        if self._size > LARGEST_VALUE:
            self._unreadable(1, f"the file is one JSON value of more than {LARGEST_VALUE >> 20} MiB, and is not read")
            return
        self.whole = self.whole or self._file.read()
        if not self.whole.strip():
            self._unreadable(1, "the file is empty")
            return
        yield from self._decoded(self.whole, 1, is_last=False)

    def _lines(self, file: IO[bytes]) -> Iterator[Record]:
        number = 0
        while raw := file.readline(LONGEST_LINE):
            number += 1
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                while raw and not raw.endswith(b"\n"):
                    raw = file.readline(LONGEST_LINE)
                self._unreadable(number, f"the line is longer than {LONGEST_LINE >> 20} MiB, and is left out")
            elif raw.strip():
                yield from self._decoded(raw, number, is_last=not raw.endswith(b"\n"))

    def _decoded(self, raw: bytes, number: int, *, is_last: bool) -> Iterator[Record]:
        if number == 1:
            if raw.startswith(_UTF_16):
                self._unreadable(1, "the file is UTF-16, and JSON is UTF-8")
                return
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            value = _decoded(raw)
        except RecursionError:
            self._unreadable(number, "the value is nested too deep, and is left out")
        except UnicodeDecodeError as error:
            self._unreadable(number, f"byte {error.start + 1} is not UTF-8")
        except ValueError as error:
            if is_last:
                self._find(Finding(rule="CHECK-21", line=number))
            else:
                before = raw[: getattr(error, "pos", 0)] if self.is_whole else b""
                line = number + before.count(b"\n")
                self._unreadable(line, f"this is not JSON: {getattr(error, 'msg', error)}")
        else:
            if (name := _key_that_is_twice(raw, value)) is not None:
                self._find(Finding(rule="CHECK-22", line=number, values={"name": name}))
            yield Record(value, number)

    def _unreadable(self, line: int, what: str) -> None:
        self._find(Finding(rule="CHECK-20", line=line, values={"what": what}))


def _may_be_lines(path: Path, first: bytes) -> bool:
    """Whether the name says that each line is a value, and the first line does not say that it begins a longer one."""
    return path.suffix in (".jsonl", ".ndjson") and first.strip() not in (b"{", b"[")


def _is_value(raw: bytes) -> bool:
    try:
        _decoded(raw.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return False
    return True


def _decoded(raw: bytes) -> object:
    """The value of a JSON text. Raises `ValueError` and `RecursionError`."""
    try:
        value: object = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        value = json.loads(raw)  # reads what some tools write: half a surrogate pair, NaN; and names the place
    return value


def _key_that_is_twice(raw: bytes, value: object) -> str | None:
    """A key that an object of the text has twice. The colons are counted, and the keys looked at if one is missing."""
    try:
        if raw.count(b":") == msgspec.json.encode(value).count(b":"):
            return None
    except (msgspec.EncodeError, UnicodeEncodeError, ValueError):  # what only `json` reads
        pass
    try:
        json.loads(raw, object_pairs_hook=_without_repetition)
    except TwiceError as error:
        return str(error)
    return None


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise TwiceError(key)
        found[key] = value
    return found
