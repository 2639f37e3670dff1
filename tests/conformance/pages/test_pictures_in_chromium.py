"""The pictures in a real browser: every word is in its box, large enough, and easy to read on its ground."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from loopspec_docs.pictures import figures

from .browsing import BROAD, Scheme

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

SMALL = 360
DRAWN = [figure for figure in figures() if figure.drawing]
# Every text of a drawing: its box and its size on the screen, its color, and the ground under its middle.
TEXTS = """(id) => {
  const svg = document.querySelector(`#picture-${id} svg`);
  const area = (node) => { const r = node.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const holds = ([l, t, r, b], x, y) => l <= x && x <= r && t <= y && y <= b;
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const shapes = [...svg.querySelectorAll("rect")].filter((node) => getComputedStyle(node).fill !== "none");
  const panel = getComputedStyle(svg.closest(".figure")).backgroundColor;
  return [...svg.querySelectorAll("text")].map((node) => {
    const box = area(node), x = (box[0] + box[2]) / 2, y = (box[1] + box[3]) / 2;
    const under = shapes.filter((shape) => holds(area(shape), x, y)).at(-1);
    const style = getComputedStyle(node);
    return {
      text: node.textContent, box, size: parseFloat(style.fontSize) * scale, color: style.fill,
      ground: under ? getComputedStyle(under).fill : panel, inside: under ? area(under) : area(svg),
      disk: under?.classList.contains("disk") ?? false,
    };
  });
}"""
# The same for the lines: those points of each line that are in a text.
CROSSED = """(id) => {
  const svg = document.querySelector(`#picture-${id} svg`);
  const matrix = svg.getScreenCTM();
  const boxes = [...svg.querySelectorAll("text")].map((node) => [node.textContent, node.getBoundingClientRect()]);
  const found = new Set();
  for (const line of svg.querySelectorAll("path.line"))
    for (let at = 0; at <= line.getTotalLength(); at += 2) {
      const point = line.getPointAtLength(at).matrixTransform(matrix);
      for (const [text, box] of boxes)
        if (box.left <= point.x && point.x <= box.right && box.top + 3 <= point.y && point.y <= box.bottom - 3)
          found.add(text);
    }
  return [...found];
}"""
Visiting = Callable[..., "Page"]


def luminance(color: str) -> float:
    """The relative luminance of a color of the form `rgb(…)`, by WCAG 2."""
    parts = [int(part) / 255 for part in color.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colors, by WCAG 2."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def overlap(one: list[float], other: list[float]) -> bool:
    """Whether two boxes share more than the edges of their letters."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 1 and down > 4


def is_out(box: list[float], around: list[float]) -> bool:
    """Whether a box begins or ends outside of the one that it belongs to."""
    return box[0] < around[0] or box[2] > around[2]


def texts(page: Page, name: str) -> list[dict[str, Any]]:
    """The texts of a drawing."""
    found: list[dict[str, Any]] = page.evaluate(TEXTS, name)
    assert found
    return found


@pytest.mark.parametrize(("width", "scheme"), [(SMALL, "light"), (BROAD, "dark")])
def test_every_word_of_a_drawing_can_be_read(visited: Visiting, width: int, scheme: Scheme) -> None:
    """It is in its box, meets no other word and no line, has 12 pixels at least, and a contrast of 4.5 to 1."""
    page = visited("pictures.html", width=width, scheme=scheme)
    unreadable: dict[str, list[object]] = {}
    for figure in DRAWN:
        found = texts(page, figure.name)
        unreadable[figure.name] = [
            *(one["text"] for one in found if not one["disk"] and is_out(one["box"], one["inside"])),
            *(one["text"] for one in found if one["size"] < 12 or contrast(one["color"], one["ground"]) < 4.5),
            *((one["text"], two["text"]) for one, two in combinations(found, 2) if overlap(one["box"], two["box"])),
            *page.evaluate(CROSSED, figure.name),
        ]

    assert {name: words for name, words in unreadable.items() if words} == {}


def test_in_print_a_picture_is_dark_on_white(visited: Visiting) -> None:
    """Whatever the screen is like, and with its words unfolded."""
    page = visited("pictures.html", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    for figure in DRAWN:
        assert all(luminance(one["ground"]) > 0.5 or one["disk"] for one in texts(page, figure.name))
