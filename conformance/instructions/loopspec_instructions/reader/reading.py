"""What a dialect reads: files with their text, and notes on everything that a person may want to know."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from loopspec_reference.values.errors import LoopError

Reason = Literal[
    "hidden",  # `other` hides the file
    "missing",  # the configured file does not exist
    "empty",  # the file has no text
    "not-a-file",  # a folder, a pipe or a device has the name of an instruction file
    "unreadable",  # the file cannot be read, or a link leads to itself
    "invalid-path",  # the configured path contains two dots in a row
    "not-utf-8",  # `at` is the offset of the first wrong byte
    "cut",  # the model receives the first `at` bytes
    "over-budget",  # the budget is used up
    "over-limit",  # the reader's own limit ends the file after `at` bytes, or ends its imports
    "missing-import",  # the imported file `other` does not exist
    "unreadable-import",  # the imported path `other` is a folder or cannot be read
    "import-too-deep",  # the import of `other` exceeds the levels of imports
    "import-cycle",  # `other` is imported by itself, directly or through others
    "import-outside",  # the imported path `other` is outside the project and is not loaded
    "import-from-outside",  # the imported path `other` is outside the project and is loaded
    "import-agreed",  # the imported path `other` is outside the project and is loaded, because the user has agreed
    "import-unapproved",  # the imported path `other` is outside the folder, and is loaded once the user agrees
    "import-of-type",  # the imported path `other` has an extension that the tool does not import
    "import-in-code",  # the mention of `other` is in code and is no import
    "import-in-comment",  # the mention of `other` is in an HTML comment and is no import
    "repeated",  # the file is loaded again: `other` is the first path
    "already-loaded",  # the file is not loaded again: `other` is the first path
    "excluded",  # the settings of the user exclude the file
    "for-paths",  # the rule is for the paths that it names, and is not loaded at the start
    "link-followed",  # a link leads out of the project, to `other`
    "link-skipped",  # a link leads out of the project, to `other`, and is not followed
    "name-dropped",  # the file is not loaded because `other`, which has the same name, cannot be read
    "project-dropped",  # the file is not loaded because `other` cannot be read
]


class Note(Struct, frozen=True, gc=False):
    """A fact about one path. `line` is counted from 1; for an import, `path` is the importing file."""

    reason: Reason
    path: str
    line: int | None = None
    other: str | None = None
    at: int | None = None


class LoadedFile(Struct, frozen=True, kw_only=True, gc=False):
    """A file that the model receives.

    `size` is the number of bytes on the disk, `cut` the number of bytes that are left of a cut file. An imported file
    has an importer, the line of the mention, and a level above 0. The text of an inline import is a part of the text
    of the discovered file: `whole` is that text, with the part from `start` to `end`.
    """

    path: str
    size: int
    whole: str
    start: int
    end: int
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
