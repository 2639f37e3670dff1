"""The layout of the report page in a real browser: on screens, for screen readers, on paper and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..reported import page_of
from .browsing import BROAD, NARROW, Scheme, expect, overflow
from .report_pages import RULE, loader, must_have_opened, must_show, open_rule, rows, six

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opening = Callable[..., "Page"]
# Rows out of sight are not laid out, and axe would take them for being where they are not.
LAY_OUT = "for (const body of document.querySelectorAll('.rules tbody')) body.style.contentVisibility = 'visible'"
# The text of an element, line by line as it is laid out.
LINES = """(node) => {
  const lines = [];
  const range = document.createRange();
  let top;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    for (let n = 0; n < text.length; n += 1) {
      range.setStart(text, n); range.setEnd(text, n + 1);
      const box = range.getBoundingClientRect();
      if (top === undefined || box.top > top + 2) { lines.push(""); top = box.top; }
      lines[lines.length - 1] += text.data[n];
    }
  }
  return lines;
}"""

pytestmark = pytest.mark.long


@pytest.mark.parametrize("width", [NARROW, BROAD])
def test_a_long_name_breaks_between_its_parts(opened_report: Opening, width: int) -> None:
    """After a colon, a slash or a dot, however narrow its column is."""
    page = opened_report(*[loader()] * 6, width=width)
    page.locator("summary", has_text="All counts").click()
    for name in page.locator(".name:visible, .target code:visible").all():
        lines = name.evaluate(LINES)
        assert all(re.fullmatch(r".*[:/. ]", line) for line in lines[:-1]), lines
    if width == BROAD:
        assert len(page.locator(".counts .name:visible").first.evaluate(LINES)) > 1


@pytest.mark.parametrize(("width", "scheme"), [(NARROW, "dark"), (BROAD, "light")])
def test_nothing_scrolls_sideways_and_axe_finds_nothing(
    opened_report: Opening, axe: str, width: int, scheme: Scheme
) -> None:
    """On the whole page with everything unfolded, and with a rule open."""
    page = opened_report(*six(), loader(), width=width, scheme=scheme)
    page.evaluate(axe)
    page.evaluate(LAY_OUT)
    for summary in page.locator("summary:visible").all():
        summary.click()
    assert overflow(page) == 0
    assert _found(page) == []

    open_rule(page)
    for summary in page.locator("dialog summary").all():
        summary.click()
    assert overflow(page) == 0
    assert overflow(page, "dialog") == 0
    assert _found(page) == []


def _found(page: Page) -> list[Any]:
    """What axe calls serious or critical."""
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert found["testEngine"]["name"] == "axe-core"
    return [
        (rule["id"], [node["html"][:200] for node in rule["nodes"][:3]])
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("width", [NARROW, BROAD])
def test_the_table_is_a_table_to_a_screen_reader(opened_report: Opening, width: int) -> None:
    """However it is laid out: rows with a header each, columns with theirs, and a word in every cell."""
    page = opened_report(width=width)
    table = page.get_by_role("table", name="Rules")
    row = table.get_by_role("row", name=RULE)

    expect(table.get_by_role("columnheader")).to_have_count(7)
    expect(row.get_by_role("rowheader")).to_contain_text(RULE)
    words = ["passed", "failed", "known", "timed-out", "no-result", "not-run"]
    expect(row.get_by_role("cell")).to_have_text([re.compile(rf"^{word}") for word in words])
    expect(page.locator("#left")).to_have_attribute("role", "status")


def test_on_paper_everything_is_open_and_light(opened_report: Opening) -> None:
    """The page without its controls; and of an open rule that alone."""
    page = opened_report(scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.get_by_role("table", name="All counts")).to_be_visible()
    expect(page.get_by_label("Search")).not_to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".matrix thead th").first).to_have_css("position", "static")

    page.evaluate(f"window.dispatchEvent(new Event('afterprint')); location.hash = '#{RULE}'")
    must_have_opened(page, RULE)
    expect(page.get_by_role("table", name="All counts")).not_to_be_visible()
    expect(page.get_by_role("button", name="Close")).not_to_be_visible()
    assert page.locator("dialog").evaluate("node => node.scrollHeight - node.clientHeight") == 0
    assert len(page.pdf()) > 10_000


def test_without_scripts_all_verdicts_are_there(browser: Browser, tmp_path: Path) -> None:
    """The rows that are inapplicable as well."""
    (tmp_path / "report.html").write_text(page_of(loader()), encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.goto((tmp_path / "report.html").as_uri())
    must_show(page, rows(loader()))
    expect(page.locator(f"#{RULE}").get_by_text("failed")).to_be_visible()
    expect(page.locator("dialog")).to_be_hidden()
    page.close()


def test_many_implementations_have_room(opened_report: Opening) -> None:
    """Twelve of them: a sign in each cell, and the word for screen readers."""
    page = opened_report(*six(), *six(), width=NARROW)
    assert overflow(page) == 0
    page.set_viewport_size({"width": BROAD, "height": 800})
    page.wait_for_function("width => document.documentElement.clientWidth === width", arg=BROAD)
    assert overflow(page) == 0
    expect(page.get_by_role("row", name=RULE).get_by_role("cell", name="passed")).to_have_count(2)
