"""`loopspec replay` judges recorded observations again without performing anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace as altered
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion

from loopspec.cli import main
from loopspec.contract.observation import Load, Observation, RunEnd, Warned
from loopspec.contract.specification import VERSION
from loopspec.engine.judge import judge
from loopspec.engine.replay import look_again, replayed
from loopspec.engine.result import CaseLine, Result, Verdict, case_line
from loopspec.reports.jsonl import read_report
from loopspec.specification.cases import Act, Case
from loopspec.specification.features import compiled
from loopspec_mutants import MUTANTS
from loopspec_mutants.trial import DEADLINE, cases_for
from loopspec_steps import Check

from ..cli.in_process import said
from ..recorded import CASES, KNOWN, every_verdict, failing, recorded, run_of
from ..staging import case_of, result_of

Captured = pytest.CaptureFixture[str]
DEPTH = [case_of("AMD-DEPTH-02", number) for number in range(2)]
GONE = "no feature has it now"
LEVEL_6 = Observation(loads=(Load(n=0),), warnings=(Warned(n=1, path="/p/level6.md"),))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _runs(value: object) -> tuple[RunEnd, ...]:
    """A run whose session holds a value."""
    return (RunEnd(n=2, run="1", session={"v": value}),)


def report_of(*results: Result, known: Iterable[Case] = (), finished: bool = True, plan: Iterable[Case] = ()) -> Path:
    """Write a report with these results."""
    path = Path("r.jsonl")
    by_id = {case.id: case for case in compiled()}
    cases = list(plan) or [by_id[result.case] for result in results]
    recorded(path, run_of(cases, known=known), results, finished=finished)
    return path


def changed(path: Path, change: Callable[[dict[str, Any]], object], number: int = 0) -> None:
    """Change a line of the report."""
    lines = path.read_bytes().split(b"\n")
    line = msgspec.json.decode(lines[number])
    change(line)
    path.write_bytes(b"\n".join([*lines[:number], msgspec.json.encode(line), *lines[number + 1 :]]))


def test_a_replay_catches_a_mutant_at_the_same_step(tmp_path: Path) -> None:
    """For every fortieth mutant, the report alone gives the same verdict at the same step with the same message.

    Of a variant, which has a case for most scenes, about fifty cases say so.
    """
    cases = compiled()
    count = 0
    for mutant in list(MUTANTS.values())[::40]:
        of_rule = [case for case in cases_for(mutant, cases) if mutant.rule in case.rule.ids]
        judged = of_rule[:: len(of_rule) // 50 + 1]
        with closing(mutant.target()) as target:
            results = [judge(case, target, deadline=DEADLINE) for case in judged]
        results = [replace(result, broken=()) for result in results if result.verdict == "failed"]
        path = report_of(*results, plan=judged)
        lines = [line for line in read_report(path) if isinstance(line, CaseLine) and line.observation]

        again = [each.now for each in replayed([(line.case, line) for line in lines], look_again)]

        assert [replace(each, broken=()) for each in again if each] == [
            replace(result, seconds=0.0, evidence={}, broken=()) for result in results
        ]
        assert [line.inexact for line in lines] == [""] * len(results)
        count += len(results)
    assert count > 25


@pytest.mark.parametrize(
    ("seen", "evidence", "code"),
    [(Observation(loads=(Load(n=0),)), {"stderr": "one\ntwo\n", "noise": "x"}, 1), (LEVEL_6, {}, 0)],
    ids=["fails again", "passes now"],
)
def test_both_verdicts_are_printed_with_the_evidence(
    seen: Observation, evidence: dict[str, str], code: int, capsys: Captured, snapshot: SnapshotAssertion
) -> None:
    """The whole observation of a single case that fails, or its earlier message if a wrong check has been fixed."""
    path = report_of(replace(failing(DEPTH[0]), observation=seen, evidence=evidence))

    lines = said(capsys, "replay", str(path), DEPTH[0].id, code=code)

    assert re.sub(r"feature:\d+", "feature:LINE", "\n".join(lines)) == snapshot


@pytest.mark.parametrize("glob", ["AMD-DEPTH-02", "AMD-DEPTH-0*", "AMD-DEPTH-02 :: *", "*"])
def test_several_cases_are_chosen_as_in_a_run(glob: str, capsys: Captured) -> None:
    """A rule's id or a glob selects cases; one failing case decides the exit code."""
    path = report_of(
        replace(failing(DEPTH[0]), observation=LEVEL_6), replace(failing(DEPTH[1]), observation=Observation())
    )

    lines = said(capsys, "replay", str(path), glob, code=1)

    assert [line for line in lines if "then: " in line and "now: " in line] == [
        "  then: failed, now: passed",
        "  then: failed, now: failed",
    ]
    assert lines[-1] == "2 cases judged again: 1 unchanged, 1 changed."
    assert "  observation:" not in lines


