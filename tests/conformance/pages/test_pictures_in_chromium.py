"""The pictures in a real browser: every word is in its box, large enough, and easy to read on its ground."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from loopspec_docs.pictures import figures

from .browsing import BROAD, NARROW, Scheme, expect

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


def texts(page: Page, name: str) -> list[dict[str, Any]]:
    """The texts of a drawing."""
    found: list[dict[str, Any]] = page.evaluate(TEXTS, name)
    assert found
    return found


@pytest.mark.parametrize("width", [SMALL, BROAD])
def test_no_word_leaves_its_box_or_meets_another(visited: Visiting, width: int) -> None:
    """Nor does a line go through a word."""
    page = visited("pictures.html", width=width)
    for figure in DRAWN:
        found = texts(page, figure.name)
        out = [
            one["text"]
            for one in found
            if not one["disk"] and (one["box"][0] < one["inside"][0] or one["box"][2] > one["inside"][2])
        ]
        met = [
            (one["text"], other["text"])
            for number, one in enumerate(found)
            for other in found[:number]
            if overlap(one["box"], other["box"])
        ]
        assert (figure.name, out, met, page.evaluate(CROSSED, figure.name)) == (figure.name, [], [], [])


def test_no_word_is_small_on_a_phone(visited: Visiting) -> None:
    """At least 12 pixels, on a narrow one too; what is under a drawing begins below it."""
    page = visited("pictures.html", width=SMALL)
    for figure in DRAWN:
        assert [one["text"] for one in texts(page, figure.name) if one["size"] < 12] == []
        parts = page.locator(f"#picture-{figure.name} svg"), page.locator(f"#picture-{figure.name} details").first
        drawing, words = (part.bounding_box() for part in parts)
        assert drawing
        assert words
        assert drawing["y"] + drawing["height"] <= words["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_contrasts_with_its_ground(visited: Visiting, scheme: Scheme) -> None:
    """By at least 4.5 to 1."""
    page = visited("pictures.html", scheme=scheme)
    faint = {
        (figure.name, one["text"]): contrast(one["color"], one["ground"])
        for figure in DRAWN
        for one in texts(page, figure.name)
        if contrast(one["color"], one["ground"]) < 4.5
    }

    assert faint == {}


def test_in_print_a_picture_is_dark_on_white(visited: Visiting) -> None:
    """Whatever the screen is like, and with its words unfolded."""
    page = visited("pictures.html", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    for figure in DRAWN:
        assert all(luminance(one["ground"]) > 0.5 or one["disk"] for one in texts(page, figure.name))


def test_a_table_of_facts_is_a_list_on_a_phone(visited: Visiting) -> None:
    """Each cell with the name of its column, and still a table to a screen reader."""
    page = visited("pictures.html", width=NARROW)
    table = page.locator("#picture-loads table")

    expect(table).to_have_role("table")
    expect(table.get_by_role("columnheader")).to_have_count(5)
    cell = table.get_by_role("cell").first
    expect(cell).to_have_css("display", "grid")
    assert cell.evaluate("node => getComputedStyle(node, '::before').content") == '"Files"'
