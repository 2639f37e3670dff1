"""Output of an implementation during a run: evidence of its case, separate from the output for the user."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

_KEPT = 1 << 16  # bytes of each stream of a case that are kept, from the end
_STREAMS = {"standard output": 1, "standard error": 2}  # by the names in the evidence


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
