"""The role workspace of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from loopspec.contract.shapes import WorkspaceFile, WorkspaceReading

from . import dialects
from .reader import DiskFiles, read_instructions


def read_workspace(
    dialect: str, cwd: Path, home: Path, configured: Sequence[str], agreed: bool = False
) -> WorkspaceReading:
    """Read a workspace on the disk. Raises `ReadingEndedError` where the dialect ends the load."""
    reader = dialects.reader_of(dialect)
    reading = read_instructions(DiskFiles(), str(cwd), str(home), reader, configured, agreed=agreed)
    files = [WorkspaceFile(file.path, file.text) for file in reading.sections]
    return WorkspaceReading(files, [f"{note.path}: {note.reason}" for note in reading.notes])
