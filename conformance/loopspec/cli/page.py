"""Text for people: on a terminal in colour and wrapped between words, elsewhere line by line as it is."""

from __future__ import annotations

import os
import sys
from textwrap import wrap


def is_terminal() -> bool:
    """Whether a person reads standard output, and no program."""
    return sys.stdout.isatty()


def paragraph(text: str, *, style: str = "", indent: int = 0, hang: int = 0) -> None:
    """Print one paragraph. Its lines are indented, all but the first by `hang` more.

    `style` is one of rich's. A line is broken on a terminal only: what is piped into another program stays whole.
    """
    first, rest = " " * indent, " " * (indent + hang)
    if not is_terminal():
        print(first + text)
        return
    from rich.console import Console  # only for a terminal
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    width = max(20, console.width)
    lines = wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [""]
    for line in lines:
        console.print(Text(line, style="" if os.environ.get("NO_COLOR") else style))


def verbatim(text: str, *, style: str = "") -> None:
    """Print lines as they are, at whatever width."""
    if not is_terminal():
        print(text)
        return
    from rich.console import Console
    from rich.text import Text

    Console(highlight=False, soft_wrap=True).print(Text(text, style=style))