def test_a_known_failure_counts_as_unchanged(capsys: Captured) -> None:
    """`replay` has no baseline, so the case is a failure."""
    case = DEPTH[0]
    path = report_of(replace(failing(case), observation=Observation()), known=[case])

    lines = said(capsys, "replay", str(path), case.id, code=1)

    assert lines[1] == "  then: known, now: failed"
    assert lines[-1] == "1 case judged again: 1 unchanged, 0 changed."


@pytest.mark.parametrize("verdict", ["passed", "stale", "inapplicable", "not-run", "crashed", "timed-out", "errored"])
def test_a_case_without_an_observation_is_not_judged(
    verdict: Verdict, capsys: Captured, snapshot: SnapshotAssertion
) -> None:
    """Each verdict has its own reason; if nothing is judged, the exit code is 5."""
    path = report_of(*every_verdict(), known=KNOWN, plan=CASES.values())

    assert said(capsys, "replay", str(path), CASES[verdict].id, code=5) == snapshot


def test_a_passed_case_is_not_listed_separately(capsys: Captured) -> None:
    """A passed case does not change the exit code if another case is judged."""
    path = report_of(replace(failing(DEPTH[0]), observation=LEVEL_6), result_of(DEPTH[1], "passed"))

    lines = said(capsys, "replay", str(path), "AMD-DEPTH-02", code=0)

    assert lines[-2:] == [
        "1 case judged again: 0 unchanged, 1 changed.",
        "not judged: 1 case, it passed, so nothing was recorded",
    ]
    assert DEPTH[1].id not in lines


def test_a_failure_that_cannot_be_judged_fails_the_replay(capsys: Captured) -> None:
    """A failure that cannot be judged gives exit code 5, whatever the other cases are."""
    path = report_of(*every_verdict(), known=KNOWN, plan=CASES.values())

    lines = said(capsys, "replay", str(path), "*", code=5)

    assert CASES["crashed"].id in lines
    assert "2 cases judged again: 2 unchanged, 0 changed." in lines


def test_cases_after_the_cut_of_a_report_are_not_judged(capsys: Captured) -> None:
    """Cases recorded before the cut are judged."""
    path = report_of(replace(failing(DEPTH[0]), observation=LEVEL_6), finished=False, plan=DEPTH)

    assert said(capsys, "replay", str(path), DEPTH[1].id, code=5)[1] == (
        "  then: not-run, now: not judged, the report was cut off before it"
    )
    assert (
        said(capsys, "replay", str(path), "AMD-DEPTH-02", code=0)[-1]
        == "not judged: 1 case, the report was cut off before it"
    )


def test_a_removed_case_cannot_be_judged(capsys: Captured) -> None:
    """A report of older features is judged with a note."""
    path = report_of(failing(DEPTH[0]))
    changed(path, lambda line: line.update(planned=["X-01 :: it was"], features="older"))
    changed(path, lambda line: line.update(case="X-01 :: it was", rules=["X-01"]), 1)

    lines = said(capsys, "replay", str(path), "X-01", code=5)

    assert lines[0].startswith(
        f"The report is about other features (older, loopspec {VERSION}) than the current ones ("
    )
    assert lines[0].endswith("), which judge the cases.")
    assert lines[2:4] == ["X-01 :: it was", f"  then: failed, now: not judged, {GONE}"]


def test_an_inexact_observation_is_judged_with_a_note(capsys: Captured) -> None:
    """The checks see another value than the one observed, which may explain another verdict."""
    case = DEPTH[0]
    odd = replace(LEVEL_6, languages=("\udcff",))
    path = report_of(replace(failing(case), observation=odd, evidence={}))

    assert said(capsys, "replay", str(path), case.id, code=0)[1:3] == [
        "  then: failed, now: passed",
        "  note: what was seen holds values that JSON does not have, so the record shows them as text",
    ]


