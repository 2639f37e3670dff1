"""Text for people: on a terminal, colored and wrapped between words; in a pipe, unchanged lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from textwrap import wrap

_NARROW = 80  # columns; a narrower terminal has a smaller indentation of continuation lines
_HANG = 4

# The parts of a line of a feature: the indentation, the keyword, and the rest.
_LINE = re.compile(
    r"(?P<indent> *)"
    r"(?P<lead>(?:Feature|Background|Rule|Scenario Outline|Scenario|Examples):|(?:Given|When|Then|And|But) |)"
    r"(?P<rest>.*)"
)


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def paragraph(
    text: str, *, lead: Sequence[tuple[str, str]] = (), style: str = "", indent: int = 0, hang: int = 0
) -> None:
    """Print one paragraph. Its lines are indented, all but the first by additional `hang` columns.

    `lead` precedes the text: pieces, each with a style of rich. Lines are wrapped on a terminal only, so a program
    that reads the output gets whole lines.
    """
    first = " " * indent + "".join(piece for piece, _ in lead)
    if not is_terminal():
        print(first + text)
        return
    from rich.console import Console  # only for a terminal
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    width = max(20, console.width)
    rest = " " * (indent + (hang if width >= _NARROW else min(hang, _HANG)))
    lines = wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [first]
    console.print(Text.assemble(" " * indent, *lead, (lines[0][len(first) :], style)))
    for line in lines[1:]:
        console.print(Text(line, style=style))


def gherkin(text: str) -> None:
    """Print lines of a feature unchanged, on a terminal with colored keywords."""
    if not is_terminal():
        print(text)
        return
    for line in text.split("\n"):
        match = _LINE.fullmatch(line)
        indent, lead, rest = match.groups() if match else ("", "", line)
        style = "dim" if rest.startswith(("@", "#")) and not lead else ""
        paragraph(rest, lead=[(lead, "bold blue")], style=style, indent=len(indent), hang=_HANG)
