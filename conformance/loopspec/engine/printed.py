"""What an implementation prints during a run: evidence of its case, and kept out of what is printed for the user."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

_KEPT = 1 << 16  # bytes of each stream of a case that are kept: the last ones
_STREAMS = {"standard output": 1, "standard error": 2}  # by what evidence calls them


class Printed:
    """Takes standard output and standard error while it is entered; `terminal` is where the user reads.

    A process that is forked in the meantime writes into the same files: `of_process` makes what such a process has
    printed readable to the one that forked it, even after a crash.
    """

    def __init__(self) -> None:
        self.terminal: IO[str] = sys.stdout
        self._files = {name: tempfile.TemporaryFile() for name in _STREAMS}  # noqa: SIM115  # closed by `close`
        self._saved: dict[int, int] = {}

    def __enter__(self) -> Printed:
        _flush()
        for name, descriptor in _STREAMS.items():
            with suppress(OSError):  # a stream that is closed takes nothing
                self._saved[descriptor] = os.dup(descriptor)
                os.dup2(self._files[name].fileno(), descriptor)
        if 1 in self._saved and sys.stdout is sys.__stdout__:
            self.terminal = os.fdopen(os.dup(self._saved[1]), "w", errors="backslashreplace")
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()
        self.close()

    def release(self) -> None:
        """Give the streams back. May be called twice, and by another thread than the one that entered."""
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
        """Forget what was printed."""
        for file in self._files.values():
            file.close()

    def take(self) -> Mapping[str, str]:
        """Return what was printed since the last call, by stream; a stream that is empty is left out."""
        _flush()
        found = {}
        for name, file in self._files.items():
            size = os.fstat(file.fileno()).st_size
            if size:
                found[name] = last_of(os.pread(file.fileno(), _KEPT, max(0, size - _KEPT)), size)
                os.ftruncate(file.fileno(), 0)
                os.lseek(file.fileno(), 0, os.SEEK_SET)  # the offset of all who write into it
        return found


def last_of(data: bytes, size: int = 0) -> str:
    """The end of what was printed, as evidence keeps it; `size` is how much it was, where `data` is not all of it."""
    before = max(size, len(data)) - _KEPT
    text = data[-_KEPT:].decode("utf-8", "replace")
    return f"… ({before} bytes before)\n{text}" if before > 0 else text


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or what reads it has left
            stream.flush()
