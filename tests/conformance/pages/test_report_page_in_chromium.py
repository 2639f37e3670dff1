"""`loopspec report --html` in a real browser: a rule opened, with the mouse, with the keyboard and by its address."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from loopspec.pages.rules import rules

from ..reported import passing
from .browsing import expect, press_tab
from .report_pages import (
    AREAS,
    LONG,
    RULE,
    SCRIPT,
    loader,
    must_be_at,
    must_be_closed,
    must_focus,
    must_have_opened,
    must_have_title,
    must_show,
    open_rule,
    rows,
    six,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opening = Callable[..., "Page"]
pytestmark = pytest.mark.long


def test_a_click_opens_a_rule_with_all_implementations_next_to_each_other(opened_report: Opening) -> None:
    written = rules()[RULE].written
    assert written
    page = opened_report()
    open_rule(page)
    dialog = page.get_by_role("dialog", name=rules()[RULE].sentence)

    must_be_at(page, f"#{RULE}")
    expect(dialog.locator(".facts")).to_contain_text(rules()[RULE].found_in[0].title)
    expect(dialog.locator(".gherkin .scenario")).to_have_count(len(written.scenarios))
    expect(dialog.locator(".gherkin .scenario").first).to_contain_text(written.scenarios[0].title)
    first = dialog.locator(".case").first
    expect(first.locator(".side")).to_have_count(3)  # the others have nothing to show
    tops = first.locator(".side").evaluate_all("all => all.map((side) => side.getBoundingClientRect().top)")
    assert len(set(tops)) == 1
    expect(first.locator(".seen .apart").first).to_have_text(LONG)
    first.locator("summary", has_text="log").first.click()
    expect(first.get_by_text("Cut after 4,096 characters: in the report it has 9,")).to_be_visible()


def test_a_link_to_a_rule_opens_it(opened_report: Opening) -> None:
    """In the address from the start, changed later, and back again."""
    page = opened_report(at=f"#{RULE}")
    must_have_opened(page, RULE)
    must_have_title(page, f"{RULE} – ")

    page.evaluate("location.hash = '#AMD-DEPTH-03'")
    must_have_opened(page, "AMD-DEPTH-03")
    page.go_back()
    must_have_opened(page, RULE)
    page.get_by_role("button", name="Close").click()
    must_be_closed(page)
    must_be_at(page, "")
    must_have_title(page, "Conformance of ")


def test_a_link_to_an_unknown_rule_opens_nothing(opened_report: Opening) -> None:
    page = opened_report(at="#AMD-DEPTH-99%ff")
    must_show(page, rows(*six()))
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_link_to_a_hidden_rule_opens_it(opened_report: Opening) -> None:
    """One that is inapplicable, say; closing it leaves the page as it is."""
    page = opened_report(loader(), at="#XP-TODO-01")
    must_have_opened(page, "XP-TODO-01")
    expect(page.locator("#place")).to_have_text("")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.keyboard.press("Escape")
    must_be_at(page, "")
    expect(page.get_by_label("Search")).to_be_focused()


def test_the_keyboard_is_enough(opened_report: Opening) -> None:
    """Enter opens, Escape closes and the focus is where it was; arrows walk through what the filters leave."""
    page = opened_report()
    page.keyboard.press("Tab")
    must_focus(page, "To the rules")
    page.keyboard.press("Enter")
    must_be_at(page, "#rules")
    for name in ("text", "area", "verdict", "column", "basis"):
        press_tab(page)
        expect(page.locator(f"[name={name}]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Clear filters")).to_be_focused()
    page.keyboard.press("Tab")
    found = rows(*six())
    must_focus(page, found[0])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    must_focus(page, found[1])
    expect(page.locator(f"#{found[1]} a")).to_have_css("outline-style", "solid")

    page.keyboard.press("Enter")
    must_have_opened(page, found[1])
    expect(page.locator("#opened-title")).to_be_focused()
    page.keyboard.press("Escape")
    must_be_closed(page)
    must_focus(page, found[1])


def test_one_rule_leads_to_the_next_that_the_filters_leave(opened_report: Opening) -> None:
    page = opened_report()
    page.get_by_label("Area").select_option("AMD-DEPTH")
    found = [rule for rule in rows(*six()) if rule.startswith("AMD-DEPTH-")]
    must_show(page, found)
    page.locator(f"#{found[0]} a").click()
    place, after = page.locator("#place"), page.get_by_role("button", name="Next")

    expect(place).to_have_text(f"1 of {len(found)}")
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    for number, rule in enumerate(found[1:], 2):
        after.click()
        must_have_opened(page, rule)
        expect(place).to_have_text(f"{number} of {len(found)}")
    expect(after).to_be_disabled()
    must_be_at(page, f"#{found[-1]}?area=AMD-DEPTH")
    page.wait_for_function("document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    must_focus(page, found[-1])


def test_a_script_in_a_report_stays_text(opened_report: Opening) -> None:
    """In names, messages, observations and texts that a process left: it does not run, and can be read."""
    page = opened_report(*six(), passing(*AREAS, name=SCRIPT))
    expect(page.get_by_role("heading", name=SCRIPT)).to_be_visible()
    open_rule(page)
    for summary in page.locator("dialog summary").all():
        summary.click()
    expect(page.locator("dialog .expected .apart").first).to_have_text(SCRIPT)
    expect(page.locator("img, dialog script")).to_have_count(0)
    expect(page.locator("script")).to_have_count(2)
