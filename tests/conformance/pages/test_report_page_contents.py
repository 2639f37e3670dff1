"""The contents of the report page: rules, verdicts, counts, and what was left out."""

from __future__ import annotations

import msgspec
import pytest

from loopspec import Posture
from loopspec.contract.scene import Scene
from loopspec.engine.result import CaseLine, Verdict
from loopspec.pages.report.contents import SHOWN, Contents
from loopspec.pages.report.details import compared, detail, key_of
from loopspec.pages.rules import rules
from loopspec.reports.account import Account, Tally, ending
from loopspec.specification.cases import Case, area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, cases_by_rule, ledger
from loopspec.specification.order import order

from ..reported import AREA, cases_of, line_of, passing, report_of


def contents_of(*reports: Account) -> Contents:
    return Contents(reports, rules())


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


def test_a_cell_says_how_many_cases_have_its_state() -> None:
    """Where not all of them have it."""
    first, second = cases_of("AMD-DEPTH-03")
    contents = contents_of(report_of([line_of(first, "failed"), line_of(second)]), passing("AMD-DEPTH-03"))

    assert contents.rows["AMD-DEPTH-03"].cells == (("failed", "1/2"), ("passed", ""))


def test_a_rule_is_judged_where_it_is_applicable_to_any_implementation() -> None:
    first, second = cases_of("AMD-DEPTH-03")
    left_out = [line_of(case, "inapplicable", message="needs luck") for case in (first, second)]
    assert contents_of(report_of(left_out)).not_judged == 1
    contents = contents_of(report_of(left_out), report_of([line_of(case) for case in cases_of("AMD-DEPTH-05")]))
    assert {rule: row.is_judged for rule, row in contents.rows.items()} == {"AMD-DEPTH-03": False, "AMD-DEPTH-05": True}
    assert contents_of(report_of(left_out), report_of([line_of(first, "known"), line_of(second)])).not_judged == 0


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
    ("exit_code", "verdict", "state"),
    [
        (0, "passed", "passed"),
        (0, "known", "known"),
        (1, "failed", "failed"),
        (3, "passed", "stale"),
        (4, "passed", "crashed"),
        (5, "inapplicable", "not-run"),
        (130, "passed", "not-run"),
    ],
)
def test_the_last_sentence_has_the_colors_of_a_state(exit_code: int, verdict: Verdict, state: str) -> None:
    report = report_of([line_of(case, verdict) for case in cases_of("AMD-DEPTH-03")], exit_code=exit_code)
    assert contents_of(report).outcomes == ((state, ending(report)),)


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

    hint = "if your implementation documents another choice, declare a posture on the axis tool-failure (reported)"
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
