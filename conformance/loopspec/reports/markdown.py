"""Escaping for Markdown: a text of a report never becomes markup."""

from __future__ import annotations

import re

# Characters with a meaning in Markdown, or in the dialects of hosting sites.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&@:$])")
# Invisible characters and characters that change the direction of text.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def inline(text: str, longest: int = 300) -> str:
    """A text on one line, for any position in a document."""
    return _SPECIAL.sub(r"\\\1", " ".join(shortened(visible(text), longest).split()))


def code(text: str, *, in_table: bool = False) -> str:
    """A text on one line as code. In a table, a bar would end the cell even inside code."""
    line = " ".join(visible(text).split())
    fence = "`" * (_longest_run(line) + 1)
    space = " " if line.startswith("`") or line.endswith("`") or not line else ""
    span = f"{fence}{space}{line}{space}{fence}"
    return span.replace("|", r"\|") if in_table else span


def block(text: str, longest: int) -> str:
    """A text with its line breaks, as a code block."""
    shown = shortened(visible(text), longest)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def visible(text: str) -> str:
    """A text with a replacement character for each invisible character."""
    return _HIDDEN.sub("�", text.replace("\r\n", "\n"))


def shortened(text: str, longest: int, where: str = "") -> str:
    """A text, or the beginning of a long one with its length, and `where` all of it is."""
    return text if len(text) <= longest else f"{text[:longest]} … ({len(text)} characters{where})"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
