"""A report is read as an account, from which every other form is made."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from loopspec.contract.faults import UsageError
from loopspec.engine.result import VERDICTS, Result
from loopspec.engine.run import SuiteRun
from loopspec.reports.account import read_account
from loopspec.reports.jsonl import SCHEMA, RunLine, read_report
from loopspec.reports.terminal import print_summary
from loopspec.specification.selection import Shard

from ..recorded import CASES, KNOWN, account_with, every_verdict, failing, recorded, run_of, whole_account
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
    assert [each.verdict for each in account.cases] == list(VERDICTS)
    counts = account.counts()
    assert (counts["cases"], counts["normative rules"], counts["advisory rules"]) == (
        summary.cases,
        summary.normative,
        summary.advisory,
    )
    assert {
        verdict: counts["normative cases"][verdict] + counts["advisory cases"][verdict] for verdict in VERDICTS
    } == summary.cases
    assert counts["advisory cases"]["inapplicable"] == 1
    assert summary.cases == dict.fromkeys(VERDICTS, 1)
    assert summary.advisory["inapplicable"] == 1


def test_a_run_and_its_report_give_the_same_account(report: Path) -> None:
    """The account of the run and the account of its report differ only in the start time."""
    live, read = whole_account(), read_account(report)

    assert (live.cases, live.summary) == (read.cases, read.summary)
    assert msgspec.structs.replace(live.run, began=0) == msgspec.structs.replace(read.run, began=0)
    assert read.run.began > 1.7e9


def test_a_truncated_report_accounts_for_every_case(tmp_path: Path) -> None:
    """A case that is missing from the report counts as not run."""
    path = tmp_path / "r.jsonl"
    recorded(path, run_of(CASES.values()), every_verdict()[4:6], finished=False)

    account = read_account(path)

    assert [each.verdict for each in account.cases].count("not-run") == 7
    assert {each.line.message for each in account.cases if each.verdict == "not-run"} == {
        "the report was cut off before it"
    }
    assert not account.is_conformant
    assert account.ending() == "The report was cut off: 7 of 9 cases have no verdict."


def test_a_case_counts_once_by_its_first_line(report: Path) -> None:
    """Later lines of the same case are ignored, as in a run."""
    lines = report.read_bytes().splitlines(keepends=True)
    again = lines[5].replace(b'"failed"', b'"passed"', 1)
    report.write_bytes(b"".join([*lines[:-1], again, lines[-1]]))

    assert [each.verdict for each in read_account(report).cases] == list(VERDICTS)


def test_a_rule_has_the_worst_verdict_of_its_cases() -> None:
    """Rules are in the order of the ledger."""
    cases = [case_of("AMD-DEPTH-03", 1), case_of("AMD-DEPTH-03"), case_of("AMD-DEPTH-02")]
    account = account_with(
        run_of(cases), [result_of(cases[0], "passed"), failing(cases[1]), result_of(cases[2], "passed")]
    )

    assert [(rule.id, rule.verdict, len(rule.cases)) for rule in account.rules] == [
        ("AMD-DEPTH-02", "passed", 1),
        ("AMD-DEPTH-03", "failed", 2),
    ]
    assert account.rules[0].sentence == (
        "An import more than five levels below a configured file is skipped with a warning"
    )


@pytest.mark.parametrize(("strict", "fails_run"), [(False, False), (True, True)])
def test_an_advisory_failure_fails_the_run_under_strict(strict: bool, fails_run: bool) -> None:
    """`--strict` has the same effect in an account as in a run."""
    case = CASES["inapplicable"]
    account = account_with(run_of([case], strict=strict), [failing(case)])

    assert (account.fails_run(account.cases[0]), account.is_conformant) == (fails_run, not fails_run)


def _changed(path: Path, **values: object) -> None:
    first, *rest = path.read_bytes().split(b"\n")
    line = msgspec.json.decode(first)
    path.write_bytes(b"\n".join([msgspec.json.encode(line | values), *rest]))


def _append(path: Path, lines: bytes) -> None:
    path.write_bytes(path.read_bytes() + lines)


@pytest.mark.parametrize(
    ("alter", "sentence"),
    [
        (lambda path: _changed(path, features="other"), "is about other features than these: use the loopspec"),
        (lambda path: _changed(path, schema=SCHEMA + 1), "was written by a later loopspec"),
        (lambda path: _changed(path, planned=["X-01 :: gone"]), "no feature has 'X-01 :: gone'"),
        (lambda path: path.write_bytes(b"{}\n"), "is not a report of a run"),
        (lambda path: _append(path, b'{"type":"case" \n{}\n'), r"is not a report of a run: line \d+: .*truncated"),
        (lambda path: path.write_bytes(b"\xff\n"), "is not a report of a run"),
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
        read_account(report)
    assert str(report) in str(caught.value)


def test_an_older_report_does_not_say_when_it_began(report: Path) -> None:
    """A report without a start time can be read."""
    first, *rest = report.read_bytes().split(b"\n")
    line = msgspec.json.decode(first)
    del line["began"]
    report.write_bytes(b"\n".join([msgspec.json.encode(line), *rest]))

    run = read_report(report)[0]
    assert isinstance(run, RunLine)
    assert run.began == 0


def test_the_last_sentence_is_that_of_the_terminal() -> None:
    """The sentence is the same for each exit code, for shards, and for interrupted runs."""
    passed, stale, advisory = CASES["passed"], CASES["stale"], CASES["inapplicable"]
    shard = run_of([passed, stale])
    shard.shard = Shard(1, 2)
    ends: list[tuple[SuiteRun, list[Result], str]] = [
        (run_of([passed]), [result_of(passed, "passed")], "py:some:target is conformant."),
        (run_of([stale], known=[stale]), [failing(stale)], "conformant except for known failures: 1 case"),
        (run_of([stale], known=[stale]), [result_of(stale, "passed")], "1 entry of the baseline is stale"),
        (run_of([passed]), [result_of(passed, "inapplicable", "x")], "Nothing was judged"),
        (run_of([passed]), [failing(passed)], "1 normative case failed"),
        (run_of([advisory]), [failing(advisory)], "is conformant. 1 advisory case failed"),
        (shard, [failing(passed), failing(stale)], "(shard 1/2) is not conformant"),
        (run_of([passed, stale]), [failing(passed)], "interrupted: 1 of 2 cases"),
    ]
    for running, results, words in ends:
        account = account_with(running, results, interrupted="interrupted" in words)
        assert account.summary is not None
        terminal = io.StringIO()
        print_summary(running, account.summary, terminal, quiet=True)
        assert account.ending() == terminal.getvalue().splitlines()[-1]
        assert words in account.ending()


def test_inapplicable_cases_are_counted_by_their_reason() -> None:
    one, two, three = CASES["passed"], CASES["stale"], CASES["known"]
    account = account_with(
        run_of([one, two, three]),
        [
            result_of(one, "inapplicable", "needs b"),
            result_of(two, "inapplicable", "needs a"),
            replace(result_of(three, "inapplicable"), message="needs b"),
        ],
    )

    assert account.inapplicable() == {"needs a": 1, "needs b": 2}
