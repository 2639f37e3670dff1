"""The site of `loopspec docs` in a real browser, opened from the disk: what its scripts and styles add."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.pages import rules
from loopspec.specification.order import topic
from loopspec_docs.site.navigation import GROUPS
from loopspec_known.results import results
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK

from .browsing import BROAD, NARROW, expect, overflow, press_tab
from .report_pages import must_focus

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

Visiting = Callable[..., "Page"]
RULE = "AMD-DEPTH-02"
PHRASE = max((one.readable for one in BOOK.phrases if one.kind == "given"), key=len)  # no rule begins like it
MUTANT = next(mutant for mutant in MUTANTS.values() if mutant.rule == "AMD-CYCLE-01")
IMPLEMENTATIONS = results().implementations


def must_be_in_view(page: Page, anchor: str) -> None:
    """Wait until an element begins in the upper half of the window."""
    page.wait_for_function(
        "id => ((top) => top >= 0 && top < innerHeight / 2)(document.getElementById(id)?.getBoundingClientRect().top)",
        arg=anchor,
    )


@pytest.mark.parametrize(
    ("query", "kind", "found"),
    [
        (RULE, rules()[RULE].basis, rules()[RULE].sentence),
        ("amd-depth", "area", topic("AMD-DEPTH")),
        (PHRASE, "phrase", f"Given {PHRASE}"),
        ("fault-io", "capability", str(CAPABILITIES["fault-io"])),
        (MUTANT.name, "mutant", MUTANT.sentence),
        ("states of a cancelled run", "picture", "The states of a cancelled run"),
        ("openai_compatible", "example", "A real model"),
        (f"  {rules()[RULE].sentence.upper()}", rules()[RULE].basis, rules()[RULE].sentence),
        ("before_model", re.compile("^(name|concept)$"), re.compile("before-model hook")),
        ("ModelFallbackMiddleware", re.compile("^(name|concept)$"), re.compile("failover")),
    ],
    ids=["id", "area", "phrase", "capability", "mutant", "picture", "example", "sentence", "hook", "class"],
)
def test_the_first_result_is_what_was_meant(
    visited: Visiting, query: str, kind: str | re.Pattern[str], found: str | re.Pattern[str]
) -> None:
    """Capitals and spaces do not matter. A name of a framework finds the concept."""
    page = visited("search.html")
    page.get_by_role("searchbox").fill(query)
    first = page.locator("#results a").first

    expect(first.locator(".chip")).to_have_text(kind)
    expect(first.locator(".said") if isinstance(found, str) else first).to_have_text(found)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", ""),
        ("xyzzy", "No entry contains this word."),
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


def test_the_search_leads_from_any_page_to_a_rule_and_back(visited: Visiting) -> None:
    """The words are marked. The query is in the address, so going back finds it."""
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
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value(" ".join(words))
    expect(page.locator("#results .id").first).to_have_text(RULE)


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
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#main a").first).to_have_css("outline-style", "solid")

    box, found = page.locator("#q"), page.locator("#results a")
    box.focus()
    page.keyboard.type("AMD-CYCLE-0")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=AMD-CYCLE-0")
    expect(found.nth(1)).to_be_visible()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(found.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules/AMD-CYCLE.html#AMD-CYCLE-0*")
    fold = page.locator("article:target details").first
    for _ in range(200):
        press_tab(page)
        if fold.locator("summary").evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("open", "")


def test_what_is_wide_scrolls_with_the_keyboard(visited: Visiting) -> None:
    """A table of many columns on a narrow screen; on a broad one it is not in the order of the tab key."""
    page = visited("rules/TOOLS.html", width=NARROW)
    table = page.locator(".scrolls[tabindex]").first
    table.focus()
    page.keyboard.press("ArrowRight")

    page.wait_for_function("document.activeElement.scrollLeft > 0")
    page.set_viewport_size({"width": BROAD, "height": 800})
    expect(page.locator(".scrolls[tabindex]")).to_have_count(0)
    assert overflow(visited("dialects.html"), ".scrolls") == 0


def test_print_unfolds_everything_and_leaves_the_navigation_out(visited: Visiting) -> None:
    """On white paper, whatever the screen is like; afterwards the page is as before."""
    page = visited("rules/AMD-CYCLE.html", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    expect(page.locator("details:not([open])")).to_have_count(0)
    expect(page.get_by_role("navigation", name="Site")).not_to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("details[open]")).to_have_count(0)


def test_without_scripts_there_are_the_rules_and_the_menu(browser: Browser, folder: Path) -> None:
    """Only the search needs scripts, and says so."""
    page = browser.new_page(java_script_enabled=False, viewport={"width": NARROW, "height": 800})
    page.goto(f"{folder.as_uri()}/rules/AMD-DEPTH.html#{RULE}")
    expect(page.get_by_role("heading", name=rules()[RULE].sentence)).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#menu").get_by_role("link", name="Decisions")).to_be_visible()
    page.goto(f"{folder.as_uri()}/search.html?q=cycle")
    expect(page.get_by_text("The search needs JavaScript.")).to_be_visible()
    page.close()


def test_on_a_phone_the_navigation_is_a_menu(visited: Visiting) -> None:
    """Of one row. The menu has every page of every group, and the keyboard opens and closes it."""
    page = visited("index.html", width=NARROW)
    box, menu = page.locator(".bar").bounding_box(), page.get_by_role("button", name="Menu")
    assert box
    assert box["height"] <= 72
    expect(page.locator(".to-search")).to_be_visible()
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#menu li li a")).to_have_text([word for group in GROUPS for word in group.pages.values()])
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    press_tab(page)
    expect(page.locator("#menu a").first).to_be_focused()


def test_the_results_are_filtered_by_implementation_and_state(visited: Visiting) -> None:
    """A sentence says how many rows fit. The choice is in the address; an unknown name there changes nothing."""
    page = visited("results.html")
    count = page.get_by_role("status")
    every = {rule for one in IMPLEMENTATIONS for found in one.verdicts.values() for rule in found}
    (one,) = (one for one in IMPLEMENTATIONS if one.adapter.endswith("/gemini_cli"))
    known = {rule for each in IMPLEMENTATIONS for rule in each.verdicts.get("known", ())}
    expect(count).to_have_text(f"{len(every)} rules")

    page.get_by_label("State").select_option("known")
    expect(count).to_have_text(f"{len(known)} of {len(every)} rules")
    page.get_by_label("Implementation").select_option(label=one.name)
    expect(page.locator("#matrix th .id:visible")).to_have_count(len(one.verdicts["known"]))
    expect(page.locator("#matrix thead th:visible")).to_have_count(2)
    again = visited(f"results.html{page.evaluate('location.search')}")
    expect(again.get_by_role("status")).to_have_text(f"{len(one.verdicts['known'])} of {len(every)} rules")
    again.locator("#matrix td.known a:visible").first.click()
    again.wait_for_url("**/results/gemini-cli.html#known-*")
    unknown = visited("results.html?implementation=nothing")
    expect(unknown.get_by_role("status")).to_have_text(f"{len(every)} rules")


def test_the_link_of_a_row_shows_it_below_the_head_of_its_table(visited: Visiting) -> None:
    """The head stays in view while the table scrolls, on a phone as well."""
    page = visited("dialects.html#budget", width=NARROW)
    row, head = page.locator("tr#budget th").bounding_box(), page.locator("thead th").first.bounding_box()

    assert row
    assert head
    assert row["y"] >= head["y"] + head["height"] - 1
    expect(page.locator("thead th").first).to_be_in_viewport()
    expect(page.locator("tr#budget th")).to_be_in_viewport()
