"""The site of `loopspec docs` in a real browser, opened from the disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from loopspec.pages.site import site, write_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Visiting = Callable[..., "Page"]
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")
KINDS = (
    "index.html",
    "rules/TOOLS.html",
    "documents/agentsmd.html",
    "search.html?q=file",
    "words.html",
    "capabilities.html",
    "uncovered.html",
    "mutants.html",
    "mutants/AMD-CYCLE.html",
    "phrases.html",
    "decisions.html",
)
# By how much the page is wider than its window; and what scrolls by itself, but not with the keyboard.
TOO_WIDE = """async () => {
  for (const node of document.querySelectorAll("details")) node.open = true;
  dispatchEvent(new Event("resize"));
  const stuck = [...document.querySelectorAll(".scrolls:not([tabindex])")]
    .filter((node) => node.scrollWidth > node.clientWidth);
  const page = document.documentElement;
  return [page.scrollWidth - page.clientWidth, stuck.map((node) => node.innerText)];
}"""
# On a long page the same is there again and again: a few of each are enough for what looks at every element.
PARTS = (
    "main > section",
    "section > dl",
    ".chapter",
    ".chapter > article",
    "main > article",
    "dl > div",
    "li",
    ".ids > a",
)
SHORTEN = f"""() => {{
  for (const node of document.querySelectorAll("{", ".join(f"{part}:nth-of-type(n + 4)" for part in PARTS)}"))
    node.remove();
}}"""
# Styles are not asked for again: a file may not read another one.
FINDINGS = """async () => (await axe.run({ preload: false, resultTypes: ["violations"] })).violations
  .map(({ id, impact, nodes }) => [id, impact, nodes.length, nodes[0].html.slice(0, 200)])"""
UNFOLD = "for (const node of document.querySelectorAll('details')) node.open = true"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site on the disk."""
    made = tmp_path_factory.mktemp("site")
    write_site(made, site("1.2.3"))
    return made


@pytest.fixture
def visited(browser: Browser, folder: Path) -> Iterator[Visiting]:
    """Opens a page of the site. In the end nothing was complained of, and nothing but files of the site asked for."""
    complaints: list[str] = []
    asked: set[str] = set()

    def visit(name: str, **how: Any) -> Page:
        page = browser.new_page(**how)
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.add(request.url))
        page.goto(f"{folder.as_uri()}/{name}")
        return page

    yield visit
    for context in browser.contexts:
        context.close()
    assert complaints == []
    assert {address for address in asked if not address.startswith(folder.as_uri())} == set()


def is_in_view(page: Page, anchor: str) -> bool:
    """Whether an element begins in the upper half of the window."""
    top = page.locator(f"[id='{anchor}']").bounding_box()
    assert top is not None
    return bool(0 <= top["y"] < page.evaluate("innerHeight") / 2)


def test_the_search_finds_a_rule_by_words_of_its_sentence_and_opens_it(visited: Visiting) -> None:
    """From any page; the words are marked, and the result leads to the rule itself."""
    page = visited("rules/LOOP.html")
    page.get_by_role("searchbox").fill("level 6 warning given")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search.html?q=level+6+warning+given")
    first = page.locator("#results a").first

    assert first.locator(".id").inner_text() == "AMD-DEPTH-02"
    assert first.locator("mark").all_inner_texts() == ["level", "6", "warning", "given"]
    first.click()
    page.wait_for_url("**/rules/AMD-DEPTH.html#AMD-DEPTH-02")
    assert is_in_view(page, "AMD-DEPTH-02")


@pytest.mark.parametrize(
    ("asked", "kind", "found"),
    [
        ("AMD-DEPTH-02", "documented", "A file on level 6 is left out, and a warning is given"),
        ("amd-depth", "area", "How far a chain of imports is followed"),
        ("no warning is given", "phrase", "Then no warning is given"),
        ("fault-io", "capability", "backend: fault(path, 'io') makes a file unreadable"),
        ("stops-at-a-circle", "mutant", "Follows no further import of a file after one that is circular."),
        ("FILE   imports itself", "documented", "A file that imports itself is loaded once, and a warning is given"),
    ],
)
def test_the_first_result_is_what_was_meant(visited: Visiting, asked: str, kind: str, found: str) -> None:
    """An id, an area, a phrase, a capability, a mutant; capitals, spaces and plurals do not matter."""
    page = visited("search.html")
    page.get_by_role("searchbox").fill(asked)
    first = page.locator("#results a").first

    assert first.locator(".chip").inner_text() == kind
    assert first.locator(".said").inner_text() == found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", ""),
        ("xyzzy", "Nothing has this word."),
        ("xyzzy plugh", "Nothing has all of these words."),
        ("stops-at-a-circle", "1 result"),
        ("the", re.compile(r"\d+ results; the first 50 are shown\.")),
        ("<img src=x onerror=alert(1)> (", "Nothing has all of these words."),
    ],
)
def test_the_search_says_how_much_there_is(visited: Visiting, asked: str, said: str | re.Pattern[str]) -> None:
    """To those who hear the page, too; and a query is never HTML, nor a pattern."""
    page = visited("search.html")
    page.get_by_role("searchbox").fill(asked)
    text = page.get_by_role("status").inner_text()

    assert re.fullmatch(said, text) if isinstance(said, re.Pattern) else text == said
    assert page.locator("#results a").count() <= 50
    assert page.locator("#results img").count() == 0


