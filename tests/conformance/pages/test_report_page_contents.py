"""The contents of the report page: rules, verdicts, counts, and what was left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from loopspec import Posture
from loopspec.cli import main
from loopspec.contract.scene import Scene
from loopspec.engine.result import VERDICTS, CaseLine, Verdict
from loopspec.pages import rules
from loopspec.pages.report.contents import Contents, Tally
from loopspec.pages.report.details import compared, detail, key_of
from loopspec.pages.report.implementations import SHOWN, STATES, implementation, worst_state
from loopspec.reports.account import account_from, parts_of
from loopspec.reports.merging import Whole
from loopspec.specification.cases import Case, area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, cases_by_rule, ledger
from loopspec.specification.order import order
from loopspec.specification.selection import Shard

from ..reported import AREA, cases_of, line_of, passing, report_of


def contents_of(*reports: Whole) -> Contents:
    return Contents([implementation(report) for report in reports], rules())


def test_rules_are_grouped_by_area() -> None:
    """Each area once, with its topic, below the document of most of its rules; in the order for a newcomer."""
    contents = contents_of(passing("AMD-DEPTH", "AMD-CFG", "LOOP", "HOOK-BA"))
    areas = {document.title: [area.name for area in document.areas] for document in contents.documents}

    assert areas == {"ChatModelAgent": ["LOOP", "HOOK-BA"], "AgentsMD": ["AMD-CFG", "AMD-DEPTH"]}
    for document in contents.documents:
        for area in document.areas:
            assert area.topic == order().areas[area.name]
            assert [row.rule.id for row in area.rows] == [id_ for id_ in contents.rows if area_of(id_) == area.name]
    assert {rule.document for rule in rules().values() if rule.area == "HOOK-BA"} == {"agent", "middleware"}
    assert {row.rule.id for row in contents.rows.values()} == {
        rule for case in cases_of("AMD-DEPTH", "AMD-CFG", "LOOP", "HOOK-BA") for rule in case.rule.ids
    }


def test_every_row_is_below_a_heading() -> None:
    """Of all rules that have scenarios."""
    contents = contents_of(report_of([line_of(case) for case in compiled()]))
    shown = [row.rule.id for document in contents.documents for area in document.areas for row in area.rows]
    assert sorted(shown) == sorted(cases_by_rule())
    assert len({area.name for document in contents.documents for area in document.areas}) == len(
        {area_of(rule) for rule in shown}
    )


def test_a_rule_is_judged_where_it_is_applicable_to_any_implementation() -> None:
    first, second = cases_of("AMD-DEPTH-03")
    left_out = [line_of(case, "inapplicable", message="needs luck") for case in (first, second)]
    assert contents_of(report_of(left_out)).not_judged == 1
    contents = contents_of(report_of(left_out), report_of([line_of(case) for case in cases_of("AMD-DEPTH-05")]))
    assert {rule: row.is_judged for rule, row in contents.rows.items()} == {"AMD-DEPTH-03": False, "AMD-DEPTH-05": True}
    assert contents_of(report_of(left_out), report_of([line_of(first, "known"), line_of(second)])).not_judged == 0


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_rule_has_the_worst_verdict_of_its_cases(verdict: Verdict) -> None:
    """And says of how many cases it is true, where not of all."""
    first, second = cases_of("AMD-DEPTH-03")
    contents = contents_of(report_of([line_of(first, verdict), line_of(second, "passed")]))
    worst: Verdict = "passed" if verdict == "inapplicable" else verdict
    assert contents.rows["AMD-DEPTH-03"].cells == ((worst, "" if verdict == "passed" else "1/2"),)


def test_what_has_no_result_is_as_bad_as_what_was_not_run() -> None:
    """No rule of a report that was cut off looks as if it passed."""
    assert worst_state(["passed", "no-result"]) == "no-result"
    assert worst_state(["no-result", "not-run"]) == "not-run"
    assert worst_state(["failed", "no-result"]) == "no-result"
    assert worst_state(["absent", "inapplicable"]) == "inapplicable"
    assert worst_state([]) == "absent"
    assert set(STATES) == {*VERDICTS, "no-result", "absent"}
    assert set(SHOWN) == {*VERDICTS, "no-result"}


def test_a_report_that_was_cut_off_is_shown_as_such() -> None:
    first, second = cases_of("AMD-DEPTH-03")
    cut_off = report_of([line_of(first)], planned=[first, second], finished=False)
    contents = contents_of(passing("AMD-DEPTH-03"), cut_off)

    assert contents.outcomes[1] == ("no-result", "The report was cut off: 1 of 2 cases has no verdict.")
    assert [cell.state for cell in contents.rows["AMD-DEPTH-03"].cells] == ["passed", "no-result"]
    assert contents.not_run == (("the report was cut off", (0, 1)),)
    assert dict(contents.counts)["Cases"][SHOWN.index("no-result")].counts == (0, 1)


def test_what_a_run_did_not_select_is_not_judged() -> None:
    """A rule that one report has and another does not; and rules that none has."""
    contents = contents_of(passing("AMD-DEPTH"), passing("AMD-DEPTH-03"))
    ready = sum(row.status in JUDGED for row in ledger().rules.values())

    assert [cell.state for cell in contents.rows["AMD-DEPTH-01"].cells] == ["passed", "absent"]
    assert contents.tallies[1] == Tally((1, 1), (0, 0))
    assert contents.not_planned.counts == (ready - len(contents.rows), ready - 1)


def test_every_verdict_is_counted_zeros_too() -> None:
    cases = cases_of("AMD-DEPTH")
    lines = [line_of(case, "known" if "DEPTH-03" in case.id else "passed") for case in cases]
    for what, counts in contents_of(report_of(lines)).counts:
        assert [count.what for count in counts] == [*SHOWN[:-1]], what
    by_case = {count.what: count.counts for count in dict(contents_of(report_of(lines)).counts)["Cases"]}
    assert by_case["known"] == (2,)
    assert by_case["passed"] == (len(cases) - 2,)
    assert by_case["crashed"] == (0,)


def test_the_counts_are_those_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And those of the account that the other forms of a report are made from."""
    path = tmp_path / "r.jsonl"
    (tmp_path / "shows_nothing.py").write_text("class Loader:\n    def load(self, *_):\n        return [], []\n")
    monkeypatch.syspath_prepend(tmp_path)
    main(["run", "py:shows_nothing:Loader", "--area", "AMD-*", "--report", str(path), "-q"])
    run, cases, summary = parts_of(path)
    assert summary is not None
    assert all(summary.cases[verdict] for verdict in ("passed", "failed", "inapplicable"))
    counts = dict(contents_of(Whole((path,), run, cases, summary)).counts)
    own = account_from(path, run, cases, summary).counts()
    assert (own["cases"], own["normative rules"], own["advisory rules"]) == (
        summary.cases,
        summary.normative,
        summary.advisory,
    )
    assert {what: {count.what: count.counts[0] for count in of} for what, of in counts.items()} == {
        what.capitalize(): verdicts for what, verdicts in own.items()
    }


