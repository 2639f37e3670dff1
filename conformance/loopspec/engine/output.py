"""Written files, and standard output without a reader."""

from __future__ import annotations

import os
import sys
from pathlib import Path

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


def print_no_more() -> None:
    """Discard all further output, and the output that is not yet flushed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
