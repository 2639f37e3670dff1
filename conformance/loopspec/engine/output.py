"""Written files, and standard output without a reader."""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from ..contract.faults import UsageError


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
