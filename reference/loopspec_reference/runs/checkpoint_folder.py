"""Checkpoints in a folder, from which runs continue after their process has died."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from ..values.errors import CheckpointError

_FORMAT = b"loopspec-reference checkpoint"
_VERSION = 1


class SavedRun:
    """One run in a folder: its last checkpoint, or None if it has not begun or has ended."""

    def __init__(self, file: Path, checkpoint: bytes | None) -> None:
        self.checkpoint = checkpoint
        self._file = file

    def save(self, checkpoint: bytes) -> None:
        """Replace the checkpoint: a process that dies meanwhile leaves the old one or the new one, and never a part."""
        new = self._file.with_suffix(".new")
        with new.open("wb") as file:
            file.write(_head(checkpoint) + checkpoint)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._file)
        self.checkpoint = checkpoint

    def ended(self) -> None:
        """Remove the checkpoint, so that the run cannot be resumed again."""
        self._file.unlink(missing_ok=True)
        self.checkpoint = None


class CheckpointFolder:
    """A folder with the checkpoints of runs, one file a run. It is made if it does not exist."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    @contextmanager
    def run(self, name: str) -> Iterator[SavedRun]:
        """Hold one run for this process, until the block or the process ends: pass `save` to the agent.

        Raises `CheckpointError` if another process holds the run, and if its file is no whole checkpoint of this
        version.
        """
        file = self._folder / f"{quote(name, safe='')}.checkpoint"
        with file.with_suffix(".lock").open("wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CheckpointError(f"another process continues the run {name!r}: wait until it ends") from None
            yield SavedRun(file, _read(file) if file.exists() else None)


def _head(checkpoint: bytes) -> bytes:
    return b"%s %d %s\n" % (_FORMAT, _VERSION, hashlib.sha256(checkpoint).hexdigest().encode())


def _read(file: Path) -> bytes:
    head, _, checkpoint = file.read_bytes().partition(b"\n")
    if not head.startswith(_FORMAT):
        raise CheckpointError(f"{file} is no checkpoint: remove it, and start the run again")
    if not head.startswith(b"%s %d " % (_FORMAT, _VERSION)):
        raise CheckpointError(f"{file} was written by another version: resume the run with that version")
    if head + b"\n" != _head(checkpoint):
        raise CheckpointError(f"{file} is damaged: remove it, and start the run again")
    return checkpoint