def test_an_observation_that_is_not_json_is_not_judged(capsys: Captured) -> None:
    """Such a report can still be read."""
    case = DEPTH[0]
    odd = replace(LEVEL_6, log=(None,))
    path = report_of(replace(failing(case), observation=odd))

    assert said(capsys, "replay", str(path), case.id, code=5)[1] == (
        "  then: failed, now: not judged, what was seen cannot be written as JSON: ValidationError: "
        "Expected `str`, got `null` - at `$.log[0]`; --target performs its scene again"
    )


def test_a_check_that_breaks_on_what_was_recorded_is_an_error(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong check or an edited report gives an error without a traceback."""
    case = DEPTH[0]
    path = report_of(replace(failing(case), observation=LEVEL_6))

    def broken(seen: Observation) -> None:
        raise IndexError("there is none")

    act = Act(case.scene, ((case.checks[0][0], cast("Check", broken)),))
    broken_case = altered(case, load=lambda: act)
    monkeypatch.setattr("loopspec.engine.replay.case_named", lambda name: broken_case)

    lines = said(capsys, "replay", str(path), case.id, code=1)

    assert lines[1:4] == [
        "  then: failed, now: errored",
        f"  {case.file}:{case.checks[0][0].line}  {case.checks[0][0]}",
        "  the suite itself failed: IndexError: there is none",
    ]


def test_control_characters_are_escaped(capsys: Captured) -> None:
    """A report is untrusted input."""
    case = DEPTH[0]
    path = report_of(replace(failing(case), observation=Observation(), evidence={"stderr": "\x1b[2Jgone"}))

    assert "  stderr: �[2Jgone" in said(capsys, "replay", str(path), case.id, code=1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("r.jsonl", "AMD-DEPTH-20"),
            "there is no case or rule in the report 'AMD-DEPTH-20': did you mean 'AMD-DEPTH-02'?",
        ),
        (
            ("r.jsonl", "AMD-DEPTH-02 :: Level"),
            "there is no case or rule in the report 'AMD-DEPTH-02 :: Level': did you",
        ),
        (("none.jsonl", "*"), "the report none.jsonl cannot be read: No such file or directory"),
        (("r.jsonl", "*", "--target", "no:such"), "there is no target 'no:such'"),
    ],
)
def test_an_unknown_name_is_one_sentence(arguments: tuple[str, ...], sentence: str, capsys: Captured) -> None:
    """The message suggests a similar name."""
    report_of(failing(DEPTH[0]))

    assert main(["replay", *arguments]) == 2

    captured = capsys.readouterr()
    assert (captured.out, captured.err.startswith(f"loopspec: {sentence}")) == ("", True)


@pytest.mark.parametrize(
    "value", [b"bytes", (1, 2), {1: 2}, {1, 2}, float("nan"), float("inf"), object(), ["\ud800"], {"a": (1,)}]
)
def test_a_value_that_is_not_json_is_marked_inexact(value: object) -> None:
    """The line says that the value is inexact, and can be written and read."""
    odd = replace(LEVEL_6, warnings=(), runs=_runs(value))
    line = case_line(replace(failing(DEPTH[0]), observation=odd))

    assert line.inexact == "what was seen holds values that JSON does not have, so the record shows them as text"
    assert line.observation is not None


@pytest.mark.parametrize("value", [2**70, -(2**63) - 1, 0.1, -0.0, 1e300, True, None, "é🦊\x00", [], {"": [{}]}, 1.0])
def test_a_json_value_is_recorded_exactly(value: object) -> None:
    """Numbers of any size are kept."""
    seen = replace(LEVEL_6, runs=_runs(value))
    line = case_line(replace(failing(DEPTH[0]), observation=seen))

    assert (line.inexact, line.observation) == ("", seen)


def test_a_value_that_cannot_be_written_is_recorded_as_text() -> None:
    """A recursive value or a value of a wrong type breaks neither the report nor the run."""
    bottomless: list[object] = []
    bottomless.append(bottomless)
    seen = replace(LEVEL_6, runs=_runs(bottomless))
    line = case_line(replace(failing(DEPTH[0]), observation=seen))

    assert line.observation is None
    assert line.inexact.startswith("what was seen cannot be written as JSON: RecursionError")
    assert "[[...]]" in line.evidence["observation"]
