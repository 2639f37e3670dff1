"""What the content of a file shows without any tool."""

from __future__ import annotations

import re
from functools import cached_property

from ..reader.mentions import Mention
from ..reader.regions import COMMENT, Region, markdown_code
from ..surveyed import mentions_in

_MARKS = (b"\xff\xfe", b"\xfe\xff")
_ONLY_PATH = re.compile(r"\s*([^\s@#`*<>]*[/.][^\s@#`*<>]*)\s*")
_LINK = re.compile(r"(?<![!\\])\[[^\]\n]*\]\(<?([^)\s>#]+)[^)\n]*\)")
TRAILING = ".,;:!?)]}>'\"`*_"
_WRITTEN_BY_HAND = 1 << 17  # bytes up to which mentions and links are looked for: larger files are generated
# The endings of the names that an import is likely to have.
_TEXT = re.compile(
    r"\.(?:md|mdx|mdc|markdown|txt|rst|adoc|org|json|jsonc|toml|ya?ml|xml|csv|html|css|py|js|ts|tsx|jsx|go|rs|rb|java|sh|"
    r"sql|proto)$",
    re.IGNORECASE,
)


def is_likely_a_file(path: str) -> bool:
    """Whether a path has the ending of a text file: a mention such as `@name` is no path."""
    return _TEXT.search(path) is not None


class FileContent:
    """The first bytes of one file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        zeros = data.count(0)
        # Text of one script in UTF-16 has a zero in every second byte; a file of zeros is no text.
        self.is_utf_16 = data.startswith(_MARKS) or len(data) < zeros * 4 <= len(data) * 3
        self.has_mark = data.startswith(b"\xef\xbb\xbf")
        self.is_blank = not data.removeprefix(b"\xef\xbb\xbf").strip()
        self._may_comment = b"<!--" in data

    def _has(self, *marks: bytes) -> bool:
        return len(self.data) <= _WRITTEN_BY_HAND and any(mark in self.data for mark in marks)

    @cached_property
    def text(self) -> str:
        """The text, with replacement characters for invalid bytes."""
        return self.data.decode(errors="replace")

    @cached_property
    def only_path(self) -> str:
        """The path that is the whole text, as in a link that was checked out as a text; empty for any other text."""
        return found[1] if len(self.data) <= 1 << 12 and (found := _ONLY_PATH.fullmatch(self.text)) else ""

    @property
    def mentions(self) -> list[Mention]:
        """The mentions outside code and comments."""
        return [each for each in self._mentions if each.place is None]

    @property
    def coded(self) -> list[Mention]:
        """The mentions in code."""
        return [each for each in self._mentions if each.place in ("code", "indented")]

    @cached_property
    def _mentions(self) -> list[Mention]:
        return mentions_in(self.text) if self._has(b"@") else []

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """The targets of Markdown links outside code, each with its line."""
        if not self._has(b"]("):
            return []
        text, at, parts = self.text, 0, []
        for region in self._code:
            parts += [text[at : region.start], re.sub(r"[^\n]", " ", text[region.start : region.end])]
            at = max(at, region.end)
        return [(self._line(found.start()), found[1]) for found in _LINK.finditer("".join([*parts, text[at:]]))]

    @cached_property
    def code(self) -> list[tuple[int, str]]:
        """The texts of code in a file that names commands, each with its first line."""
        if not self._has(b" run ", b"make "):
            return []
        return [(self._line(region.start), self.text[region.start : region.end]) for region in self._code]

    @cached_property
    def _code(self) -> tuple[Region, ...]:
        return markdown_code(self.text)

    @cached_property
    def comment_line(self) -> int:
        """The line of the first HTML comment; 0 without any."""
        found = COMMENT.search(self.text) if self._may_comment else None
        return self._line(found.start()) if found else 0

    def is_comment(self, line: int) -> bool:
        """Whether the mentions of a line are in an HTML comment."""
        if not self._may_comment:
            return False
        lines = self.text.splitlines(keepends=True)
        start = sum(map(len, lines[: line - 1]))
        at = self.text.find("@", start, start + len(lines[line - 1])) if line <= len(lines) else -1
        return at >= 0 and any(found.start() < at < found.end() for found in COMMENT.finditer(self.text))

    def line_at(self, at: int) -> int:
        """The line of a place in bytes."""
        return self.data.count(b"\n", 0, at) + 1

    def _line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1
