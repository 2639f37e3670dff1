"""The messages of a run, validated by Cucumber's schemas, and the page that its formatter makes of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from jsonschema import Draft202012Validator

from loopspec.reports.messages import PROTOCOL, as_messages
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled

from ..cucumber import Cucumber, installed
from ..pages.browsing import expect
from ..recorded import CASES, account_with, failing, run_of, whole_account

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cucumber(tmp_path_factory: pytest.TempPathFactory, do_without: Callable[[str, str], NoReturn]) -> Cucumber:
    """Cucumber's programs."""
    return installed(tmp_path_factory.mktemp("cucumber"), do_without)


def complaints(cucumber: Cucumber, messages: str) -> Iterator[str]:
    """The errors that the schema finds in messages."""
    validator = Draft202012Validator(cucumber.schema)
    for number, line in enumerate(messages.splitlines(), 1):
        envelope: Any = json.loads(line)  # Any: JSON
        for error in validator.iter_errors(envelope):
            yield f"line {number}, {error.json_path}: {error.message[:200]}"


def some_features() -> list[Case]:
    """A case of every fifth file, which together have every element of Gherkin."""
    return list({case.file: case for case in compiled()}.values())[::5]


@pytest.mark.parametrize("summary", ["whole", "cut off"])
def test_each_message_follows_the_schema(summary: str, cucumber: Cucumber) -> None:
    """The account has every verdict; a truncated report is valid as well."""
    account = whole_account() if summary == "whole" else replace(whole_account(), summary=None)

    assert list(complaints(cucumber, as_messages(account))) == []


def test_features_follow_the_schema(cucumber: Cucumber) -> None:
    """Sources, syntax trees, pickles and phrases with every element of Gherkin are valid."""
    cases = some_features()
    text = as_messages(account_with(run_of(cases), [failing(case) for case in cases]))

    parts = ('"background":{', '"dataTable":{', '"docString":{', '"examples":[{')
    assert [part for part in parts if part not in text] == []
    assert list(complaints(cucumber, text)) == []


def test_the_schema_rejects_invalid_messages(cucumber: Cucumber) -> None:
    """The schema rejects an invalid message."""
    text = '{"testRunFinished": {"success": "yes"}}\n{"no": {}}\n'

    assert [complaint.partition(":")[0] for complaint in complaints(cucumber, text)] == [
        "line 1, $.testRunFinished",
        "line 1, $.testRunFinished.success",
        "line 2, $",
    ]


def test_the_protocol_version_is_that_of_the_schemas(cucumber: Cucumber) -> None:
    """The major version is the same."""
    assert cucumber.version("@cucumber/messages").partition(".")[0] == PROTOCOL.partition(".")[0]


def test_the_formatter_shows_every_verdict(browser: Browser, cucumber: Cucumber, tmp_path: Path) -> None:
    """Each status has its count, each case is in its rule, and a failure has its message and evidence."""
    (tmp_path / "m.ndjson").write_text(as_messages(whole_account()), encoding="utf-8")
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
