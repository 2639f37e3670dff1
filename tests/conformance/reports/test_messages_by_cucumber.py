"""The messages of a run, validated by Cucumber's schemas and rendered by its formatter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from jsonschema import Draft202012Validator

from loopspec.reports.messages import PROTOCOL, write_messages
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled

from ..cucumber import Cucumber, installed
from ..recorded import account_with, failing, run_of, whole_account
from ..staging import result_of

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cucumber(tmp_path_factory: pytest.TempPathFactory, do_without: Callable[[str, str], NoReturn]) -> Cucumber:
    """Cucumber's programs."""
    return installed(tmp_path_factory.mktemp("cucumber"), do_without)


def complaints(cucumber: Cucumber, messages: Path) -> Iterator[str]:
    """The errors that the schema finds in messages."""
    validator = Draft202012Validator(cucumber.schema)
    for number, line in enumerate(messages.read_text(encoding="utf-8").splitlines(), 1):
        envelope: Any = json.loads(line)  # Any: JSON
        for error in validator.iter_errors(envelope):
            yield f"line {number}, {error.json_path}: {error.message[:200]}"


def some_features() -> list[Case]:
    """A case of every fifth file, which together have every element of Gherkin."""
    return list({case.file: case for case in compiled()}.values())[::5]


@pytest.mark.parametrize("summary", ["whole", "cut off"])
def test_each_message_follows_the_schema(summary: str, cucumber: Cucumber, tmp_path: Path) -> None:
    """The account has every verdict; a truncated report is valid as well."""
    account = whole_account()
    write_messages(tmp_path / "m", account if summary == "whole" else replace(account, summary=None))

    assert list(complaints(cucumber, tmp_path / "m")) == []


def test_features_follow_the_schema(cucumber: Cucumber, tmp_path: Path) -> None:
    """Sources, syntax trees, pickles and phrases with every element of Gherkin are valid."""
    cases = some_features()
    write_messages(tmp_path / "m", account_with(run_of(cases), [failing(case) for case in cases]))

    text = (tmp_path / "m").read_text(encoding="utf-8")
    parts = ('"background":{', '"dataTable":{', '"docString":{', '"examples":[{')
    assert [part for part in parts if part not in text] == []
    assert list(complaints(cucumber, tmp_path / "m")) == []


def test_the_schema_rejects_invalid_messages(cucumber: Cucumber, tmp_path: Path) -> None:
    """The schema rejects an invalid message."""
    (tmp_path / "m").write_text('{"testRunFinished": {"success": "yes"}}\n{"no": {}}\n', encoding="utf-8")

    assert [complaint.partition(":")[0] for complaint in complaints(cucumber, tmp_path / "m")] == [
        "line 1, $.testRunFinished",
        "line 1, $.testRunFinished.success",
        "line 2, $",
    ]


def test_the_protocol_version_is_that_of_the_schemas(cucumber: Cucumber) -> None:
    """The major version is the same."""
    assert cucumber.version("@cucumber/messages").partition(".")[0] == PROTOCOL.partition(".")[0]


def test_the_formatter_accepts_the_messages(cucumber: Cucumber, tmp_path: Path) -> None:
    """The page contains every message."""
    case = some_features()[0]
    account = account_with(run_of([case]), [result_of(case, "passed")])
    write_messages(tmp_path / "m.ndjson", account)

    page = cucumber.page(tmp_path / "m.ndjson").read_text(encoding="utf-8")

    head, _, rest = page.partition("window.CUCUMBER_MESSAGES = [")
    taken, _ = json.JSONDecoder().raw_decode("[" + rest.replace("\\x3C", "<"))
    written = [json.loads(line) for line in (tmp_path / "m.ndjson").read_text(encoding="utf-8").splitlines()]
    assert head.lstrip().lower().startswith("<!doctype html>")
    assert taken == written
