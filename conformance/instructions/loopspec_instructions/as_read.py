"""What a tool reads of a folder on the disk, according to its dialect."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.dialects import Dialect, dialect, instruction_axes
from loopspec.contract.workspaces import NAME

from . import dialects
from .answers import note_texts, skill_dialects, touch_dialects, touch_values, values_of
from .reader import DiskFiles, ReadingEndedError, read_instructions
from .reader.files import Files
from .reader.reading import LoadedFile, Note
from .skills.reader import Skills, read_skills
from .touch.reader import Attached, Touch, TouchReader

Short = Callable[[str], str]  # the form of a path in the output


class AsRead(Struct, frozen=True):
    """What a tool reads: the files in their order with notes. `failure` is the file that makes the tool load nothing.

    `differing` are the axes on which the tool reads this folder differently from its document. `open` are the axes
    with an unknown value whose value makes a difference in this folder.
    """

    name: str
    home: str
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

    @property
    def size(self) -> int:
        """The number of bytes of the text of all files."""
        return sum(file.received for file in self.files if not file.inline)

    @property
    def tokens(self) -> int:
        """About how many tokens that is: one for each four bytes, since each model counts in its own way."""
        return -(-self.size // 4)

    @property
    def limit(self) -> int:
        """The most bytes that the tool loads; 0 without a limit."""
        return dialects.reader_of(self.name, observed=True).budget

    @property
    def share(self) -> str:
        """The part of the limit that the files use. A file that is cut, or that has no place, uses up the limit."""
        reader = dialects.reader_of(self.name, observed=True)
        places = {f"{self.home}/{name}" for group in reader.global_files for name in group}
        is_free = reader.global_budget == "not-counted"
        counted = [file for file in self.files if not (file.inline or (is_free and file.path in places))]
        used = sum(file.received for file in counted)
        if counted and reader.budget_counts == "sections":
            headings = "".join(reader.heading.format(path=file.path) for file in counted)
            used += len(os.fsencode(headings)) + len(reader.separator) * (len(counted) - 1)
        if any(note.reason in ("cut", "over-budget") for note in self.notes):
            used = self.limit
        return "<1%" if 0 < used < self.limit / 100 else f"{used / self.limit:.0%}"


class AfterTouches(Struct, frozen=True):
    """What each touch attaches, and all of that as one reading."""

    each: tuple[Attached, ...]
    all: AsRead


class _RememberedFiles:
    """Passes each question about a path to other files once, and remembers the answer: several dialects ask it."""

    def __init__(self, files: Files) -> None:
        self.kind = cache(files.kind)
        self.read = cache(files.read)
        self.real_path = cache(files.real_path)
        self.identity = cache(files.identity)
        self.entries = cache(files.entries)


class Reader:
    """Reads the instruction files of one folder as the tools of several dialects do, and each file once."""

    def __init__(self, folder: Path, home: Path, files: Files | None = None) -> None:
        self._files = _RememberedFiles(files or DiskFiles())
        self._folder, self._home = os.fspath(folder), os.fspath(home)

    def read_as(self, name: str) -> AsRead:
        """Read the files as the tool of a dialect reads them today."""
        known = dialect(name)
        values = {axis: choice.actual for axis, choice in known.axes.items()}
        found = self._read(name, values)

        def matters(axis: str, others: Iterable[str]) -> bool:
            return any(_differ(found, self._read(name, values | {axis: value})) for value in others)

        axes, every = known.axes.items(), instruction_axes()
        differing = (axis for axis, one in axes if one.observed and matters(axis, [one.documented]))
        is_open = (axis for axis, one in axes if one.unknown and matters(axis, every[axis].values))
        return replace(found, differing=tuple(differing), open=tuple(is_open))

    def skills(self, name: str) -> Skills | None:
        """The skills that the tool finds, or None if they are not known, or if there are none in the folder."""
        if name not in skill_dialects():
            return None
        found = read_skills(self._files, self._folder, self._home, values_of(name))
        return found if found.seen or found.unseen else None

    def after(self, name: str, touches: Sequence[Touch]) -> AfterTouches | None:
        """What the tool attaches with touches after its start, or None if this was not measured."""
        if name not in touch_dialects():
            return None
        start, dialect = self.read_as(name), dialects.reader_of(name, observed=True)
        reader = TouchReader(self._files, self._folder, self._home, dialect, touch_values(name), start.files)
        each = tuple(reader.attached(touch) for touch in touches)
        files = tuple(file for attached in each for file in attached.files)
        notes = tuple(note for attached in each for note in attached.notes)
        return AfterTouches(each, replace(start, files=files, notes=notes, failure=None, differing=(), open=()))

    def exists(self, path: str) -> bool:
        """Whether a path leads to something, seen from the folder."""
        return self._files.kind(os.path.join(self._folder, path)) != "missing"  # noqa: PTH118  # any spelling

    def _read(self, name: str, values: Mapping[str, str]) -> AsRead:
        known = dialect(name)
        configured = [f"{self._folder}/{known.places()[NAME]}"]
        reader = dialects.reader_with(values, known.reader)
        try:
            reading = read_instructions(self._files, self._folder, self._home, reader, configured, agreed=False)
        except ReadingEndedError as error:
            of_reason = (note for note in error.notes if note.reason == error.reason)
            of_failure = (note for note in of_reason if error.path in (note.path, note.other))
            failure = next(of_failure, Note(error.reason, error.path))
            return AsRead(name, self._home, known, (), error.notes, failure)
        loaded = {file.path for file in reading.files}  # a hidden file that another file imports is loaded
        notes = tuple(note for note in reading.notes if note.reason != "hidden" or note.path not in loaded)
        return AsRead(name, self._home, known, reading.files, notes)


def _differ(one: AsRead, other: AsRead) -> bool:
    """Whether a model receives other texts, or texts in another order."""
    return [(file.path, file.text) for file in one.files] != [(file.path, file.text) for file in other.files]


def sentence(note: Note, short: Short) -> str:
    """A note in words, with the short form of the other path."""
    if note.reason == "over-limit" and note.at is None:
        return "more imports than loopspec follows"
    return note_texts()[note.reason].sentence.format(other=short(note.other), line=note.line, at=note.at)
