"""What the page of reports says: which rules, which verdicts, which counts, what was left out."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from loopspec.cli import main
from loopspec.contract.scene import Scene
from loopspec.engine.result import CaseLine
from loopspec.engine.verdict import VERDICTS, Verdict
from loopspec.pages import rules
from loopspec.pages.report.contents import Contents, Tally
from loopspec.pages.report.details import compared, detail, key_of
from loopspec.pages.report.implementations import SHOWN, STATES, implementation, worst_state
from loopspec.reports.account import parts_of
from loopspec.reports.merging import Whole
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger

from ..reported import AREA, cases_of, line_of, passing, report_of


def contents_of(*reports: Whole) -> Contents:
    return Contents([implementation(report) for report in reports], rules(), ledger().sections)


def test_rules_stand_under_their_document_and_section_in_the_documents_own_order() -> None:
    contents = contents_of(passing("AMD-DEPTH", "AMD-CFG", "LOOP"))
    titles = {document.title: [group.title for group in document.groups] for document in contents.documents}
    own = list(ledger().sections["agentsmd"])

    assert list(titles) == ["AgentsMD", "ChatModelAgent"]
    assert titles["AgentsMD"] == sorted(titles["AgentsMD"], key=own.index)
    for document in contents.documents:
        for group in document.groups:
            assert {row.rule.sections[0].title for row in group.rows} == {group.title}
    assert {row.rule.id for row in contents.rows.values()} == {
        rule for case in cases_of("AMD-DEPTH", "AMD-CFG", "LOOP") for rule in case.rule.ids
    }


def test_a_rule_of_no_section_stands_under_its_area() -> None:
    contents = contents_of(passing("BACKEND-01"))
    assert [[group.title for group in document.groups] for document in contents.documents] == [["BACKEND"]]


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_rule_has_the_worst_verdict_of_its_cases(verdict: Verdict) -> None:
    """And says of how many cases it is true, where not of all."""
    first, second = cases_of("AMD-DEPTH-02")
    contents = contents_of(report_of([line_of(first, verdict), line_of(second, "passed")]))
    worst: Verdict = "passed" if verdict == "inapplicable" else verdict
    assert contents.rows["AMD-DEPTH-02"].cells == ((worst, "" if verdict == "passed" else "1/2"),)


def test_what_has_no_result_is_as_bad_as_what_was_not_run() -> None:
    """A report that was cut off makes nothing look kept."""
    assert worst_state(["passed", "no-result"]) == "no-result"
    assert worst_state(["no-result", "not-run"]) == "not-run"
    assert worst_state(["failed", "no-result"]) == "no-result"
    assert worst_state(["absent", "inapplicable"]) == "inapplicable"
    assert worst_state([]) == "absent"
    assert set(STATES) == {*VERDICTS, "no-result", "absent"}
    assert set(SHOWN) == {*VERDICTS, "no-result"}


def test_a_report_that_was_cut_off_is_shown_as_such() -> None:
    first, second = cases_of("AMD-DEPTH-02")
    cut_off = report_of([line_of(first)], planned=[first, second], finished=False)
    contents = contents_of(passing("AMD-DEPTH-02"), cut_off)
    one = contents.implementations[1]

    assert one.outcome == ("no-result", "The report was cut off: 1 of 2 cases have a result.")
    assert [cell.state for cell in contents.rows["AMD-DEPTH-02"].cells] == ["passed", "no-result"]
    assert contents.not_run == (("the report was cut off", (0, 1)),)
    assert dict(contents.counts)["Cases"][SHOWN.index("no-result")].counts == (0, 1)


def test_what_a_run_did_not_ask_for_is_not_judged() -> None:
    """A rule that one report has and another does not; and rules that none has."""
    contents = contents_of(passing("AMD-DEPTH"), passing("AMD-DEPTH-02"))
    ready = sum(row.status == "scenario" for row in ledger().rules.values())

    assert [cell.state for cell in contents.rows["AMD-DEPTH-01"].cells] == ["passed", "absent"]
    assert contents.tallies[1] == Tally((1, 1), (0, 0))
    assert contents.not_planned.counts == (ready - len(contents.rows), ready - 1)


def test_every_verdict_is_counted_zeros_too() -> None:
    cases = cases_of("AMD-DEPTH")
    lines = [line_of(case, "known" if "DEPTH-02" in case.id else "passed") for case in cases]
    for what, counts in contents_of(report_of(lines)).counts:
        assert [count.what for count in counts] == [*SHOWN[:-1]], what
    by_case = {count.what: count.counts for count in dict(contents_of(report_of(lines)).counts)["Cases"]}
    assert by_case["known"] == (2,)
    assert by_case["passed"] == (len(cases) - 2,)
    assert by_case["crashed"] == (0,)


def test_the_counts_are_those_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page counts from the cases is what the run itself has added up."""
    path = tmp_path / "r.jsonl"
    (tmp_path / "shows_nothing.py").write_text("class Loader:\n    def load(self, *_):\n        return [], []\n")
    monkeypatch.syspath_prepend(tmp_path)
    main(["run", "py:shows_nothing:Loader", "--area", "AMD-*", "--report", str(path), "-q"])
    run, cases, summary = parts_of(path)
    assert summary is not None
    assert all(summary.cases[verdict] for verdict in ("passed", "failed", "inapplicable"))
    counts = dict(contents_of(Whole((path,), run, cases, summary)).counts)
    for what, own in (
        ("Cases", summary.cases),
        ("Rules that decide", summary.normative),
        ("Clarified rules", summary.advisory),
    ):
        assert {count.what: count.counts[0] for count in counts[what]} == own


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
    assert {rule.id for rule in listed} == {id_ for id_, row in ledger().rules.items() if row.status != "scenario"}
    for reason, of_reason in contents.without_scenario:
        assert {f"{rule.status}: {rule.reason}" for rule in of_reason} == {reason}


