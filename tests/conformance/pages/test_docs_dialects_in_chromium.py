"""The table of dialects in a real browser, opened from the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .browsing import BROAD, NARROW, expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

Visiting = Callable[..., "Page"]
# How far the table can be scrolled sideways, and the whole page.
BEYOND = """() => {
  const table = document.querySelector(".scrolls"), page = document.documentElement;
  return [table.scrollWidth - table.clientWidth, page.scrollWidth - page.clientWidth];
}"""


def test_on_a_broad_screen_every_dialect_is_visible(visited: Visiting) -> None:
    page = visited("dialects.html", width=BROAD)

    assert page.evaluate(BEYOND) == [0, 0]


@pytest.mark.parametrize("name", ["dialects.html", "dialects/qwen-code.html"])
def test_on_a_phone_the_page_is_as_wide_as_the_screen(visited: Visiting, name: str) -> None:
    page = visited(name, width=NARROW)

    assert page.evaluate("document.documentElement.scrollWidth") == NARROW


def test_on_a_phone_the_questions_and_the_names_stay_while_the_table_scrolls(visited: Visiting) -> None:
    page = visited("dialects.html", width=NARROW)
    table = page.locator(".scrolls")
    question, name = page.locator("tr#imports th"), page.locator("thead th").last

    page.evaluate("document.querySelector('.scrolls').scrollTo(10000, 700)")

    outside, head, cell = table.bounding_box(), name.bounding_box(), question.bounding_box()
    assert outside
    assert head
    assert cell
    assert abs(cell["x"] - outside["x"]) <= 1
    assert abs(head["y"] - outside["y"]) <= 1
    assert head["x"] + head["width"] <= outside["x"] + outside["width"] + 1
    expect(table).to_have_attribute("aria-label", "Dialects and axes")


def test_the_link_of_an_axis_shows_its_row(visited: Visiting) -> None:
    page = visited("dialects.html#budget", width=BROAD)

    row, head = page.locator("tr#budget th").bounding_box(), page.locator("thead th").first.bounding_box()
    assert row
    assert head
    assert row["y"] >= head["y"] + head["height"] - 1
    expect(page.locator("tr#budget th")).to_be_in_viewport()
