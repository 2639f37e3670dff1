"""The filters of the report page in a real browser, and the addresses that reproduce a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from loopspec.pages.rules import rules
from loopspec.specification.order import topic

from .browsing import expect
from .report_pages import NEXT, RULE, loader, must_be_at, must_have_opened, must_show, open_rule, rows, six

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opening = Callable[..., "Page"]
pytestmark = pytest.mark.long


def text_of(rule: str) -> str:
    """The text that the search looks at."""
    found = rules()[rule]
    return f"{topic(found.area)} {found.area} {found.id} {found.sentence} {found.basis}".lower()


def test_the_filters_leave_what_matches(opened_report: Opening) -> None:
    """By words, area, verdict, basis, and the verdict of one implementation; and the count says how many are left."""
    page = opened_report()
    left, every = page.locator("#left"), rows(*six())
    must_show(page, every)
    expect(left).to_have_text(f"{len(every)} rules")

    words = rules()[RULE].sentence.split()
    page.get_by_label("Search").fill("  ".join(words[::-1]).upper())
    matching = [rule for rule in every if all(word.lower() in text_of(rule) for word in words)]
    assert RULE in matching
    must_show(page, matching)
    expect(left).to_have_text(f"{len(matching)} of {len(every)} rules")
    expect(page.locator(".rules .document:visible")).to_have_count(1)
    expect(page.locator(".rules .group:visible")).to_have_count(1)
    page.get_by_label("Search").fill("no such words")
    must_show(page, [])
    expect(page.get_by_text("No rule matches these filters.")).to_be_visible()

    page.get_by_role("button", name="Clear filters").click()
    must_show(page, every)
    page.get_by_label("Area").select_option("AMD-BUDGET")
    budget = [rule for rule in every if rule.startswith("AMD-BUDGET-")]
    must_show(page, budget)
    page.get_by_label("Basis").select_option("clarified")
    clarified = [rule for rule in budget if rules()[rule].basis == "clarified"]
    assert clarified
    must_show(page, clarified)

    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Verdict").select_option("failed")
    must_show(page, [RULE])
    page.get_by_label("Verdict").select_option("crashed")
    must_show(page, [rule for rule in every if rule.startswith("AMD-BUDGET-0")])
    page.get_by_role("combobox", name="Implementation").select_option("A one 1.0")
    must_show(page, [])
    page.get_by_label("Verdict").select_option("passed")
    must_show(page, every)
    page.get_by_label("Verdict").select_option("did not pass")
    must_show(page, [])
    page.get_by_label("Verdict").select_option("not the same for all")
    must_show(page, every)


def test_rules_that_are_inapplicable_everywhere_are_hidden_at_first(opened_report: Opening) -> None:
    """Their number is given, and a switch or the filter for their verdict shows them."""
    page = opened_report(loader())
    every = rows(loader())
    judged = [rule for rule in every if not rule.startswith("XP-")]
    hidden = len(every) - len(judged)
    left, switch = page.locator("#left"), page.get_by_label(f"Show {hidden} rules inapplicable to it")
    assert hidden > 1
    must_show(page, judged)
    expect(left).to_have_text(f"{len(judged)} of {len(every)} rules, {hidden} inapplicable hidden")
    expect(page.get_by_role("heading", name=topic("XP-TODO"))).to_have_count(0)

    switch.check()
    must_show(page, every)
    expect(left).to_have_text(f"{len(every)} rules")
    expect(page.get_by_role("heading", name=topic("XP-TODO"))).to_be_visible()
    switch.uncheck()
    page.get_by_label("Search").fill("XP-TODO")
    must_show(page, [])
    expect(left).to_have_text(f"0 of {len(every)} rules, {hidden} inapplicable hidden")
    page.get_by_label("Search").fill("")
    page.get_by_label("Verdict").select_option("inapplicable")
    must_show(page, [rule for rule in every if rule not in judged])


def test_the_switch_is_reached_and_used_with_the_keyboard(opened_report: Opening) -> None:
    page = opened_report(loader())
    page.get_by_role("button", name="Clear filters").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Show")).to_be_focused()
    page.keyboard.press("Space")
    must_show(page, rows(loader()))


def test_a_link_reproduces_the_view(opened_report: Opening) -> None:
    """The address has the filters, and the rule that is open among what they leave."""
    page = opened_report(loader())
    every = rows(loader())
    depth = [rule for rule in every if rule.startswith("AMD-DEPTH-") and rule != RULE]
    page.get_by_label("Area").select_option("AMD-DEPTH")
    page.get_by_label("Verdict").select_option("passed")
    page.get_by_label("Search").fill("level é&=#?")
    must_be_at(page, "#?text=level+%C3%A9%26%3D%23%3F&area=AMD-DEPTH&verdict=passed")
    page.get_by_label("Search").fill("")
    page.get_by_label("Show").check()
    must_be_at(page, "#?area=AMD-DEPTH&verdict=passed&inapplicable=shown")
    open_rule(page, NEXT)
    must_be_at(page, f"#{NEXT}?area=AMD-DEPTH&verdict=passed&inapplicable=shown")

    again = opened_report(loader(), at=f"#{NEXT}?area=AMD-DEPTH&verdict=passed&inapplicable=shown")
    must_have_opened(again, NEXT)
    expect(again.locator("#place")).to_have_text(f"{depth.index(NEXT) + 1} of {len(depth)}")
    again.keyboard.press("Escape")
    must_show(again, depth)
    must_be_at(again, "#?area=AMD-DEPTH&verdict=passed&inapplicable=shown")
    expect(again.get_by_label("Area")).to_have_value("AMD-DEPTH")
    expect(again.get_by_label("Show")).to_be_checked()
    again.get_by_role("button", name="Clear filters").click()
    must_be_at(again, "")
    expect(again.get_by_label("Show")).not_to_be_checked()


def test_a_link_with_unknown_filters_shows_what_it_can(opened_report: Opening) -> None:
    """An option that this page does not have is none."""
    page = opened_report(loader(), at="#?area=NO-SUCH&verdict=failed&column=7&x=%ff")
    must_show(page, [RULE])
    expect(page.get_by_label("Area")).to_have_value("")


def test_back_goes_from_view_to_view(opened_report: Opening) -> None:
    """A search that was typed is one step, a choice is one, and so is a rule that was opened."""
    page = opened_report()
    every = rows(*six())
    must_show(page, every)
    page.get_by_label("Search").press_sequentially("chain")
    expect(page.locator("#left")).not_to_have_text(f"{len(every)} rules")
    page.get_by_label("Area").select_option("AMD-DEPTH")
    must_be_at(page, "#?text=chain&area=AMD-DEPTH")
    first = page.locator(".rules tr[id]:visible").first
    rule = first.get_attribute("id") or ""
    open_rule(page, rule)

    page.go_back()
    must_be_at(page, "#?text=chain&area=AMD-DEPTH")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.go_back()
    must_be_at(page, "#?text=chain")
    expect(page.get_by_label("Area")).to_have_value("")
    page.go_back()
    must_be_at(page, "")
    must_show(page, every)
    expect(page.get_by_label("Search")).to_have_value("")
    page.go_forward()
    expect(page.get_by_label("Search")).to_have_value("chain")
    page.go_forward()
    page.go_forward()
    must_have_opened(page, rule)
