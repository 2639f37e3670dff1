"""The data of a picture: its claims with their rules, a drawing or a table, and the areas that show it."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from .canvas import Canvas


class Claim(Struct, frozen=True):
    """One statement of a picture, with the rules that state it. `label` is what the picture calls it."""

    label: str
    text: str
    rules: tuple[str, ...]


class Cell(Struct, frozen=True):
    """A cell of a table, with the rules that say so."""

    text: str
    rules: tuple[str, ...] = ()


class Table(Struct, frozen=True):
    """A table whose first column has the name of each row. A phone shows one that is not `slim` as a list of rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    slim: bool = False


class Figure(Struct, frozen=True):
    """A picture of the specification.

    `name` is its address on the page of all pictures. `summary` says in a sentence or two what there is to see: it is
    the text alternative of the drawing. The marks of the drawing are numbers or letters, one for each claim in order.
    A figure without a drawing is its table; with both, the table repeats the drawing.
    """

    name: str
    title: str
    summary: str
    areas: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    canvas: Canvas | None = None
    table: Table | None = None
    lettered: bool = False

    @property
    def drawing(self) -> Markup | None:
        """The drawing as inline SVG with its text alternative; None for a figure that is a table."""
        return self.canvas.svg(self.name, self.title, self.summary) if self.canvas else None

    @property
    def rules(self) -> Iterator[str]:
        """Every rule that the figure names, in order, repeated where a claim repeats it."""
        for claim in self.claims:
            yield from claim.rules
        for row in self.table.rows if self.table else ():
            for cell in row:
                yield from cell.rules