@pytest.mark.parametrize(
    ("exit_code", "said", "state", "sentence"),
    [
        (0, {}, "passed", "Conformant."),
        (0, {"strict": True}, "passed", "Conformant, clarified rules too."),
        (1, {}, "failed", "Not conformant: 0 cases did not pass."),
        (3, {"stale": ("AMD-DEPTH-01",)}, "stale", "Its baseline is stale: of 1 of its entries all passes."),
        (4, {"aborted": "it hangs"}, "crashed", "Unusable: the run was given up."),
        (5, {}, "not-run", "No verdict can be trusted: nothing was judged, or not everything is accounted for."),
        (130, {}, "not-run", "The run was interrupted."),
    ],
)
def test_how_a_run_ended_is_a_sentence(exit_code: int, said: dict[str, object], state: str, sentence: str) -> None:
    lines = [line_of(case) for case in cases_of("AMD-DEPTH-02")]
    report = report_of(lines, exit_code=exit_code, **said)  # type: ignore[arg-type]  # each is of its own kind
    assert implementation(report).outcome == (state, sentence)


def test_conformant_by_its_baseline_is_not_said_as_if_it_kept_everything() -> None:
    first, second = cases_of("AMD-DEPTH-02")
    one = implementation(report_of([line_of(first, "known"), line_of(second)]))
    assert one.outcome == ("known", "Conformant but for what its baseline knows: 1 case.")


def test_a_rule_that_shares_its_cases_has_them_in_a_report_that_was_cut_off_too() -> None:
    shared = next(case for case in compiled() if len(case.rule.ids) > 1)
    contents = contents_of(report_of([], planned=[shared], finished=False))
    assert {rule: row.cells[0].state for rule, row in contents.rows.items()} == dict.fromkeys(
        shared.rule.ids, "no-result"
    )


def test_of_two_lines_about_a_case_the_first_counts() -> None:
    first, second = cases_of("AMD-DEPTH-02")
    contents = contents_of(report_of([line_of(first, "failed"), line_of(first), line_of(second)]))
    assert contents.rows["AMD-DEPTH-02"].cells == (("failed", "1/2"),)


def test_a_run_that_was_shuffled_does_not_shuffle_the_cases() -> None:
    first, second = cases_of("AMD-DEPTH-02")
    shuffled = report_of([line_of(second), line_of(first)], seed=7)
    plain = report_of([line_of(first), line_of(second)])
    assert contents_of(shuffled, plain).cases["AMD-DEPTH-02"] == (first.id, second.id)


def test_what_opens_has_each_side_that_did_not_pass() -> None:
    """Passed and inapplicable ones have their verdict; what is inapplicable has its reason."""
    first, second = cases_of("AMD-DEPTH-02")
    broken = line_of(first, "failed", message="x\n  expected: a\n  seen: b", expected="a", seen="b", step="Then x")
    contents = contents_of(
        passing("AMD-DEPTH-02"),
        report_of([broken, line_of(second)], "broken"),
        report_of([line_of(first, "inapplicable", message="needs luck"), line_of(second)], "poor"),
    )
    opened = detail(contents, "AMD-DEPTH-02")

    assert [states for _, states in opened.cases] == [["passed", "failed", "inapplicable"], ["passed"] * 3]
    assert opened.left_out == [("inapplicable: needs luck", "C")]
    assert [reported.title for reported in opened.reported] == [first.title]
    (side,) = opened.reported[0].sides
    assert (side.key, side.name, side.message.text, side.expected.text, side.seen.text) == (
        "B", "broken 1.0", "x", "a", "b"
    )  # fmt: skip
    assert opened.reported[0].scene is not None
    assert msgspec.json.decode(opened.reported[0].scene.text, type=Scene) == first.scene


def test_lines_that_only_one_side_has_are_set_apart() -> None:
    ours, theirs = compared("a\nb\nc", "a\nc\nd")
    assert [line.text for line in ours if line.apart] == ["b"]
    assert [line.text for line in theirs if line.apart] == ["d"]
    assert not any(line.apart for side in compared("one", "other") for line in side)


def test_each_column_has_a_letter() -> None:
    assert [key_of(number) for number in (0, 5, 25, 26)] == ["A", "F", "Z", "27"]


def _broken(case: Case) -> CaseLine | None:
    return line_of(case, "failed") if case.rule.basis == "clarified" else None


def test_rules_that_decide_and_clarified_ones_are_told_apart() -> None:
    contents = contents_of(passing(AREA, but=_broken))
    clarified = [row for row in contents.rows.values() if row.rule.basis == "clarified"]
    normative = len(contents.rows) - len(clarified)
    assert contents.tallies == (((normative, normative), (0, len(clarified))),)
    shares = contents.shares(0)
    assert [state for state, _, _ in shares] == ["passed", "failed"]
    assert sum(share for _, _, share in shares) == pytest.approx(100)
