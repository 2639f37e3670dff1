"""What a tool reads of a folder on the disk, according to its dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import fspath
from pathlib import Path

from msgspec import Struct

from loopspec_reference.instruction_files import (
    DiskFiles,
    LoadedFile,
    Note,
    ReadingEndedError,
    Reason,
    read_instructions,
)

from ...contract.dialects import Dialect, dialect
from . import dialects

# What a note says about the path that precedes it. `{other}`, `{line}` and `{at}` are those of the note.
SENTENCES: Mapping[Reason, str] = {
    "hidden": "hidden by {other}",
    "missing": "configured, and does not exist",
    "empty": "empty",
    "not-a-file": "a folder or a device, and no file",
    "unreadable": "cannot be read",
    "not-utf-8": "not UTF-8 from byte {at} on",
    "cut": "cut after {at} bytes by the budget",
    "over-budget": "not loaded: the budget is used up",
    "over-limit": "read up to byte {at} only: loopspec reads no more of a file",
    "missing-import": "line {line} imports {other}, which does not exist",
    "unreadable-import": "line {line} imports {other}, which cannot be read as a file",
    "import-too-deep": "line {line} imports {other}, which is below the last level of imports",
    "import-cycle": "line {line} imports {other}, which imports this file",
    "import-outside": "line {line} imports {other}, which is outside the project and is not loaded",
    "import-from-outside": "line {line} imports {other}, which is outside the project and is loaded",
    "import-in-code": "line {line} mentions {other} in code, which is no import",
    "import-in-comment": "line {line} mentions {other} in a comment, which is no import",
    "repeated": "loaded again: {other} is the same file",
    "already-loaded": "not loaded again: {other} is the same file",
    "link-followed": "a link out of the project, to {other}",
    "link-skipped": "a link out of the project, to {other}, which is not followed",
    "project-dropped": "not loaded, because {other} cannot be read",
}


class AsRead(Struct, frozen=True):
    """What a tool reads: the files in their order with notes. `failure` is the reason why the tool loads nothing."""

    dialect: Dialect
    files: tuple[LoadedFile, ...]
    notes: tuple[Note, ...]
    failure: str = ""

    @property
    def text(self) -> str:
        """The text that a model receives, without the tool's own words around the files."""
        return "\n\n".join(file.text for file in self.files if not file.inline)


def read_as(name: str, folder: Path, home: Path, configured: Sequence[str] = ()) -> AsRead:
    """Read the instruction files of a folder as the tool of a dialect reads them today."""
    known = dialect(name)
    reader = dialects.reader_of(name, observed=True)
    files = [fspath(folder / each) for each in configured]
    try:
        reading = read_instructions(DiskFiles(), fspath(folder), fspath(home), reader, files)
    except ReadingEndedError as error:
        failure = f"{error.path}: {SENTENCES[error.reason].format(other='', line='', at='')}"
        return AsRead(known, (), error.notes, failure)
    return AsRead(known, reading.files, reading.notes)


def sentence(note: Note, short: Callable[[str], str]) -> str:
    """A note in words, with the short form of the other path."""
    other = short(note.other) if note.other else ""
    return SENTENCES[note.reason].format(other=other, line=note.line, at=note.at)
