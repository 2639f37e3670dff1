"""The page that Cucumber's formatter makes of a run, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from loopspec.reports.messages import write_messages

from ..cucumber import Cucumber, installed
from ..pages.browsing import expect
from ..recorded import CASES, whole_account

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cucumber(tmp_path_factory: pytest.TempPathFactory, do_without: Callable[[str, str], NoReturn]) -> Cucumber:
    """Cucumber's programs."""
    return installed(tmp_path_factory.mktemp("cucumber"), do_without)


def test_every_verdict_is_shown(browser: Browser, cucumber: Cucumber, tmp_path: Path) -> None:
    """Each status has its count, each case is in its rule, and a failure has its message and evidence."""
    write_messages(tmp_path / "m.ndjson", whole_account())
    complaints: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))

    page.goto(cucumber.page(tmp_path / "m.ndjson").as_uri())

    body = page.locator("body")
    for text in (
        "loopspec@",
        *("UNKNOWN 1", "PASSED 1", "SKIPPED 1", "PENDING 1", "FAILED 5"),
        *(f"Rule: {case.rule.sentence}" for verdict, case in CASES.items() if verdict != "passed"),
        "failed: so expected: a seen: b",
        "known: so expected: a seen: b",
        "stale: passes, although the baseline lists it",
    ):
        expect(body).to_contain_text(text, use_inner_text=True)
    # A file without failures is collapsed.
    expect(body).not_to_contain_text(f"Rule: {CASES['passed'].rule.sentence}", use_inner_text=True)
    expect(body).to_have_text(re.compile(r"^(?:(?!scene\.json).)*(?:scene\.json(?:(?!scene\.json).)*){5}$", re.DOTALL))
    expect(body).to_have_text(re.compile(r"^(?:(?!stderr\.txt).)*(?:stderr\.txt(?:(?!stderr\.txt).)*){2}$", re.DOTALL))
    assert complaints == []
    page.close()
