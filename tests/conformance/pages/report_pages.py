"""Report pages for the tests in a browser, and what those tests do on them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from loopspec.contract.observation import Observation
from loopspec.engine.result import CaseLine, Verdict
from loopspec.pages.report.contents import Contents
from loopspec.pages.rules import rules
from loopspec.reports.account import Account
from loopspec.specification.cases import Case

from ..reported import cases_of, line_of, passing, report_of
from .browsing import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

AREAS = ("AMD-DEPTH", "AMD-BUDGET-0", "XP-TODO")
RULE, NEXT = "AMD-DEPTH-02", "AMD-DEPTH-03"
SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3
TARGET = "py:my_package.adapters.loading:Loader"


def _failing(case: Case) -> CaseLine | None:
    if not case.id.startswith(RULE):
        return line_of(case, "inapplicable", message=f"needs {LONG}") if case.id.startswith("XP-") else None
    said = {"message": f"the files\n  expected: {SCRIPT}", "expected": f"\n  a\n  {SCRIPT}", "seen": f"\n  a\n  {LONG}"}
    seen = Observation(log=(SCRIPT, "x" * 9000))
    place = f"{case.file}:{case.line}"
    return line_of(case, "failed", observation=seen, step='Then "/p" is loaded', location=place, **said)


def _crashing(case: Case) -> CaseLine | None:
    if case.id.startswith("AMD-BUDGET-0"):
        return line_of(case, "crashed", message="it is gone", evidence={"stderr": SCRIPT * 300})
    return line_of(case, "known", message="as ever") if case.id.startswith(RULE) else None


@cache
def six() -> tuple[Account, ...]:
    """Six implementations, with every way in which a run can end badly."""
    cases = cases_of(*AREAS)
    verdicts: tuple[Verdict, ...] = ("errored", "timed-out", "stale", "passed", "inapplicable", "known")
    timed_out = next(n for n, case in enumerate(cases) if case.id.startswith(RULE))
    mixed = [line_of(case, verdicts[(n - timed_out + 1) % 6], message="so") for n, case in enumerate(cases)]
    return (
        passing(*AREAS, name="one"),
        passing(*AREAS, name=LONG, but=_failing),
        passing(*AREAS, name="gone", but=_crashing),
        report_of(mixed, "mixed", exit_code=1),
        report_of([line_of(case) for case in cases[:9]], "cut", planned=cases, finished=False),
        report_of([line_of(case, "not-run", message="it hangs") for case in cases], exit_code=4, aborted="it hangs"),
    )


@cache
def loader() -> Account:
    """A loader: the rules of the plugin layer are inapplicable to it, and one fails."""

    def verdict(case: Case) -> CaseLine | None:
        if case.id.startswith("XP-"):
            return line_of(case, "inapplicable", message="needs the role plugins")
        return line_of(case, "failed", message="so") if case.id.startswith(RULE) else None

    return passing(*AREAS, name=TARGET, but=verdict)


def rows(*reports: Account) -> list[str]:
    """The rules on their page, from the top to the bottom."""
    contents = Contents(reports, rules())
    return [row.rule.id for document in contents.documents for area in document.areas for row in area.rows]


def must_show(page: Page, ids: list[str]) -> None:
    """Wait until these rules are left, and no others, in this order."""
    expect(page.locator(".rules tr[id]:visible a")).to_have_text(ids)


def must_focus(page: Page, text: str) -> None:
    """Wait until the element with this text has the focus."""
    page.wait_for_function("text => document.activeElement.innerText === text", arg=text)


def must_be_at(page: Page, fragment: str) -> None:
    """Wait until the address ends like this."""
    page.wait_for_function("fragment => location.hash === fragment", arg=fragment)


def must_have_title(page: Page, beginning: str) -> None:
    """Wait until the title begins like this."""
    page.wait_for_function("beginning => document.title.startsWith(beginning)", arg=beginning)


def open_rule(page: Page, rule: str = RULE) -> None:
    """Click its row, and wait for the dialog."""
    page.locator(f"#{rule} td").first.click()
    must_have_opened(page, rule)


def must_have_opened(page: Page, rule: str) -> None:
    """Wait for the dialog of a rule."""
    expect(page.locator("dialog[open] .opened .id")).to_have_text(rule)


def must_be_closed(page: Page) -> None:
    """Wait until no dialog is open, and the address says so."""
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_function("!location.hash.startsWith('#A')")
