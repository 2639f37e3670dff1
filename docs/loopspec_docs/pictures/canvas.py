"""A drawing as inline SVG: boxes, words, arrows and marks. The style sheet of the site gives them their colors."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from markupsafe import Markup

# The width of every drawing. A phone shows it at about its own size, so no text gets smaller than 12 pixels.
WIDTH = 340
LINE = 18  # from one line of words to the next
_HEAD = 6.0  # the length of an arrow's head
_BEND = 8.0  # the radius of a bend
_DISK = 10  # the radius of the disk of a mark

Point = tuple[float, float]


class Canvas:
    """Collects the parts of a drawing, the rearmost first. The units are pixels at full size."""

    def __init__(self, height: float) -> None:
        self._height = height
        self._parts: list[Markup] = []

    def box(self, x: float, y: float, width: float, height: float, kind: str = "", radius: float = 8) -> None:
        """Draw a rectangle with round corners."""
        self._parts.append(
            Markup('<rect class="box {}" x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="{:g}"/>').format(
                kind, x, y, width, height, radius
            )
        )

    def words(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        """Write one line. `y` is the middle of the line."""
        self._parts.append(
            Markup('<text class="{}" x="{:g}" y="{:g}" text-anchor="{}">{}</text>').format(
                kind, x, y + 4.5, anchor, text
            )
        )

    def lines(self, x: float, y: float, texts: Sequence[str], kind: str = "") -> None:
        """Write lines one below the other. `y` is the middle of the first."""
        for number, text in enumerate(texts):
            self.words(x, y + number * LINE, text, kind)

    def mark(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Draw a disk with a number or a letter, which the list of claims explains."""
        self.box(x - _DISK, y - _DISK, 2 * _DISK, 2 * _DISK, f"disk {kind}".rstrip(), _DISK)
        self.words(x, y, text, f"in-disk {kind}", "middle")

    def arrow(self, *points: Point, kind: str = "", head: bool = True) -> None:
        """Draw a line through points, with round bends, and with a head at its end."""
        end, direction = points[-1], _direction(points[-2], points[-1])
        if head:
            short = (end[0] - direction[0] * _HEAD * 0.8, end[1] - direction[1] * _HEAD * 0.8)
            points = (*points[:-1], short)
        self._parts.append(Markup('<path class="line {}" d="{}"/>').format(kind, _path(points)))
        if head:
            (x, y), (dx, dy) = end, direction
            wings = [(x - dx * _HEAD + s * dy * _HEAD * 0.6, y - dy * _HEAD - s * dx * _HEAD * 0.6) for s in (1, -1)]
            corners = " ".join(f"{a:g},{b:g}" for a, b in (end, *wings))
            self._parts.append(Markup('<polygon class="head {}" points="{}"/>').format(kind, corners))

    def svg(self, name: str, title: str, summary: str) -> Markup:
        """Return the drawing with its text alternative."""
        return Markup(
            '<svg class="picture" role="img" viewBox="0 0 {} {:g}" aria-labelledby="{}-title {}-summary">'
            '<title id="{}-title">{}</title><desc id="{}-summary">{}</desc>{}</svg>'
        ).format(WIDTH, self._height, name, name, name, title, name, summary, Markup("").join(self._parts))


def _direction(start: Point, end: Point) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    length = hypot(x, y)
    return x / length, y / length


def _towards(corner: Point, other: Point) -> Point:
    """The point on the way from a corner to another point where its bend begins."""
    dx, dy = _direction(corner, other)
    reach = min(_BEND, hypot(other[0] - corner[0], other[1] - corner[1]) / 2)
    return corner[0] + dx * reach, corner[1] + dy * reach


def _path(points: Sequence[Point]) -> str:
    parts = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        (ax, ay), (bx, by) = _towards(corner, before), _towards(corner, after)
        parts.append(f"L{ax:g} {ay:g}Q{corner[0]:g} {corner[1]:g} {bx:g} {by:g}")
    return "".join([*parts, f"L{points[-1][0]:g} {points[-1][1]:g}"])
