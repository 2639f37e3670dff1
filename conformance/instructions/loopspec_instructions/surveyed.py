"""Many readings of one repository, which look at each file once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.dialects import dialect

from . import dialects
from .reader import Dialect as Reader
from .reader import DiskFiles, Limits, ReadingEndedError, read_instructions
from .reader.files import Content, Kind
from .reader.mentions import Mention, find_mentions
from .reader.reading import LoadedFile, Note, Reason
from .reader.roots import find_root

_MOST_KEPT = 1 << 25  # bytes of the contents that are kept for the next reading
_MOST_PATHS = 100_000  # paths of which the kind is kept
# For a repository that no person wrote: the bytes that are read of one file, and what one reading follows.
LIMITS = Limits(file_bytes=1 << 22, all_bytes=1 << 24, imports=2_000)
# What a reader does where the behavior of a tool is not known: nothing that makes an import of plain text.
_CAUTIOUS: Mapping[str, str] = {
    "import-place": "after-space",
    "import-indented": "skipped",
    "import-comment": "skipped",
}


Listed = Mapping[str, Mapping[str, Kind | None]]


class Outcome(Struct, frozen=True, gc=False):
    """What a tool reads in one working directory. `ended` are the file that ends the load and the reason."""

    tool: str
    folder: str
    files: tuple[LoadedFile, ...]
    notes: tuple[Note, ...]
    ended: tuple[str, Reason] | None = None


class SurveyedFiles(DiskFiles):
    """The local disk, of which a part has been listed before.

    `listed` has the kinds of the entries with a name in `names` by folder: None for a link, which can lead to anything.
    `folders` are all folders whose entries are known: real paths, reached without links.
    """

    def __init__(self, folders: set[str], listed: Listed, names: frozenset[str]) -> None:
        self._folders, self._listed, self._names = folders, listed, names
        self._contents: dict[str, Content] = {}
        self._bytes_left = _MOST_KEPT
        # By far the methods called most: such a cache takes a third of the time of a method with a dictionary.
        self.kind = lru_cache(_MOST_PATHS)(self._kind)  # type: ignore[method-assign]  # as said
        self.real_path = lru_cache(_MOST_PATHS)(self._real_path)  # type: ignore[method-assign]  # likewise

    def read(self, path: str, limit: int) -> Content:
        """Return at most the first `limit` bytes of a regular file."""
        kept = self._contents.get(path)
        if kept is not None and kept.size <= limit:
            return kept
        content = super().read(path, limit)
        if len(content.data) == content.size <= self._bytes_left:
            self._bytes_left -= content.size
            self._contents[path] = content
        return content

    def _kind(self, path: str) -> Kind:
        """The kind of a path, without a look at the disk if the listing shows it."""
        folder, _, name = path.rpartition("/")
        found: Kind | None = None
        if folder not in self._folders:
            found = "missing" if self._is_known_missing(folder) else None
        elif name in self._names:
            found = self._listed[folder].get(name, "missing") if folder in self._listed else "missing"
        return found or super().kind(path)

    def _is_known_missing(self, path: str) -> bool:
        """Whether a folder with a name such as ".tool" is missing in a listed folder."""
        folder, _, name = path.rpartition("/")
        return name in self._names and folder in self._folders and name not in self._listed.get(folder, ())

    def _real_path(self, path: str) -> str:
        """The path without links. What a walk without links has found has none."""
        folder, _, name = path.rpartition("/")
        is_plain = path in self._folders or self._listed.get(folder, {}).get(name) is not None
        return path if is_plain else super().real_path(path)


@cache
def reader_for(name: str) -> Reader:
    """The reader of a tool as observed, without the global files, which are no part of a repository."""
    known = dialect(name)
    cautious = {
        axis.replace("-", "_"): value
        for axis, value in _CAUTIOUS.items()
        if axis in known.axes and known.axes[axis].unknown
    }
    return replace(dialects.reader_of(name, observed=True), global_files=(), **cautious)


def read_surveyed(name: str, files: SurveyedFiles, folder: str, home: str, configured: Sequence[str]) -> Outcome:
    """Read the instruction files of a folder as the tool of a dialect reads them today."""
    try:
        reading = read_instructions(files, folder, home, reader_for(name), configured, LIMITS)
    except ReadingEndedError as error:
        return Outcome(name, folder, (), error.notes, (error.path, error.reason))
    return Outcome(name, folder, reading.files, reading.notes)


def is_root(name: str, files: SurveyedFiles, folder: str) -> bool | None:
    """Whether a tool takes a folder for the root of a project; None for a tool that searches for no root."""
    reader = reader_for(name)
    if reader.root == "nothing" or reader.walk == "configured":
        return None
    return find_root(files, reader, folder) == folder


@cache
def _plain() -> Reader:
    """A reader for which everything is an import that is an import for some tool, in plain text."""
    return replace(
        dialects.reader_of("qwen-code"),
        import_place="anywhere",
        import_code="skipped",
        import_indented="skipped",
        import_comment="skipped",
    )


def mentions_in(text: str) -> list[Mention]:
    """The mentions in a text, each with the code or the comment around it, if any.

    A mention follows white space, as each tool has it in plain text, or the backticks of its code span.
    """
    found = find_mentions(text, _plain())
    return [each for each in found if each.start == 0 or text[each.start - 1] in " \t\r\n`"]
