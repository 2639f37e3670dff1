"""What a tool reads of a folder on the disk, according to its dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import fspath
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.dialects import Dialect, dialect, instruction_axes
from loopspec.contract.workspaces import NAME

from . import dialects
from .reader import DiskFiles, LoadedFile, Note, ReadingEndedError, Reason, read_instructions
from .remembered import RememberedFiles

# What a note says about the path that precedes it. `{other}`, `{line}` and `{at}` are those of the note.
SENTENCES: Mapping[Reason, str] = {
    "hidden": "hidden by {other}",
    "missing": "configured, and does not exist",
    "empty": "empty",
    "not-a-file": "a folder or a device, and no file",
    "unreadable": "cannot be read",
    "invalid-path": "the path contains two dots in a row",
    "not-utf-8": "not UTF-8 from byte {at} on",
    "cut": "cut after {at} bytes by the budget",
    "over-budget": "not loaded: the budget is used up",
    "over-limit": "read up to byte {at} only: loopspec reads no more of a file",
    "missing-import": "line {line} imports {other}, which does not exist",
    "unreadable-import": "line {line} imports {other}, which cannot be read as a file",
    "import-too-deep": "line {line} imports {other}, which is below the last level of imports",
    "import-cycle": "line {line} imports {other}, which leads back to this file",
    "import-outside": "line {line} imports {other}, which is outside the project and is not loaded",
    "import-from-outside": "line {line} imports {other}, which is outside the project and is loaded",
    "import-agreed": "line {line} imports {other}, which is outside the project and is loaded if the user has agreed",
    "import-in-code": "line {line} mentions {other} in code, which is no import",
    "import-in-comment": "line {line} mentions {other} in a comment, which is no import",
    "repeated": "loaded again: {other} is the same file",
    "already-loaded": "not loaded again: {other} is the same file",
    "link-followed": "a link out of the project, to {other}",
    "link-skipped": "a link out of the project, to {other}, which is not followed",
    "name-dropped": "not loaded, because {other}, which has the same name, cannot be read",
    "project-dropped": "not loaded, because {other} cannot be read",
}


class AsRead(Struct, frozen=True):
    """What a tool reads: the files in their order with notes. `failure` is the file that makes the tool load nothing.

    `differing` are the axes on which the tool reads this folder differently from its document. `open` are the axes
    with an unknown value whose value makes a difference in this folder.
    """

    dialect: Dialect
    files: tuple[LoadedFile, ...]
    notes: tuple[Note, ...]
    failure: Note | None = None
    differing: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text that a model receives, without the tool's own words around the files."""
        return "\n\n".join(file.text for file in self.files if not file.inline)


class Reader:
    """Reads the instruction files of one folder as the tools of several dialects do, and each file once."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._files = RememberedFiles(DiskFiles())
        self._folder, self._home = fspath(folder), fspath(home)

    def read_as(self, name: str) -> AsRead:
        """Read the files as the tool of a dialect reads them today."""
        known = dialect(name)
        values = {axis: choice.actual for axis, choice in known.axes.items()}
        found = self._read(known, values)

        def matters(axis: str, others: Iterable[str]) -> bool:
            return any(_differ(found, self._read(known, values | {axis: value})) for value in others)

        return replace(
            found,
            differing=tuple(
                axis for axis, one in known.axes.items() if one.observed and matters(axis, [one.documented])
            ),
            open=tuple(
                axis
                for axis, one in known.axes.items()
                if one.unknown and matters(axis, instruction_axes()[axis].values)
            ),
        )

    def _read(self, known: Dialect, values: Mapping[str, str]) -> AsRead:
        configured = [f"{self._folder}/{known.places()[NAME]}"]
        reader = dialects.reader_with(values, known.reader)
        try:
            reading = read_instructions(self._files, self._folder, self._home, reader, configured)
        except ReadingEndedError as error:
            of_failure = (note for note in error.notes if (note.reason, note.path) == (error.reason, error.path))
            return AsRead(known, (), error.notes, failure=next(of_failure, Note(error.reason, error.path)))
        return AsRead(known, reading.files, reading.notes)


def _differ(one: AsRead, other: AsRead) -> bool:
    """Whether a model receives other texts, or texts in another order."""
    return [(file.path, file.text) for file in one.files] != [(file.path, file.text) for file in other.files]


def sentence(note: Note, short: Callable[[str], str]) -> str:
    """A note in words, with the short form of the other path."""
    if note.reason == "over-limit" and note.at is None:
        return "more imports than loopspec follows"
    other = short(note.other) if note.other else ""
    return SENTENCES[note.reason].format(other=other, line=note.line, at=note.at)
