"""The pictures of the specification: drawings and tables, each statement with its rules. `pictures/` has the data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from .markdown import heading, items, link, linked, matrix, of_rules, page, plain
from .words import intro

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


def figures_of(area: str) -> tuple[str, ...]:
    """The pictures of an area of rules."""
    return tuple(name for name, figure in figures().items() if area in figure.areas)


def drawing(name: str) -> str:
    """The drawing of a picture with its text alternative; empty for a picture that is a table."""
    figure, path = figures()[name], FOLDER / f"{name}.svg"
    if not path.is_file():
        return ""
    title, summary = f"{name}-title", f"{name}-summary"
    begin, _, rest = path.read_text(encoding="utf-8").replace("\n", "").partition(">")
    text = f'<title id="{title}">{plain(figure.title)}</title><desc id="{summary}">{plain(figure.summary)}</desc>'
    return f'{begin} aria-labelledby="{title} {summary}">{text}{rest}'


def shown(name: str, top: str) -> str:
    """A picture with its statements on a page."""
    figure, picture = figures()[name], drawing(name)
    kind = "A" if figure.lettered else "1"
    says = "".join(f"<li>{_claim(one, top)}</li>" for one in figure.claims)
    body = picture or f"<p>{plain(figure.summary)}</p>"
    if says:
        body += _opened("The picture in words, with its rules", f'<ol type="{kind}">{says}</ol>')
    if figure.rows:
        label = "The picture as a table" if picture else "The table, with its rules"
        rows = (f"<tr>{''.join(f'<td>{linked(cell, top)}</td>' for cell in row)}</tr>" for row in figure.rows)
        body += _opened(label, matrix(f"table-{name}", figure.columns, rows, label))
    return f'<figure class="figure" id="picture-{name}"><figcaption>{plain(figure.title)}</figcaption>{body}</figure>'


def _claim(claim: Claim, top: str) -> str:
    end = "" if claim.label.endswith("?") else "."
    return f"<strong>{plain(claim.label)}{end}</strong> {plain(claim.text)} {of_rules(claim.rules, top)}"


def _opened(title: str, body: str) -> str:
    return f"<details open><summary>{title}</summary>{body}</details>"


def pages() -> dict[str, str]:
    """Make the page of all pictures."""
    parts = [*intro("pictures"), items(link(plain(one.title), f"#picture-{name}") for name, one in figures().items())]
    for name, figure in figures().items():
        parts += [heading(2, plain(figure.title), name), shown(name, "")]
    return {"pictures.md": page(*parts)}
