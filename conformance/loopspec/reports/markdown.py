"""Text that others wrote, in Markdown: it stays text."""

from __future__ import annotations

import re

# What Markdown and its relatives on hosting sites would make something of.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&@:$])")
# What a reader would not see, or see elsewhere than it stands: control characters, and marks that turn the direction.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def inline(text: str, longest: int = 300) -> str:
    """A text in one line, at any place."""
    return _SPECIAL.sub(r"\\\1", " ".join(shortened(visible(text), longest).split()))


def code(text: str, *, in_table: bool = False) -> str:
    """A text in one line, as code. In a table a bar would end the cell, whatever it stands in."""
    line = " ".join(visible(text).split())
    fence = "`" * (_longest_run(line) + 1)
    space = " " if line.startswith("`") or line.endswith("`") or not line else ""
    span = f"{fence}{space}{line}{space}{fence}"
    return span.replace("|", r"\|") if in_table else span


def block(text: str, longest: int) -> str:
    """A text as it stands, in a block of its own."""
    shown = shortened(visible(text), longest)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def visible(text: str) -> str:
    """A text with a sign for each character that could not be seen."""
    return _HIDDEN.sub("�", text.replace("\r\n", "\n"))


def shortened(text: str, longest: int) -> str:
    """The beginning of a long text, and how long it is."""
    return text if len(text) <= longest else f"{text[:longest]} … ({len(text)} characters)"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
