"""What a dialect reads: files with their text, and notes on everything that a person may want to know."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from loopspec_reference.values.errors import LoopError

# Why a note is made: `notes.toml` has what each reason means, and which parts of the note it uses.
_NotLoaded = Literal["hidden", "missing", "empty", "not-a-file", "unreadable", "invalid-path", "not-utf-8"]
_LeftOut = Literal["name-dropped", "project-dropped", "excluded", "for-paths"]
_Limited = Literal["cut", "over-budget", "over-limit"]
_Again = Literal["repeated", "already-loaded"]
_Link = Literal["link-followed", "link-skipped"]
_NoImport = Literal["missing-import", "unreadable-import", "import-too-deep", "import-cycle", "import-of-type"]
_InMarkup = Literal["import-in-code", "import-in-comment"]
_Outside = Literal["import-outside", "import-from-outside", "import-agreed", "import-unapproved"]
Reason = Literal[_NotLoaded, _LeftOut, _Limited, _Again, _Link, _NoImport, _InMarkup, _Outside]


class Note(Struct, frozen=True, gc=False):
    """A fact about one path. `line` is counted from 1; for an import, `path` is the importing file."""

    reason: Reason
    path: str
    line: int | None = None
    other: str = ""
    at: int | None = None


class LoadedFile(Struct, frozen=True, kw_only=True, gc=False):
    """A file that the model receives.

    `size` is the number of bytes on the disk, `cut` the number of bytes that are left of a cut file. An imported file
    has an importer, the line of the mention, and a level above 0. The text of an inline import is a part of the text
    of the discovered file: `whole` is that text, with the part from `start` to `end`.
    """

    path: str
    size: int
    whole: str = ""
    start: int = 0
    end: int = 0
    inline: bool = False
    cut: int | None = None
    importer: str | None = None
    line: int | None = None
    level: int = 0

    @property
    def text(self) -> str:
        """The text as the model receives it, imports included."""
        return self.whole[self.start : self.end]

    @property
    def received(self) -> int:
        """The number of bytes of the text in UTF-8."""
        return len(self.text.encode())


class Reading(Struct, frozen=True, gc=False):
    """The files in the order in which the model receives them, and notes in the order in which they were made."""

    files: tuple[LoadedFile, ...]
    notes: tuple[Note, ...]

    @property
    def sections(self) -> tuple[LoadedFile, ...]:
        """The files with a text of their own: all but the inline imports."""
        return tuple(file for file in self.files if not file.inline)


class ReadingEndedError(LoopError):
    """A file ends the whole load, as the dialect has it. `reason` says why, `notes` has what was noted before."""

    def __init__(self, path: str, reason: Reason, notes: tuple[Note, ...] = ()) -> None:
        super().__init__(f"{path!r} ends the load: {reason}")
        self.path = path
        self.reason: Reason = reason
        self.notes = notes
