"""What a run writes: counts in sentences, files, standard output; and what an implementation prints meanwhile."""

from __future__ import annotations

import fcntl
import os
import stat
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from ..contract.faults import UsageError

_KEPT = 1 << 16  # bytes of each stream of a case that are kept, from the end
_STREAMS = {"standard output": 1, "standard error": 2}  # by the names in the evidence


def counted(number: int, one: str, several: str = "") -> str:
    """`1 case`, `2 cases`; `several` is an irregular plural."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def in_a_line(text: str) -> str:
    """A text in one line: control characters, and bytes that are no characters, are escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises `UsageError` if the file cannot be written."""
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def must_be_writable(path: Path) -> None:
    """Check before a run that a file can be written; an existing file keeps its content, and no new file is left.

    Raises `UsageError` if the file cannot be written.
    """
    was_there = path.exists()
    try:
        path.open("a").close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    if not was_there:
        path.unlink()


def open_alone(path: Path) -> IO[bytes]:
    """Open a file that a run writes line by line, and keep other runs out of it until this process closes it or ends.

    Raises `UsageError` if another run writes the file, and `OSError` if the file cannot be written.
    """
    while True:
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666), "wb")
        opened = os.fstat(file.fileno())
        if not stat.S_ISREG(opened.st_mode):  # a device or a pipe
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise UsageError(f"another run is writing {path}: name another file") from None
        except OSError:  # a file system without locks
            pass
        with suppress(FileNotFoundError):  # removed meanwhile: see `must_be_writable`
            if os.path.samestat(opened, path.stat()):
                file.truncate()
                return file
        file.close()


def print_no_more() -> None:
    """Discard all further output, and the output that is not yet flushed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


class Printed:
    """Redirects standard output and standard error while it is entered; `terminal` is the user's stream.

    A process that is forked in the meantime writes into the same files: `of_process` makes the output of such a
    process readable for the parent, even after a crash.
    """

    def __init__(self) -> None:
        self.terminal: IO[str] = sys.stdout
        self._files = {name: tempfile.TemporaryFile() for name in _STREAMS}  # noqa: SIM115  # closed by `close`
        self._saved: dict[int, int] = {}

    def __enter__(self) -> Printed:
        _flush()
        for name, descriptor in _STREAMS.items():
            with suppress(OSError):  # a closed stream
                self._saved[descriptor] = os.dup(descriptor)
                os.dup2(self._files[name].fileno(), descriptor)
        if 1 in self._saved and sys.stdout is sys.__stdout__:
            self.terminal = os.fdopen(os.dup(self._saved[1]), "w", errors="backslashreplace")
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()
        self.close()

    def release(self) -> None:
        """Restore the streams. May be called twice, and by another thread."""
        _flush()
        while self._saved:
            descriptor, saved = self._saved.popitem()
            os.dup2(saved, descriptor)
            os.close(saved)
        if self.terminal is not sys.stdout:
            terminal, self.terminal = self.terminal, sys.stdout
            with suppress(OSError):
                terminal.close()

    def close(self) -> None:
        """Delete the captured output."""
        for file in self._files.values():
            file.close()

    def take(self) -> Mapping[str, str]:
        """Return the output since the last call by stream, without empty streams."""
        _flush()
        found = {}
        for name, file in self._files.items():
            size = os.fstat(file.fileno()).st_size
            if size:
                found[name] = last_of(os.pread(file.fileno(), _KEPT, max(0, size - _KEPT)), size)
                os.ftruncate(file.fileno(), 0)
                os.lseek(file.fileno(), 0, os.SEEK_SET)  # the offset is shared by all writing processes
        return found


def last_of(data: bytes, size: int = 0) -> str:
    """The end of the output, as kept in the evidence; `size` is the whole size if `data` is a part."""
    before = max(size, len(data)) - _KEPT
    text = data[-_KEPT:].decode("utf-8", "replace")
    return f"… ({before} bytes before)\n{text}" if before > 0 else text


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or without a reader
            stream.flush()
