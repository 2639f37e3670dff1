"""A report is read as an account, from which every form is made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from loopspec.contract.faults import UsageError
from loopspec.engine.result import VERDICTS, Verdict
from loopspec.reports.account import STATES, Tally, ending, read_account
from loopspec.reports.jsonl import SCHEMA

from ..recorded import CASES, KNOWN, account_with, every_verdict, recorded, run_of, whole_account
from ..staging import case_of, result_of


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A report with every verdict."""
    path = tmp_path / "r.jsonl"
    recorded(path, run_of(CASES.values(), known=KNOWN), every_verdict())
    return path


def test_a_report_adds_up_to_its_own_summary(report: Path) -> None:
    """The counts of cases, normative rules and advisory rules are those of the summary."""
    account = read_account(report)
    summary = account.summary

    assert summary is not None
    assert [line.verdict for line in account.results.values()] == list(VERDICTS)
    counts = {what: {verdict: found[verdict] for verdict in VERDICTS} for what, found in account.counts.items()}
    assert counts["cases"] == summary.cases == dict.fromkeys(VERDICTS, 1)
    assert (counts["normative rules"], counts["advisory rules"]) == (summary.normative, summary.advisory)
    assert account.counts["normative cases"] + account.counts["advisory cases"] == account.counts["cases"]
    assert counts["advisory cases"]["inapplicable"] == summary.advisory["inapplicable"] == 1


def test_a_run_and_its_report_give_the_same_account(report: Path) -> None:
    """The account of the run and the account of its report differ only in the start time."""
    live, read = whole_account(), read_account(report)

    assert (live.cases, live.summary) == (read.cases, read.summary)
    assert msgspec.structs.replace(live.run, began=0) == msgspec.structs.replace(read.run, began=0)
    assert read.run.began > 1.7e9
    assert read.written == [read.run, *read.lines, read.summary]


def test_a_truncated_report_accounts_for_every_case(tmp_path: Path) -> None:
    """A case that is missing from the report has no result, and counts as not run."""
    path = tmp_path / "r.jsonl"
    recorded(path, run_of(CASES.values()), every_verdict()[4:6], finished=False)

    account = read_account(path)

    left = [line for line in account.results.values() if line.verdict == "not-run"]
    assert {line.case for line in left} == account.missing
    assert {account.state(line.case) for line in left} == {"no-result"}
    assert {line.message for line in left} == {"the report was cut off before it"}
    assert account.counts["cases"]["no-result"] == 7
    assert ending(account) == "The report was cut off: 7 of 9 cases have no verdict."


def test_a_case_counts_once_by_its_first_line(report: Path) -> None:
    """Later lines of the same case are ignored, as in a run."""
    lines = report.read_bytes().splitlines(keepends=True)
    again = lines[5].replace(b'"failed"', b'"passed"', 1)
    report.write_bytes(b"".join([*lines[:-1], again, lines[-1]]))

    assert [line.verdict for line in read_account(report).results.values()] == list(VERDICTS)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_rule_has_the_worst_verdict_of_its_cases(verdict: Verdict) -> None:
    """Rules are in the order of the ledger; a rule is inapplicable only if all of its cases are."""
    cases = [case_of("AMD-DEPTH-03", 1), case_of("AMD-DEPTH-03"), case_of("AMD-DEPTH-02")]
    results = [result_of(cases[0], "passed"), result_of(cases[1], verdict), result_of(cases[2], "passed")]
    account = account_with(run_of(cases), results)

    worst = "passed" if verdict == "inapplicable" else verdict
    assert [(rule.id, rule.state, len(rule.lines)) for rule in account.rules.values()] == [
        ("AMD-DEPTH-02", "passed", 1),
        ("AMD-DEPTH-03", worst, 2),
    ]
    assert account.rules["AMD-DEPTH-02"].sentence == cases[2].rule.sentence


def test_no_result_is_as_bad_as_not_run() -> None:
    """No rule of a report that was cut off looks as if it passed."""
    assert STATES.index("no-result") == STATES.index("not-run") + 1
    assert tuple(state for state in STATES if state != "no-result") == VERDICTS


def test_only_a_pass_counts_in_a_tally() -> None:
    """Of the rules that a target was judged by: neither inapplicable ones, nor those that the run did not select."""
    assert Tally.of((True, verdict) for verdict in VERDICTS) == ((1, 8), (0, 0))
    assert Tally.of([(False, "passed"), (False, "known"), (False, "no-result"), (True, None)]).cells == ["–", "1/3"]


def _changed(path: Path, **values: object) -> None:
    first, *rest = path.read_bytes().split(b"\n")
    line = msgspec.json.decode(first)
    path.write_bytes(b"\n".join([msgspec.json.encode(line | values), *rest]))


@pytest.mark.parametrize(
    ("alter", "sentence"),
    [
        (lambda path: _changed(path, features="other"), "is about other features than these: use the loopspec"),
        (lambda path: _changed(path, planned=["X-01 :: gone"]), "no feature has 'X-01 :: gone'"),
        (lambda path: _changed(path, schema=SCHEMA + 1), "was written by a later loopspec"),
        (lambda path: _changed(path, schema=SCHEMA - 1), "was written by an earlier loopspec"),
        (lambda path: path.write_bytes(b""), "does not begin with one"),
        (lambda path: path.write_bytes(b"{}\n"), "is not a report of a run"),
        (lambda path: path.write_bytes(b"\xff\n"), "is not a report of a run"),
        (lambda path: path.write_bytes(path.read_bytes().partition(b"\n")[2]), "does not begin with one"),
        (
            lambda path: path.write_bytes(path.read_bytes() + b'{"type":"case" \n{}\n'),
            r"is not a report of a run: line \d+: .*truncated",
        ),
        (
            lambda path: path.write_bytes(b'{"type":"run","deep":' + b"[" * 9000 + b"]" * 9000 + b"}\n"),
            "is not a report of a run",
        ),
        (lambda path: path.unlink(), "cannot be read: No such file"),
    ],
)
def test_a_report_that_cannot_be_read_is_one_sentence(
    alter: Callable[[Path], None], sentence: str, report: Path
) -> None:
    """The error names the file."""
    alter(report)

    with pytest.raises(UsageError, match=sentence) as caught:
        read_account(report).must_be_current()
    assert str(report) in str(caught.value)


@pytest.mark.parametrize(("began", "shown"), [(None, ""), (86400.0, "1970-01-02 00:00 UTC"), (1e300, "")])
def test_the_start_of_a_run(began: float | None, shown: str, report: Path) -> None:
    """A report may have none, or one that is no time."""
    first, *rest = report.read_bytes().split(b"\n")
    line = msgspec.json.decode(first)
    del line["began"]
    report.write_bytes(b"\n".join([msgspec.json.encode(line | ({"began": began} if began else {})), *rest]))

    assert read_account(report).began() == shown


def test_inapplicable_cases_are_counted_by_their_reason() -> None:
    cases = [CASES["passed"], CASES["stale"], CASES["known"]]
    results = [result_of(case, "inapplicable", f"needs {why}") for case, why in zip(cases, "bab", strict=True)]

    assert account_with(run_of(cases), results).reasons("inapplicable") == {"needs a": 1, "needs b": 2}
