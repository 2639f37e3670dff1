"""The site of `loopspec docs` in a real browser, opened from the disk: a page of each kind, and the search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from loopspec.pages.rules import rules
from loopspec_docs.site.pictures import drawing, figures
from loopspec_docs.words import WORDS
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK

from ..pages.browsing import Scheme, expect
from .conftest import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

Visiting = Callable[..., "Page"]
RULE = "AMD-DEPTH-02"
PHRASE = max((one.readable for one in BOOK.phrases if one.kind == "given" and "{" not in one.readable), key=len)
MUTANT = next(mutant for mutant in MUTANTS.values() if mutant.rule == "AMD-CYCLE-01")
# Opens everything that opens.
UNFOLD = """() => { for (const node of document.querySelectorAll("details")) node.open = true; }"""
# A longer word may break anywhere: a phone has no line for it.
LONGEST = 30  # characters
# By how much the page is wider than its window, and the words of cells that are on two lines or outside of their box. A
# word is letters, digits and underscores, or a version with its dots.
UNFIT = """(longest) => {
  const found = new Set();
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.add(`${page.scrollWidth - page.clientWidth} pixels too wide`);
  const words = /\\d+(?:\\.\\w+)+|[\\p{L}\\p{N}_]+/gu, chinese = /\\p{Script=Han}/u, range = new Range();
  for (const holder of document.querySelectorAll("article :is(th, td)")) {
    const box = holder.getBoundingClientRect(), walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      for (const { 0: word, index } of text.data.matchAll(words)) {
        if (word.length > longest || chinese.test(word)) continue;
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const [first, ...others] = range.getClientRects();
        if (!first) continue; // the text is not shown
        const isSplit = others.some((part) => part.top >= first.bottom || part.left > first.right + 1);
        if (isSplit || first.left < box.left - 1 || first.right > box.right + 1) found.add(`broken: ${word}`);
      }
  }
  return [...found];
}"""
# A long page repeats the same parts: two of each are enough for a tool that looks at every element.
SHORTEN = """() => {
  for (const whole of document.querySelectorAll("article, article *")) {
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


def kinds(made: Site) -> list[str]:
    """The pages outside of the folders, and the longest page of each folder."""
    found: dict[str, str] = {}
    for name in sorted(made.pages, key=lambda name: (made.folder / name).stat().st_size):
        found[name.rpartition("/")[0] or name] = name
    return sorted(found.values())


@pytest.mark.parametrize(
    ("width", "scheme", "is_audited"),
    [(360, "dark", True), (768, "light", False), (1280, "light", True), (1600, "dark", False)],
)
def test_a_page_of_each_kind_fits_and_is_accessible(
    visited: Visiting, made: Site, axe: str, width: int, scheme: Scheme, is_audited: bool
) -> None:
    """No word is broken, only tables and sources scroll sideways, and axe-core finds nothing at all."""
    found: dict[str, list[str]] = {}
    for name in kinds(made):
        page = visited(name, width=width, scheme=scheme)
        page.evaluate(UNFOLD)
        found[name] = page.evaluate(UNFIT, LONGEST)
        if is_audited:
            page.evaluate(SHORTEN)
            page.evaluate(axe)
            found[name] += page.evaluate(AXE)

    assert [f"{name}: {'; '.join(findings[:5])}" for name, findings in found.items() if findings] == []


@pytest.mark.parametrize(
    ("query", "result"),
    [
        (RULE, f"{RULE}: {rules()[RULE].sentence}"),
        (rules()[RULE].sentence.upper(), f"{RULE}: {rules()[RULE].sentence}"),
        (MUTANT.name, MUTANT.name),
        ("states of a cancelled run", "The states of a cancelled run"),
        ("known differences", "Known differences"),
        (PHRASE, PHRASE),
        ("Which tools read CLAUDE.local.md?", "Which instruction files does each tool read?"),
        ("May a call be retried after a chunk was shown?", "When the user has seen half of an answer"),
        ("Is the quokka a retry notice?", "retry notice"),
    ],
    ids=["id", "sentence", "mutant", "picture", "heading", "phrase", "file", "question", "unknown-word"],
)
def test_the_search_finds_what_was_meant_without_a_server(visited: Visiting, query: str, result: str) -> None:
    """From a page in a folder, and without a network: the window fails if anything is requested from elsewhere."""
    page = visited("rules/LOOP.html")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill(query)

    expect(page.get_by_role("listbox")).to_contain_text(result)


@pytest.mark.parametrize("word", ["handler", "Posture", "backend", "adapter", "axis", "quirk", "scene", "canary"])
def test_a_word_of_the_page_words_leads_to_its_meaning_first(visited: Visiting, word: str) -> None:
    """Other pages have these words more often."""
    meaning = next(own[word.lower()] for own in WORDS.values() if word.lower() in own)
    page = visited("index.html")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill(word)

    expect(page.get_by_role("option").first).to_contain_text(meaning.partition(".")[0])


def test_a_result_of_the_search_leads_to_the_rule(visited: Visiting) -> None:
    """To its heading, which is then in view."""
    page = visited("course/tools.html")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill(RULE)
    page.get_by_role("option", name=RULE).first.click()

    page.wait_for_url(f"**/{rules()[RULE].address}*")
    page.wait_for_function(
        "id => ((top) => top >= 0 && top < innerHeight)(document.getElementById(id)?.getBoundingClientRect().top)",
        arg=RULE,
    )


def test_the_results_can_be_filtered(visited: Visiting) -> None:
    """By implementation and by verdict."""
    page = visited("results.html")
    rows = page.locator("#by-rule tbody tr:not(.sums):visible")
    count = page.locator("#filter [role=status]")
    every = rows.count()
    expect(count).to_have_text(f"{every} rules")

    page.get_by_label("Implementation").select_option(index=4)
    page.get_by_label("Verdict").select_option("known")

    expect(count).not_to_have_text(f"{every} rules")
    assert 0 < rows.count() < every
    assert page.locator("#by-rule tbody tr:not(.sums):visible td:visible:not([data-state=known])").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_drawing_is_large_enough_to_read(visited: Visiting, width: int, scheme: Scheme) -> None:
    """No word is smaller than 12 pixels, wider than the drawing, or of the color of its ground."""
    page = visited("pictures.html", width=width, scheme=scheme)
    drawings = page.locator("svg.picture")
    assert drawings.count() == sum(bool(drawing(name)) for name in figures())
    for number in range(drawings.count()):
        unfit = drawings.nth(number).evaluate("""(svg) => {
          const whole = svg.getBoundingClientRect(), scale = whole.width / svg.viewBox.baseVal.width;
          return [...svg.querySelectorAll("text")].filter((node) => {
            const box = node.getBoundingClientRect(), style = getComputedStyle(node);
            return parseFloat(style.fontSize) * scale < 12 || box.left < whole.left - 2 || box.right > whole.right + 2;
          }).map((node) => node.textContent);
        }""")
        assert unfit == []
