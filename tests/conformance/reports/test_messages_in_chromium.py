"""The page that Cucumber's formatter makes of a run, in a real browser: what a person is shown of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from loopspec.reports.messages import write_messages

from ..cucumber import Cucumber, brought
from ..recorded import CASES, whole_account

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def cucumber(tmp_path_factory: pytest.TempPathFactory, do_without: Callable[[str, str], NoReturn]) -> Cucumber:
    """Cucumber's programs."""
    return brought(tmp_path_factory.mktemp("cucumber"), do_without)


def test_every_verdict_is_shown(browser: Browser, cucumber: Cucumber, tmp_path: Path) -> None:
    """As a status with its count, each case in its rule, and a failure with its message and its evidence."""
    write_messages(tmp_path / "m.ndjson", whole_account())
    complaints: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))

    page.goto(cucumber.page(tmp_path / "m.ndjson").as_uri())
    page.get_by_text("Scenarios", exact=True).wait_for()

    shown = " ".join(page.inner_text("body").split())
    assert "loopspec@" in shown
    for count in ("UNKNOWN 1", "PASSED 1", "SKIPPED 1", "PENDING 1", "FAILED 5"):
        assert count in shown
    for verdict, case in CASES.items():  # a file in which all is well is folded
        assert (f"Rule: {case.rule.sentence}" in shown) is (verdict != "passed")
    assert "failed: so expected: a seen: b" in shown
    assert "known: so expected: a seen: b" in shown
    assert "stale: passes, though the baseline says it fails" in shown
    assert shown.count("scene.json") == 5
    assert shown.count("stderr.txt") == 2
    assert complaints == []
    page.close()