def test_inapplicable_cases_are_counted_by_their_reason() -> None:
    cases = cases_of("AMD-DEPTH")
    one = report_of([line_of(case, "inapplicable", message="needs agentsmd") for case in cases])
    other = report_of([line_of(cases[0], "inapplicable", message="needs luck"), *(line_of(case) for case in cases[1:])])
    assert contents_of(one, other).inapplicable == (
        ("needs agentsmd", (len(cases), 0)),
        ("needs luck", (0, 1)),
    )


def test_rules_without_a_scenario_are_listed_by_their_reason() -> None:
    contents = contents_of(passing())
    listed = [rule for _, rules in contents.without_scenario for rule in rules]
    assert {rule.id for rule in listed} == {id_ for id_, row in ledger().rules.items() if row.status not in JUDGED}
    for reason, of_reason in contents.without_scenario:
        assert {f"{rule.status}: {rule.reason}" for rule in of_reason} == {reason}


@pytest.mark.parametrize(
    ("exit_code", "given", "state"),
    [
        (0, {}, "passed"),
        (0, {"strict": True}, "passed"),
        (1, {}, "failed"),
        (3, {"stale": ("AMD-DEPTH-01",)}, "stale"),
        (4, {"aborted": "it hangs"}, "crashed"),
        (5, {}, "not-run"),
        (130, {}, "not-run"),
        (1, {"shard": Shard(1, 2)}, "failed"),
    ],
)
@pytest.mark.parametrize("verdict", ["passed", "failed", "known", "inapplicable"])
def test_a_run_ends_with_the_same_sentence_everywhere(
    exit_code: int, given: dict[str, Any], state: str, verdict: Verdict
) -> None:
    """On the page as in all other forms of the report."""
    lines = [line_of(case, verdict) for case in (*cases_of("AMD-DEPTH-03"), *cases_of("AMD-DEPTH-07"))]
    report = report_of(lines, exit_code=exit_code, **given)
    shown = "known" if (state, verdict) == ("passed", "known") else state
    assert contents_of(report).outcomes == ((shown, report.account.ending()),)


