"""The pictures of the specification: drawings and tables, each statement with its rules. `pictures/` has the data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from markupsafe import Markup
from msgspec import Struct

from .markdown import Page, plain, rendered

FOLDER = Path(__file__).parent / "pictures"
# In reading order.
NAMES = ("loop", "hooks", "model-call", "tool-call", "context", "cancel", "loads", "insertion")


class Claim(Struct, frozen=True):
    """One statement of a picture, with the rules that state it. `label` is what the picture calls it."""

    label: str
    text: str
    rules: tuple[str, ...]


class Figure(Struct, frozen=True):
    """A picture. `summary` is the text alternative of the drawing, whose marks are those of the claims in order.

    The file of a picture also has what the tests perform.
    """

    title: str
    summary: str
    areas: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    lettered: bool = False
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@cache
def figures() -> dict[str, Figure]:
    """Every picture by its name, in reading order."""
    return {name: msgspec.toml.decode((FOLDER / f"{name}.toml").read_bytes(), type=Figure) for name in NAMES}


def drawing(name: str) -> Markup:
    """The drawing of a picture with its text alternative; empty for a picture that is a table."""
    figure, path = figures()[name], FOLDER / f"{name}.svg"
    if not path.is_file():
        return Markup()
    title, summary = f"{name}-title", f"{name}-summary"
    begin, _, rest = path.read_text(encoding="utf-8").replace("\n", "").partition(">")
    text = f'<title id="{title}">{plain(figure.title)}</title><desc id="{summary}">{plain(figure.summary)}</desc>'
    return Markup(f'{begin} aria-labelledby="{title} {summary}">{text}{rest}')


def pages() -> Iterator[Page]:
    """Make the page of all pictures."""
    yield rendered("pictures", figures=figures(), drawing=drawing)
