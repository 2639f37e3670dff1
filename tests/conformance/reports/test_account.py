"""What a report says: the one reading that every other form of it is made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from loopspec.contract.faults import UsageError
from loopspec.engine.verdict import VERDICTS
from loopspec.reports.account import read_account
from loopspec.reports.jsonl import SCHEMA, RunLine, read_report

from ..recorded import CASES, KNOWN, account, every_verdict, failing, recorded, run_of, whole_account
from ..staging import case_of, result_of


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """One that has every verdict in it."""
    path = tmp_path / "r.jsonl"
    recorded(path, run_of(CASES.values(), known=KNOWN), every_verdict())
    return path


def test_a_report_adds_up_to_its_own_summary(report: Path) -> None:
    """Of cases, of rules that decide, and of clarified ones."""
    told = read_account(report)
    summary = told.summary

    assert summary is not None
    assert [each.verdict for each in told.cases] == list(VERDICTS)
    assert list(told.counts().values()) == [summary.cases, summary.normative, summary.advisory]
    assert summary.cases == dict.fromkeys(VERDICTS, 1)
    assert summary.advisory["inapplicable"] == 1


def test_the_live_run_and_its_report_say_the_same(report: Path) -> None:
    """But for the moment at which they begin."""
    live, read = whole_account(), read_account(report)

    assert (live.cases, live.summary) == (read.cases, read.summary)
    assert msgspec.structs.replace(live.run, began=0) == msgspec.structs.replace(read.run, began=0)
    assert read.run.began > 1.7e9


def test_a_report_that_was_cut_off_leaves_nothing_out(tmp_path: Path) -> None:
    """What it does not speak of was not run, as far as anybody knows."""
    path = tmp_path / "r.jsonl"
    recorded(path, run_of(CASES.values()), every_verdict()[4:6], finished=False)

    told = read_account(path)

    assert [each.verdict for each in told.cases].count("not-run") == 7
    assert {each.line.message for each in told.cases if each.verdict == "not-run"} == {
        "the report was cut off before it"
    }
    assert (told.is_finished, told.is_conformant) == (False, False)
    assert told.ending() == "The report was cut off: of 7 of 9 cases it does not say what became of them."


def test_a_case_counts_once_by_its_first_line(report: Path) -> None:
    """As in the run."""
    lines = report.read_bytes().splitlines(keepends=True)
    again = lines[5].replace(b'"failed"', b'"passed"', 1)
    report.write_bytes(b"".join([*lines[:-1], again, lines[-1]]))

    assert [each.verdict for each in read_account(report).cases] == list(VERDICTS)


def test_a_rule_has_the_worst_verdict_of_its_cases() -> None:
    """And is in the ledger's order, not in that of the run."""
    cases = [case_of("AMD-DEPTH-03", 1), case_of("AMD-DEPTH-03"), case_of("AMD-DEPTH-02")]
    told = account(run_of(cases), [result_of(cases[0], "passed"), failing(cases[1]), result_of(cases[2], "passed")])

    assert [(rule.id, rule.verdict, len(rule.cases)) for rule in told.rules] == [
        ("AMD-DEPTH-02", "passed", 1),
        ("AMD-DEPTH-03", "failed", 2),
    ]
    assert told.rules[0].sentence == "A file on level 6 is left out, and a warning is given"


@pytest.mark.parametrize(("strict", "decides"), [(False, False), (True, True)])
def test_a_clarified_failure_decides_under_strict(strict: bool, decides: bool) -> None:
    """In an account as in a run."""
    case = CASES["inapplicable"]
    told = account(run_of([case], strict=strict), [failing(case)])

    assert (told.fails_run(told.cases[0]), told.is_conformant) == (decides, not decides)


def _changed(path: Path, **values: object) -> None:
    first, *rest = path.read_bytes().split(b"\n")
    line = msgspec.json.decode(first)
    path.write_bytes(b"\n".join([msgspec.json.encode(line | values), *rest]))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: _changed(path, features="other"), "speaks of other features than these: take the loopspec"),
        (lambda path: _changed(path, schema=SCHEMA + 1), "was written by a later loopspec"),
        (lambda path: _changed(path, planned=["X-01 :: gone"]), "speaks of 'X-01 :: gone', which is in no feature"),
        (lambda path: path.write_bytes(b"{}\n"), "is no report of a run"),
        (lambda path: path.write_bytes(b"\xff\n"), "is no report of a run"),
        (
            lambda path: path.write_bytes(b'{"type":"run","deep":' + b"[" * 9000 + b"]" * 9000 + b"}\n"),
            "is no report of a run",
        ),
        (lambda path: path.unlink(), "cannot be read: No such file"),
    ],
)
def test_what_cannot_be_told_is_one_sentence(spoil: Callable[[Path], None], sentence: str, report: Path) -> None:
    """It names the file."""
    spoil(report)

    with pytest.raises(UsageError, match=sentence) as told:
        read_account(report)
    assert str(report) in str(told.value)


def test_an_older_report_does_not_say_when_it_began(report: Path) -> None:
    """It can be read all the same."""
    first, *rest = report.read_bytes().split(b"\n")
    line = msgspec.json.decode(first)
    del line["began"]
    report.write_bytes(b"\n".join([msgspec.json.encode(line), *rest]))

    run = read_report(report)[0]
    assert isinstance(run, RunLine)
    assert run.began == 0


def test_how_a_run_ended_is_said_as_on_the_terminal() -> None:
    """For each exit code, and for runs that were cut short."""
    passed, stale = CASES["passed"], CASES["stale"]
    ends = [
        account(run_of([passed]), [result_of(passed, "passed")]),
        account(run_of([passed, stale]), [failing(passed)], interrupted=True),
        account(run_of([stale], known=[stale]), [result_of(stale, "passed")]),
        account(run_of([passed]), [result_of(passed, "inapplicable", "x")]),
        account(run_of([passed]), [failing(passed)]),
    ]

    assert [told.ending() for told in ends] == [
        "py:some:target is conformant.",
        "interrupted: 1 of 2 cases were not run.",
        "py:some:target: 1 entries of the baseline are stale: they pass now. Prune them.",
        "Nothing was judged: all 1 cases are inapplicable to py:some:target.",
        "py:some:target is not conformant: 1 of 1 cases.",
    ]
    assert [told.is_finished for told in ends] == [True, False, True, False, True]


def test_reasons_are_counted() -> None:
    """Of what is inapplicable."""
    one, two, three = CASES["passed"], CASES["stale"], CASES["known"]
    told = account(
        run_of([one, two, three]),
        [
            result_of(one, "inapplicable", "needs b"),
            result_of(two, "inapplicable", "needs a"),
            replace(result_of(three, "inapplicable"), message="needs b"),
        ],
    )

    assert told.inapplicable() == {"needs a": 1, "needs b": 2}
