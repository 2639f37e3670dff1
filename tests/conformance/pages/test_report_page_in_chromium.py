"""`loopspec report --html`, in a real browser: what a person sees, hears of and can do with a keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from loopspec.contract.observation import Observation
from loopspec.engine.result import CaseLine
from loopspec.engine.verdict import Verdict
from loopspec.reports.merging import Whole
from loopspec.specification.cases import Case

from ..reported import cases_of, line_of, page_of, passing, report_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opening = Callable[..., "Page"]
AREAS = ("AMD-DEPTH", "AMD-BUDGET-0", "XP-TODO")
RULE = "AMD-DEPTH-02"
SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3


def _failing(case: Case) -> CaseLine | None:
    if not case.id.startswith(RULE):
        return line_of(case, "inapplicable", message=f"needs {LONG}") if case.id.startswith("XP-") else None
    said = {"message": f"the files\n  expected: {SCRIPT}", "expected": f"\n  a\n  {SCRIPT}", "seen": f"\n  a\n  {LONG}"}
    seen = Observation(log=(SCRIPT, "x" * 9000))
    place = f"{case.file}:{case.line}"
    return line_of(case, "failed", observation=seen, step='Then "/p" is shown', location=place, **said)


def _crashing(case: Case) -> CaseLine | None:
    if case.id.startswith("AMD-BUDGET-0"):
        return line_of(case, "crashed", message="it is gone", evidence={"stderr": SCRIPT * 300})
    return line_of(case, "known", message="as ever") if case.id.startswith(RULE) else None


@cache
def six() -> tuple[Whole, ...]:
    """Six implementations, among them every way in which a run can end badly."""
    cases = cases_of(*AREAS)
    verdicts: tuple[Verdict, ...] = ("errored", "timed-out", "stale", "passed", "inapplicable", "known")
    mixed = [line_of(case, verdicts[n % 6], message="so") for n, case in enumerate(cases)]
    return (
        passing(*AREAS, name="one"),
        passing(*AREAS, name=LONG, but=_failing),
        passing(*AREAS, name="gone", but=_crashing),
        report_of(mixed, "mixed", exit_code=1),
        report_of([line_of(case) for case in cases[:9]], "cut", planned=cases, finished=False),
        report_of([line_of(case, "not-run", message="it hangs") for case in cases], exit_code=4, aborted="it hangs"),
    )


@cache
def html_of_six() -> str:
    """Their page."""
    return page_of(*six())


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opening]:
    """Opens the page of six. In the end nothing was complained of, and nothing else was asked for."""
    complaints: list[str] = []
    asked: set[str] = set()
    file = tmp_path / "report.html"

    def open_(at: str = "", html: str | None = None, **how: Any) -> Page:
        file.write_text(html_of_six() if html is None else html, encoding="utf-8")
        page = browser.new_page(**how)
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: asked.add(request.url.partition("#")[0]))
        page.goto(file.as_uri() + at)
        return page

    yield open_
    for context in browser.contexts:
        context.close()
    assert complaints == []
    assert asked == {file.as_uri()}


@pytest.fixture(scope="module")
def axe(do_without: Callable[[str, str], NoReturn]) -> str:
    """The accessibility checker, as a script."""
    try:
        return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        do_without("chromium", "axe-playwright-python is not installed")


def ids(page: Page) -> list[str]:
    """The rules that the filter leaves."""
    found: list[str] = page.locator(".rules tr[id]:visible").evaluate_all("all => all.map((row) => row.id)")
    return found


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def must_be_focused(page: Page, text: str) -> None:
    """Wait until what has this text has the focus: a dialog gives it back after it has closed."""
    page.wait_for_function("text => document.activeElement.innerText === text", arg=text)


def open_rule(page: Page, rule: str = RULE) -> None:
    """By a click on its row."""
    page.locator(f"#{rule} td").first.click()
    page.locator("dialog[open]").wait_for()


def test_the_filter_leaves_what_is_asked_for(opened: Opening) -> None:
    """By words, area, verdict, basis, and the verdict of one implementation; and says how many are left."""
    page = opened()
    left = page.locator("#left")
    every = ids(page)
    assert left.inner_text() == f"{len(every)} rules"

    page.get_by_label("Search").fill("LEVEL 6  a warning given")
    assert ids(page) == ["AMD-DEPTH-02"]
    assert left.inner_text() == f"1 of {len(every)} rules"
    assert page.locator(".rules .document:visible").count() == 1
    assert page.locator(".rules .group:visible").count() == 1
    page.get_by_label("Search").fill("no such words")
    assert ids(page) == []
    assert page.get_by_text("No rule is like that.").is_visible()

    page.get_by_role("button", name="Show all").click()
    assert ids(page) == every
    page.get_by_label("Area").select_option("AMD-BUDGET")
    assert {one.rpartition("-")[0] for one in ids(page)} == {"AMD-BUDGET"}
    page.get_by_label("Rests on").select_option("clarified")
    clarified = ids(page)
    assert set(page.locator(".rules tr[id]:visible i").all_inner_texts()) == {"clarified"}

    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Verdict").select_option("failed")
    assert ids(page) == [RULE]
    page.get_by_label("Verdict").select_option("crashed")
    assert all(one.startswith("AMD-BUDGET-0") for one in ids(page))
    page.get_by_role("combobox", name="Implementation").select_option("A one 1.0")
    assert ids(page) == []
    page.get_by_label("Verdict").select_option("passed")
    assert ids(page) == every
    page.get_by_label("Verdict").select_option("did not pass")
    assert ids(page) == []
    page.get_by_label("Verdict").select_option("not the same for all")
    assert ids(page) == every
    assert clarified


def test_a_click_opens_a_rule_and_each_side_stands_beside_the_others(opened: Opening) -> None:
    page = opened()
    open_rule(page)
    dialog = page.get_by_role("dialog", name="A file on level 6 is left out, and a warning is given")

    assert page.evaluate("location.hash") == f"#{RULE}"
    assert dialog.get_by_text("@import Syntax / Resolution Behavior").is_visible()
    assert dialog.locator(".gherkin").get_by_text("an import chain from").is_visible()
    first = dialog.locator(".case").first
    assert first.locator(".side").count() == 3  # what passed, was not run or has no result has nothing to show
    tops = first.locator(".side").evaluate_all("all => all.map((side) => side.getBoundingClientRect().top)")
    assert len(set(tops)) == 1
    assert first.locator(".seen .apart").first.inner_text() == LONG
    first.locator("summary", has_text="log").first.click()
    assert first.get_by_text("Cut after 4,096 characters: in the report it has 9,").is_visible()


def test_a_link_to_a_rule_opens_it(opened: Opening) -> None:
    """In the address from the beginning, changed later, and back again."""
    page = opened(f"#{RULE}")
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    assert dialog.locator(".id").inner_text() == RULE
    assert page.title().startswith(f"{RULE} – ")

    page.evaluate("location.hash = '#AMD-DEPTH-03'")
    page.locator("dialog .id", has_text="AMD-DEPTH-03").wait_for()
    page.go_back()
    page.locator("dialog .id", has_text=RULE).wait_for()
    page.get_by_role("button", name="Close").click()
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("location.hash") == ""
    assert not page.title().startswith(RULE)


def test_a_link_to_what_is_no_rule_opens_nothing(opened: Opening) -> None:
    page = opened("#AMD-DEPTH-99%ff")
    assert page.locator("dialog[open]").count() == 0
    assert len(ids(page)) > 10


def test_the_keyboard_is_enough(opened: Opening) -> None:
    """Enter opens, Escape closes and the focus is where it was; arrows walk through what the filter leaves."""
    page = opened()
    page.keyboard.press("Tab")
    must_be_focused(page, "To the rules")
    page.keyboard.press("Enter")
    for name in ("text", "area", "verdict", "column", "basis"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.name") == name
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    rules = ids(page)
    must_be_focused(page, rules[0])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    must_be_focused(page, rules[1])
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"

    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    assert page.evaluate("document.activeElement.id") == "opened-title"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    must_be_focused(page, rules[1])


def test_one_rule_leads_to_the_next_that_the_filter_leaves(opened: Opening) -> None:
    page = opened()
    page.get_by_label("Area").select_option("AMD-DEPTH")
    rules = ids(page)
    page.locator(f"#{rules[0]} a").click()
    place, after = page.locator("#place"), page.get_by_role("button", name="Next")

    assert place.inner_text() == f"1 of {len(rules)}"
    assert page.get_by_role("button", name="Previous").is_disabled()
    for number, rule in enumerate(rules[1:], 2):
        after.click()
        page.locator("dialog .id", has_text=rule).wait_for()
        assert place.inner_text() == f"{number} of {len(rules)}"
    assert after.is_disabled()
    assert page.evaluate("document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    must_be_focused(page, rules[-1])


def test_a_script_in_what_was_said_stays_text(opened: Opening) -> None:
    """In names, messages, observations and texts that a process left: it runs nothing, and can be read."""
    page = opened(html=page_of(*six(), passing(*AREAS, name=SCRIPT)))
    assert page.get_by_role("heading", name=SCRIPT).is_visible()
    open_rule(page)
    for summary in page.locator("dialog summary").all():
        summary.click()
    assert page.locator("dialog .expected .apart").first.inner_text() == SCRIPT
    assert page.locator("img, dialog script").count() == 0
    assert page.locator("script").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_scrolls_sideways_and_nothing_is_out_of_reach(
    opened: Opening, axe: str, width: int, scheme: str
) -> None:
    """On the whole page with everything unfolded, and with a rule open: axe finds nothing serious."""
    page = opened(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.evaluate(axe)
    for summary in page.locator("summary:visible").all():
        summary.click()
    assert overflow(page) == 0
    assert _found(page) == []

    open_rule(page)
    for summary in page.locator("dialog summary").all():
        summary.click()
    assert overflow(page) == 0
    assert page.evaluate("(({ scrollWidth: a, clientWidth: b }) => a - b)(document.querySelector('dialog'))") == 0
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


@pytest.mark.parametrize("width", [390, 1280])
def test_the_table_is_a_table_to_those_who_listen(opened: Opening, width: int) -> None:
    """However it is laid out: rows with a header each, columns with theirs, and a word in every cell."""
    page = opened(viewport={"width": width, "height": 800})
    table = page.get_by_role("table", name="Rules")
    row = table.get_by_role("row", name=RULE)

    assert table.get_by_role("columnheader").count() == 7
    assert RULE in (row.get_by_role("rowheader").text_content() or "")
    assert [cell.split()[0] for cell in row.get_by_role("cell").all_text_contents()] == (
        ["passed", "failed", "known", "timed-out", "no-result", "not-run"]
    )
    assert page.locator("#left").get_attribute("role") == "status"


def test_on_paper_everything_is_open_and_light(opened: Opening) -> None:
    """The page without its controls; and of an open rule that alone."""
    page = opened(color_scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.get_by_role("table", name="All counts").is_visible()
    assert not page.get_by_label("Search").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".matrix thead th").first.evaluate("node => getComputedStyle(node).position") == "static"

    page.evaluate(f"window.dispatchEvent(new Event('afterprint')); location.hash = '#{RULE}'")
    page.locator("dialog[open]").wait_for()
    assert not page.get_by_role("table", name="All counts").is_visible()
    assert not page.get_by_role("button", name="Close").is_visible()
    dialog = page.locator("dialog")
    assert dialog.evaluate("node => node.scrollHeight - node.clientHeight") == 0
    assert len(page.pdf()) > 10_000


def test_without_scripts_the_verdicts_are_there(opened: Opening) -> None:
    page = opened(java_script_enabled=False)
    assert page.locator(f"#{RULE}").get_by_text("failed").is_visible()
    assert page.locator("dialog").is_hidden()


def test_many_implementations_have_room(opened: Opening) -> None:
    """Twelve of them: a sign in each cell, and the word for those who listen."""
    page = opened(html=page_of(*six(), *six()), viewport={"width": 390, "height": 800})
    assert overflow(page) == 0
    page.set_viewport_size({"width": 1280, "height": 800})
    assert overflow(page) == 0
    assert page.get_by_role("row", name=RULE).get_by_role("cell", name="passed").count() == 2
