"""The navigation, the tables of results and dialects, and the names in a real browser, opened from the disk."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from loopspec_docs.site.navigation import GROUPS
from loopspec_known.results import results

from .browsing import BROAD, NARROW, expect, overflow, press_tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

Visiting = Callable[..., "Page"]
IMPLEMENTATIONS = results().implementations
# The rows of rules that are shown, by their ids.
SHOWN = """() => [...document.querySelectorAll("#matrix th .id")]
  .filter((node) => node.checkVisibility()).map((node) => node.innerText)"""


def tops(page: Page, selector: str) -> set[int]:
    """Where the visible elements begin, in pixels from the top."""
    return {round(box["y"]) for one in page.locator(selector).all() if one.is_visible() and (box := one.bounding_box())}


def test_on_a_broad_screen_the_groups_are_in_one_row_and_the_pages_of_this_one_in_another(visited: Visiting) -> None:
    """The current page is marked, and the search is there."""
    page = visited("results.html")

    expect(page.locator(".tab")).to_have_text([group.name for group in GROUPS])
    assert len(tops(page, ".tab")) == 1
    pages = page.locator(".group.here li a")
    expect(pages).to_have_text(list(GROUPS[3].pages.values()))
    assert len(tops(page, ".group li a:not(.tab)")) == 1
    expect(page.locator("[aria-current=page]")).to_have_text("Known results")
    expect(page.get_by_role("button", name="Menu")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_visible()


@pytest.mark.parametrize("name", ["index.html", "rules/LOOP.html", "guide/reports-and-ci.html"])
def test_on_a_phone_the_navigation_takes_one_row(visited: Visiting, name: str) -> None:
    """The head of the page is no higher than two lines of text, and has a way to the menu and to the search."""
    page = visited(name, width=NARROW)
    box = page.locator(".bar").bounding_box()

    assert box
    assert box["height"] <= 72
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    expect(page.locator(".to-search")).to_be_visible()
    expect(page.locator("#menu")).to_be_hidden()


def test_the_menu_opens_and_closes_with_the_keyboard(visited: Visiting) -> None:
    """Every page of every group is in it; Enter on one opens that page."""
    page = visited("index.html", width=NARROW)
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    for group in GROUPS:
        expect(page.locator("#menu").get_by_role("link", name=group.name, exact=True)).to_be_visible()
    expect(page.locator("#menu li li a")).to_have_text([word for group in GROUPS for word in group.pages.values()])
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(menu).to_be_focused()

    page.keyboard.press("Enter")
    press_tab(page)
    expect(page.locator("#menu a").first).to_be_focused()
    page.locator("#menu").get_by_role("link", name="Known results").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/results.html")


def test_the_menu_opens_without_scripts(browser: Browser, visited: Visiting) -> None:
    """The button needs none."""
    address = visited("index.html").url
    page = browser.new_page(java_script_enabled=False, viewport={"width": NARROW, "height": 800})
    page.goto(address)
    page.get_by_role("button", name="Menu").click()

    expect(page.locator("#menu").get_by_role("link", name="Decisions")).to_be_visible()
    page.close()


def test_the_results_are_filtered_by_implementation_and_state(visited: Visiting) -> None:
    """The rows that fit stay, and a sentence says how many; the choice is in the address."""
    page = visited("results.html")
    count = page.get_by_role("status")
    every = {rule for one in IMPLEMENTATIONS for rules in one.verdicts.values() for rule in rules}
    expect(count).to_have_text(f"{len(every)} rules")

    page.get_by_label("State").select_option("known")
    known = {rule for one in IMPLEMENTATIONS for rule in one.verdicts.get("known", ())}
    expect(count).to_have_text(f"{len(known)} of {len(every)} rules")
    assert set(page.evaluate(SHOWN)) == known

    (one,) = (one for one in IMPLEMENTATIONS if one.adapter.endswith("/gemini_cli"))
    page.get_by_label("Implementation").select_option(label=one.name)
    expect(count).to_have_text(f"{len(one.verdicts['known'])} of {len(every)} rules")
    assert set(page.evaluate(SHOWN)) == set(one.verdicts["known"])
    expect(page.locator("#matrix thead th:visible")).to_have_count(2)
    page.locator("#matrix td.known a:visible").first.click()
    page.wait_for_url("**/results/gemini-cli.html#known-*")


def test_a_filter_in_the_address_is_applied(visited: Visiting) -> None:
    """A link can lead to the differences of one implementation; an unknown name changes nothing."""
    page = visited("results.html?implementation=eino&state=known")
    (eino,) = (one for one in IMPLEMENTATIONS if one.adapter.endswith("/eino"))
    expect(page.get_by_role("status")).to_have_text(re.compile(f"^{len(eino.verdicts['known'])} of"))

    page = visited("results.html?implementation=nothing")
    expect(page.get_by_label("Implementation")).to_have_value("")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^\d+ rules$"))


@pytest.mark.parametrize("width", [NARROW, BROAD])
def test_the_head_of_the_results_stays_in_view(visited: Visiting, width: int) -> None:
    """And a state is more than a color: a mark, and a word that a screen reader reads on any screen."""
    page = visited("results.html", width=width)
    page.locator("#matrix .id", has_text="XP-TODO").first.scroll_into_view_if_needed()

    page.wait_for_function("document.querySelector('#matrix thead th').getBoundingClientRect().top < 1")
    expect(page.locator("#matrix thead th").last).to_be_in_viewport()
    cell = page.locator("#matrix td.known").first
    expect(cell).to_have_text("≠known")
    expect(page.get_by_role("cell", name="known").first).to_be_attached()


@pytest.mark.parametrize(
    ("query", "concept"),
    [
        ("before_model", "before-model hook"),
        ("checkpointer", "checkpoint"),
        ("HumanInTheLoop", "interrupt"),
        ("ModelFallbackMiddleware", "failover"),
        ("as_tool", "sub-agent as a tool"),
    ],
)
def test_a_name_of_a_framework_finds_the_concept(visited: Visiting, query: str, concept: str) -> None:
    """As the first result but for the same name in other frameworks, and the concept itself is there too."""
    page = visited(f"search.html?q={query}")
    first = page.locator("#results a").first

    expect(first.locator(".chip")).to_have_text(re.compile("^(name|concept)$"))
    expect(first).to_contain_text(concept)
    expect(page.locator("#results a", has=page.locator(".chip.concept")).first).to_contain_text(concept)
    first.click()
    page.wait_for_url(re.compile(r"/names(/[a-z-]+)?\.html#[a-z-]+$"))


def test_on_a_broad_screen_every_dialect_is_visible(visited: Visiting) -> None:
    """The table need not be scrolled."""
    assert overflow(visited("dialects.html"), ".scrolls") == 0


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
    page = visited("dialects.html#budget")

    row, head = page.locator("tr#budget th").bounding_box(), page.locator("thead th").first.bounding_box()
    assert row
    assert head
    assert row["y"] >= head["y"] + head["height"] - 1
    expect(page.locator("tr#budget th")).to_be_in_viewport()
