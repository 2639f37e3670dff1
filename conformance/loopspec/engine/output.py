"""Files that are written, and standard output when its reader has left."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..contract.faults import UsageError


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises `UsageError` where that is impossible."""
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def must_be_writable(path: Path) -> None:
    """Find out before a run, and not after it; a file that is there keeps its content, and no new file is left.

    Raises `UsageError` where the file cannot be written.
    """
    was_there = path.exists()
    try:
        path.open("a").close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    if not was_there:
        path.unlink()


def print_no_more() -> None:
    """Discard what is printed from now on, and what is still to be flushed at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
