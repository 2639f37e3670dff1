"""The site of `loopspec docs` in a real browser, opened from the disk."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.pages import rules
from loopspec.specification.order import topic
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK

from .browsing import BROAD, NARROW, expect, press_tab
from .report_pages import must_focus

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

Visiting = Callable[..., "Page"]
RULE = "AMD-DEPTH-02"


def must_be_in_view(page: Page, anchor: str) -> None:
    """Wait until an element begins in the upper half of the window."""
    page.wait_for_function(
        "id => ((top) => top >= 0 && top < innerHeight / 2)(document.getElementById(id)?.getBoundingClientRect().top)",
        arg=anchor,
    )


def test_the_search_finds_a_rule_by_words_of_its_sentence_and_opens_it(visited: Visiting) -> None:
    """From any page; the words are marked, and the result leads to the rule itself."""
    words = [word for word in re.findall(r"\w+", rules()[RULE].sentence) if len(word) > 3 and not word.endswith("s")]
    page = visited("rules/LOOP.html")
    page.get_by_role("searchbox").fill(" ".join(words))
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search.html?q=*")
    first = page.locator("#results a").first

    expect(first.locator(".id")).to_have_text(RULE)
    expect(first.locator(".said mark")).to_have_text(words)
    first.click()
    page.wait_for_url(f"**/rules/AMD-DEPTH.html#{RULE}")
    must_be_in_view(page, RULE)


MUTANT = next(mutant for mutant in MUTANTS.values() if mutant.rule == "AMD-CYCLE-01")


@pytest.mark.parametrize(
    ("query", "kind", "found"),
    [
        (RULE, rules()[RULE].basis, rules()[RULE].sentence),
        ("amd-depth", "area", topic("AMD-DEPTH")),
        (BOOK.phrases[0].readable, "phrase", f"Given {BOOK.phrases[0].readable}"),
        ("fault-io", "capability", str(CAPABILITIES["fault-io"])),
        (MUTANT.name, "mutant", MUTANT.sentence),
        ("states of a cancelled run", "picture", "The states of a cancelled run"),
        ("openai_compatible", "example", "A real model"),
        (f"  {rules()[RULE].sentence.upper()}", rules()[RULE].basis, rules()[RULE].sentence),
    ],
    ids=["id", "area", "phrase", "capability", "mutant", "picture", "example", "sentence"],
)
def test_the_first_result_is_what_was_meant(visited: Visiting, query: str, kind: str, found: str) -> None:
    """Capitals and spaces do not matter."""
    page = visited("search.html")
    page.get_by_role("searchbox").fill(query)
    first = page.locator("#results a").first

    expect(first.locator(".chip")).to_have_text(kind)
    expect(first.locator(".said")).to_have_text(found)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", ""),
        ("xyzzy", "No entry contains this word."),
        ("xyzzy plugh", "No entry contains all of these words."),
        (MUTANT.name, "1 result"),
        ("the", re.compile(r"^\d+ results; the first 50 are shown\.$")),
        ("<img src=x onerror=alert(1)> (", "No entry contains all of these words."),
    ],
)
def test_the_search_says_how_many_results_there_are(
    visited: Visiting, query: str, count: str | re.Pattern[str]
) -> None:
    """To screen readers too; and a query is neither HTML nor a pattern."""
    page = visited("search.html")
    page.get_by_role("searchbox").fill(query)

    expect(page.get_by_role("status")).to_have_text(count)
    assert page.locator("#results a").count() <= 50
    expect(page.locator("#results img")).to_have_count(0)


def test_a_query_in_the_address_is_answered_and_going_back_finds_it(visited: Visiting) -> None:
    """So that a search can be a link."""
    page = visited("search.html?q=circular")
    page.get_by_role("searchbox").fill("AMD-CYCLE-07")
    expect(page.locator("#results .id").first).to_have_text("AMD-CYCLE-07")
    page.locator("#results a").first.click()
    page.wait_for_url("**/rules/AMD-CYCLE.html#AMD-CYCLE-07")
    page.go_back()

    expect(page.get_by_role("searchbox")).to_have_value("AMD-CYCLE-07")
    expect(page.locator("#results .id").first).to_have_text("AMD-CYCLE-07")


@pytest.mark.parametrize("width", [NARROW, BROAD])
@pytest.mark.parametrize("rule", ["AMD-IMPORT-28", "XP-NODE-18", "AMD-BUDGET-13"])
def test_a_deep_link_lands_on_the_rule(visited: Visiting, rule: str, width: int) -> None:
    """The last of a long page, one that shares its sentence, one without a scenario; and it is marked."""
    area = rule.rpartition("-")[0]
    page = visited(f"rules/{area}.html#{rule}", width=width)

    must_be_in_view(page, rule)
    article = page.locator(f"article:target, article:has([id='{rule}']:target)")
    expect(article).to_have_count(1)
    expect(article).not_to_have_css("box-shadow", "none")


def test_everything_can_be_reached_with_the_keyboard(visited: Visiting) -> None:
    """Past the navigation, to a search, through its results with the arrows, and into a fold of a rule."""
    page = visited("index.html")
    page.keyboard.press("Tab")
    must_focus(page, "Skip to the content")
    expect(page.get_by_text("Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    first = page.locator("#main a").first
    expect(first).to_be_focused()
    expect(first).to_have_css("outline-style", "solid")

    box, results = page.locator("#q"), page.locator("#results a")
    box.focus()
    page.keyboard.type("cycle")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=cycle")
    expect(box).to_be_focused()
    expect(results.nth(1)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(results.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(box).to_be_focused()

    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("AMD-CYCLE-07")
    expect(results.first.locator(".id")).to_have_text("AMD-CYCLE-07")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules/AMD-CYCLE.html#AMD-CYCLE-07")
    fold = page.locator("[id='AMD-CYCLE-07'] details")
    expect(fold).not_to_have_attribute("open", "")
    for _ in range(200):
        press_tab(page)
        if fold.locator("summary").evaluate("node => node === document.activeElement"):
            break
    expect(fold.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("open", "")


def test_what_is_wide_scrolls_with_the_keyboard(visited: Visiting) -> None:
    """A table of many columns on a narrow screen; on a broad one it is not in the order of the tab key."""
    page = visited("rules/TOOLS.html", width=NARROW)
    table = page.locator(".scrolls[tabindex]").first
    table.focus()
    page.keyboard.press("ArrowRight")

    page.wait_for_function("document.activeElement.scrollLeft > 0")
    expect(table).to_have_attribute("aria-label", re.compile("^Table of: "))
    page.set_viewport_size({"width": BROAD, "height": 800})
    expect(page.locator(".scrolls[tabindex]")).to_have_count(0)


def test_print_unfolds_everything_and_leaves_the_navigation_out(visited: Visiting) -> None:
    """On white paper, whatever the screen is like; afterwards the page is as before."""
    page = visited("rules/AMD-CYCLE.html", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    expect(page.locator("details:not([open])")).to_have_count(0)
    expect(page.get_by_role("navigation", name="Site")).not_to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator("body")).to_have_css("color", "rgb(27, 35, 48)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("details[open]")).to_have_count(0)


def test_without_scripts_the_rules_can_be_read(browser: Browser, folder: Path) -> None:
    """Only the search needs scripts, and says so."""
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{folder.as_uri()}/rules/AMD-DEPTH.html#{RULE}")
    expect(page.get_by_role("heading", name=rules()[RULE].sentence)).to_be_visible()
    page.get_by_role("searchbox").fill("cycle")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**/search.html?q=cycle")

    expect(page.get_by_text("The search needs JavaScript.")).to_be_visible()
    page.close()