def test_a_query_in_the_address_is_answered_and_going_back_finds_it(visited: Visiting) -> None:
    """So that a search can be a link."""
    page = visited("search.html?q=circular")
    page.get_by_role("searchbox").fill("AMD-CYCLE-07")
    page.locator("#results a").first.click()
    page.wait_for_url("**/rules/AMD-CYCLE.html#AMD-CYCLE-07")
    page.go_back()

    assert page.get_by_role("searchbox").input_value() == "AMD-CYCLE-07"
    assert page.locator("#results .id").first.inner_text() == "AMD-CYCLE-07"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rule", ["AMD-IMPORT-28", "XP-SUM-24", "AMD-BUDGET-13"])
def test_a_deep_link_lands_on_the_rule(visited: Visiting, rule: str, width: int) -> None:
    """The last of a long page, one that shares its sentence, one without a scenario; and it is marked."""
    area = rule.rpartition("-")[0]
    page = visited(f"rules/{area}.html#{rule}", viewport={"width": width, "height": 800})

    assert is_in_view(page, rule)
    article = page.locator(f"article:target, article:has([id='{rule}']:target)")
    assert article.count() == 1
    assert article.evaluate("node => getComputedStyle(node).boxShadow") != "none"


def test_everything_can_be_reached_with_the_keyboard(visited: Visiting) -> None:
    """Past the navigation, to a search, through its results with the arrows, and into a rule's fold."""
    page = visited("index.html")

    def focused() -> str:
        return str(page.evaluate("document.activeElement.innerText || document.activeElement.tagName"))

    page.keyboard.press("Tab")
    assert focused() == "Skip to the content"
    assert page.get_by_text("Skip to the content").bounding_box() is not None
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert focused() == "phrasebook"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"

    page.get_by_role("searchbox").focus()
    page.keyboard.type("circle")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=circle")
    assert page.evaluate("document.activeElement.id") == "q"
    ids = page.locator("#results a").evaluate_all("nodes => nodes.map((node) => node.getAttribute('href'))")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('href')") == ids[1]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "q"

    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("AMD-CYCLE-07")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules/AMD-CYCLE.html#AMD-CYCLE-07")
    fold = page.locator("[id='AMD-CYCLE-07'] details")
    assert fold.get_attribute("open") is None
    while focused() != "What the sentences mean":
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement !== document.body")
    page.keyboard.press("Enter")
    assert fold.get_attribute("open") == ""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(visited: Visiting, folder: Path, width: int, scheme: str) -> None:
    """With everything unfolded: every kind of page, and where it is narrow every area."""
    names = list(KINDS)
    if (width, scheme) == (390, "light"):
        names += sorted(path.relative_to(folder).as_posix() for path in (folder / "rules").iterdir())
    page = visited("index.html", viewport={"width": width, "height": 800}, color_scheme=scheme)
    seen = {}
    for name in names:
        page.goto(f"{folder.as_uri()}/{name}")
        seen[name] = page.evaluate(TOO_WIDE)

    assert {name: found for name, found in seen.items() if found != [0, []]} == {}


def test_what_is_wide_in_itself_scrolls_with_the_keyboard(visited: Visiting) -> None:
    """A table of many columns on a narrow screen; on a broad one it is no stop."""
    page = visited("rules/TOOLS.html", viewport={"width": 390, "height": 800})
    table = page.locator(".scrolls[tabindex]").first
    table.focus()
    page.keyboard.press("ArrowRight")

    page.wait_for_function("document.activeElement.scrollLeft > 0")
    assert (table.get_attribute("aria-label") or "").startswith("Table of: ")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("document.querySelectorAll('.scrolls[tabindex]').length === 0")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_kind_of_page_is_accessible(
    visited: Visiting, folder: Path, do_without: Callable[[str, str], NoReturn], width: int, scheme: str
) -> None:
    """No finding of axe-core at all, contrast among them."""
    try:
        axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        do_without("chromium", "axe-playwright-python is not installed")
    page = visited("index.html", viewport={"width": width, "height": 800}, color_scheme=scheme)
    findings = {}
    for name in KINDS:
        page.goto(f"{folder.as_uri()}/{name}")
        page.evaluate(UNFOLD)
        page.evaluate(SHORTEN)
        page.evaluate(axe)
        findings[name] = page.evaluate(FINDINGS)

    assert {name: found for name, found in findings.items() if found} == {}


def test_print_unfolds_everything_and_leaves_the_navigation_out(visited: Visiting) -> None:
    """On white paper, whatever the screen is like; afterwards it is as it was."""
    page = visited("rules/AMD-CYCLE.html", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.locator("details:not([open])").count() == 0
    assert not page.get_by_role("navigation", name="Site").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 35, 48)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0


def test_without_scripts_the_rules_are_still_read(browser: Browser, folder: Path) -> None:
    """Only the search needs them, and says so."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/rules/AMD-DEPTH.html#AMD-DEPTH-02")
    assert page.get_by_role("heading", name="A file on level 6 is left out, and a warning is given").is_visible()
    page.get_by_role("searchbox").fill("circle")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**/search.html?q=circle")

    assert page.get_by_text("The search needs JavaScript.").is_visible()
    context.close()
