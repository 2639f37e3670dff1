"""One load: its inputs, its notes, and reads within fixed bounds."""

from __future__ import annotations

import os
import re
from functools import cached_property
from unicodedata import normalize

from msgspec import Struct

from .dialect import Dialect
from .exclusions import excluding_patterns
from .files import Content, Files
from .markup import with_line_feeds, without_comment_blocks, without_front_matter
from .reading import Note, ReadingEndedError, Reason
from .regions import COMMENT
from .roots import without_links

_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0001-\U000e007f]"
)
_BEYOND_BUDGET = 1 << 20  # leading white space, for example, does not count toward every budget


class Limits(Struct, frozen=True, kw_only=True):
    """Bounds of the reader itself, for files that no person wrote. A note says where one of them takes effect.

    `file_bytes` are read of one file, `all_bytes` of all files together, and `imports` imports are followed. Mentions
    are searched in the first `searched` characters of all files with mentions together.
    """

    file_bytes: int = 1 << 22
    all_bytes: int = 1 << 25
    imports: int = 20_000
    searched: int = 1 << 19  # a parser of Markdown takes two seconds for so much code


class Load:
    """The state of one load."""

    def __init__(self, files: Files, cwd: str, home: str, dialect: Dialect, limits: Limits, *, agreed: bool) -> None:
        self.files = files
        self.cwd = cwd
        self.home = home
        self.dialect = dialect
        self.agreed = agreed
        self.project = cwd
        self.notes: list[Note] = []
        self._seen: set[str] = set()  # the paths loaded so far, also without links if the dialect looks at those
        self.bytes_read = 0  # of loaded files, for a budget of whole files
        self.imports_left = limits.imports
        self.search_left = limits.searched  # characters
        self._file_bytes = min(limits.file_bytes, dialect.budget + _BEYOND_BUDGET if dialect.budget else 1 << 62)
        self._bytes_left = limits.all_bytes

    def note(
        self, reason: Reason, path: str, *, line: int | None = None, other: str = "", at: int | None = None
    ) -> None:
        """Add a note."""
        self.notes.append(Note(reason, path, line, other, at))

    def end(self, path: str, reason: Reason) -> ReadingEndedError:
        """Return the error that ends the load."""
        return ReadingEndedError(path, reason, tuple(self.notes))

    def mark_seen(self, path: str) -> None:
        """Note that a file is loaded."""
        self._seen |= {path, self._identity(path)}

    def forget_seen(self) -> None:
        """Start a list of loaded files of its own."""
        self._seen.clear()

    def is_seen(self, path: str) -> bool:
        """Return whether a file is loaded already."""
        return path in self._seen or self._identity(path) in self._seen

    def _identity(self, path: str) -> str:
        return self.real_path(path) if self.dialect.links in ("real-path", "same-text") else path

    def real_path(self, path: str) -> str:
        """Return a path without links, or the path itself if this is not possible."""
        return without_links(self.files, path)

    @cached_property
    def _excluding(self) -> list[re.Pattern[str]]:
        return excluding_patterns(self.files, self.dialect, self.cwd, self.home)

    def excludes(self, path: str) -> bool:
        """Return whether the settings of the user exclude a file."""
        return any(each.fullmatch(path) for each in self._excluding)

    def is_importable(self, path: str) -> bool:
        """Return whether a file has an extension that can be imported."""
        extension = os.path.splitext(path)[1].lower()  # noqa: PTH122  # the path stays a text
        return not (extension and self.dialect.import_extensions) or extension in self.dialect.import_extensions

    def read(self, path: str) -> Content:
        """Return the first bytes of a file. Raises `OSError`."""
        content = self.files.read(path, min(self._file_bytes, self._bytes_left))
        self._bytes_left -= len(content.data)
        is_cut_by_budget = 0 < self.dialect.budget <= len(content.data)  # which lets none of the others through
        if len(content.data) < content.size and not is_cut_by_budget:
            self.note("over-limit", path, at=len(content.data))
        return content

    def over_budget(self) -> bool:
        """Return whether whole files have used up the budget."""
        return self.dialect.budget_cut == "whole-files" and 0 < self.dialect.budget < self.bytes_read

    def decode(self, path: str, data: bytes, *, imported: bool = False) -> str | None:
        """Return the text of a file as the model receives it, or None if wrong bytes exclude the file."""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            self.note("not-utf-8", path, at=error.start)
            if self.dialect.bad_bytes == "ends":
                raise self.end(path, "not-utf-8") from None
            if self.dialect.bad_bytes == "skipped" or path.startswith(f"{self.home}/{self.dialect.only_utf_8}"):
                return None
            text = data.decode(errors="replace")
        return self.shown(text, imported=imported)

    def shown(self, text: str, *, imported: bool = False, with_comments: bool = False) -> str:
        """Return a decoded text without what the model does not receive, but with the white space around it."""
        if self.dialect.byte_order_mark == "removed" and not (imported and self.dialect.imports == "inline"):
            text = text.removeprefix("\ufeff")
        if self.dialect.byte_order_mark == "invisible-removed":
            text = normalize("NFC", _INVISIBLE.sub("", text))
        if self.dialect.front_matter == "removed":
            text = without_front_matter(text)
        if self.dialect.line_endings == "normalized" and "\r" in text:
            text = with_line_feeds(text)
        if self.dialect.comments != "kept" and not with_comments and "<!--" in text:
            text = COMMENT.sub("", text) if self.dialect.comments == "removed" else without_comment_blocks(text)
        return text

    def trimmed(self, text: str, *, is_global: bool = False) -> str:
        """Return a text without the white space around it that the model does not receive."""
        value = self.dialect.surrounding_space
        if value == "removed" or (value == "global-removed" and is_global):
            return text.strip()
        ends = {"trailing-removed": None, "line-ends-removed": "\r\n"}
        return text.rstrip(ends[value]) if value in ends else text

    def is_blank(self, text: str) -> bool:
        """Return whether a text is too empty to be loaded."""
        if self.dialect.blank_file == "loaded":
            return False
        return not (text if self.dialect.blank_file == "blank-loaded" else text.strip())
