"""A page of each kind of the site in a real browser, at the widths of a phone, a tablet and two screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .browsing import Scheme
from .conftest import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

# Opens everything that opens.
UNFOLD = """() => {
  for (const node of document.querySelectorAll("details")) node.open = true;
  const menu = document.querySelector(".opens");
  if (menu.checkVisibility()) menu.popoverTargetElement.showPopover();
}"""
# A longer word may break anywhere: a phone has no line for it.
LONGEST = 30  # characters
# By how much the page is wider than its window; what scrolls, but not with the keyboard or without a name; and the
# words of cells and links that are on two lines or outside of their box. A word is letters, digits and underscores, or
# a version with its dots: "create_agent" and "1.4.7" are one word each, and "a-b" and "a.b" are two.
UNFIT = """(longest) => {
  const found = new Set();
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.add(`${page.scrollWidth - page.clientWidth} pixels too wide`);
  for (const node of document.querySelectorAll(".scrolls"))
    if (node.scrollWidth > node.clientWidth && (node.tabIndex !== 0 || !node.role || !node.ariaLabel))
      found.add(`stuck: ${node.dataset.label}`);

  const words = /\\d+(?:\\.\\w+)+|[\\p{L}\\p{N}_]+/gu, chinese = /\\p{Script=Han}/u, range = new Range();
  const isUnseen = (node) => node && (getComputedStyle(node).clipPath !== "none" || isUnseen(node.parentElement));
  for (const holder of document.querySelectorAll("th, td, a")) {
    const box = holder.getBoundingClientRect(), walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      for (const { 0: word, index } of text.data.matchAll(words)) {
        if (word.length > longest || chinese.test(word)) continue;
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const [first, ...others] = range.getClientRects();
        if (!first) continue; // the text is not shown
        const isSplit = others.some((part) => part.top >= first.bottom || part.left > first.right + 1);
        const isOut = first.left < box.left - 1 || first.right > box.right + 1;
        if ((isSplit || isOut) && !isUnseen(text.parentElement)) found.add(`broken: ${word}`);
      }
  }
  return [...found];
}"""
# A long page repeats the same parts: two of each are enough for a tool that looks at every element. The menu covers
# a part of the page.
SHORTEN = """() => {
  document.querySelector("#menu:popover-open")?.hidePopover();
  for (const whole of document.querySelectorAll("body, body *")) {
    const counts = {};
    for (const part of [...whole.children]) {
      const kind = `${part.localName} ${part.className}`;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (counts[kind] > 2 && !part.matches("th, td")) part.remove();
    }
  }
}"""
# Styles are not loaded again: a file may not read another one.
AXE = """async () => (await axe.run({ preload: false, resultTypes: ["violations"] })).violations
  .map(({ id, impact, nodes }) => `axe: ${id}, ${impact}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`)"""


@pytest.mark.parametrize(
    ("width", "scheme", "is_audited"),
    [(360, "dark", True), (768, "light", False), (1280, "light", True), (1600, "dark", False)],
)
def test_a_page_of_each_kind_fits_and_is_accessible(
    visited: Callable[..., Page], made: Site, axe: str, width: int, scheme: Scheme, is_audited: bool
) -> None:
    """No word is broken, only tables and sources scroll sideways, and axe-core finds nothing at all."""
    found: dict[str, list[str]] = {}
    for names in made.kinds.values():
        for name in names:
            page = visited(f"{name}?q=file" if name == "search.html" else name, width=width, scheme=scheme)
            page.evaluate(UNFOLD)
            found[name] = page.evaluate(UNFIT, LONGEST)
        if is_audited:  # one page of a template is enough for what takes long
            page.evaluate(SHORTEN)
            page.evaluate(axe)
            found[name] += page.evaluate(AXE)

    assert [f"{name}: {'; '.join(findings)}" for name, findings in found.items() if findings] == []