def test_known_failures_are_part_of_the_sentence() -> None:
    """A run is conformant but for what its baseline knows."""
    first, second = cases_of("AMD-DEPTH-03")
    ((state, sentence),) = contents_of(report_of([line_of(first, "known"), line_of(second)])).outcomes
    assert state == "known"
    assert "conformant except for known failures: 1 case" in sentence


def test_a_rule_that_shares_its_cases_has_them_in_a_report_that_was_cut_off_too() -> None:
    shared = next(case for case in compiled() if len(case.rule.ids) > 1)
    contents = contents_of(report_of([], planned=[shared], finished=False))
    assert {rule: row.cells[0].state for rule, row in contents.rows.items()} == dict.fromkeys(
        shared.rule.ids, "no-result"
    )


def test_of_two_lines_about_a_case_the_first_counts() -> None:
    first, second = cases_of("AMD-DEPTH-03")
    contents = contents_of(report_of([line_of(first, "failed"), line_of(first), line_of(second)]))
    assert contents.rows["AMD-DEPTH-03"].cells == (("failed", "1/2"),)


def test_a_run_that_was_shuffled_does_not_shuffle_the_cases() -> None:
    first, second = cases_of("AMD-DEPTH-03")
    shuffled = report_of([line_of(second), line_of(first)], seed=7)
    plain = report_of([line_of(first), line_of(second)])
    assert contents_of(shuffled, plain).cases["AMD-DEPTH-03"] == (first.id, second.id)


def test_what_opens_has_each_side_that_did_not_pass() -> None:
    """Passed and inapplicable ones have their verdict; what is inapplicable has its reason."""
    first, second = cases_of("AMD-DEPTH-03")
    broken = line_of(first, "failed", message="x\n  expected: a\n  seen: b", expected="a", seen="b", step="Then x")
    contents = contents_of(
        passing("AMD-DEPTH-03"),
        report_of([broken, line_of(second)], "broken"),
        report_of([line_of(first, "inapplicable", message="needs luck"), line_of(second)], "poor"),
    )
    opened = detail(contents, "AMD-DEPTH-03")

    assert [states for _, states in opened.cases] == [["passed", "failed", "inapplicable"], ["passed"] * 3]
    assert opened.left_out == [("inapplicable: needs luck", "C")]
    assert [reported.title for reported in opened.reported] == [first.title]
    (side,) = opened.reported[0].sides
    assert (side.key, side.name, side.message.text, side.expected.text, side.seen.text) == (
        "B", "broken 1.0", "x", "a", "b"
    )  # fmt: skip
    assert opened.reported[0].scene is not None
    assert msgspec.json.decode(opened.reported[0].scene.text, type=Scene) == first.scene


def test_a_failure_that_may_be_a_choice_has_a_hint() -> None:
    """Only the implementation without a posture on the axis of the scenario has one."""
    failing = [line_of(case, "failed", message="so") for case in cases_of("LOOP-14")]
    declared = {"tool-failure": Posture("ends", measured=True)}
    contents = contents_of(report_of(failing, "silent"), report_of(failing, "declaring", postures=declared))
    sides = detail(contents, "LOOP-14").reported[0].sides

    hint = "if your implementation documents another choice, declare a posture on the axis tool-failure"
    assert [side.hint for side in sides] == [hint, ""]


def test_lines_that_only_one_side_has_are_set_apart() -> None:
    ours, theirs = compared("a\nb\nc", "a\nc\nd")
    assert [line.text for line in ours if line.apart] == ["b"]
    assert [line.text for line in theirs if line.apart] == ["d"]
    assert not any(line.apart for side in compared("one", "other") for line in side)


def test_each_column_has_a_letter() -> None:
    assert [key_of(number) for number in (0, 5, 25, 26)] == ["A", "F", "Z", "27"]


def _broken(case: Case) -> CaseLine | None:
    return line_of(case, "failed") if case.rule.basis == "clarified" else None


def test_normative_and_advisory_rules_are_counted_apart() -> None:
    contents = contents_of(passing(AREA, but=_broken))
    advisory = [row for row in contents.rows.values() if row.rule.basis == "clarified"]
    normative = len(contents.rows) - len(advisory)
    assert contents.tallies == (((normative, normative), (0, len(advisory))),)
    shares = contents.shares(0)
    assert [state for state, _, _ in shares] == ["passed", "failed"]
    assert sum(share for _, _, share in shares) == pytest.approx(100)
