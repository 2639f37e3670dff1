"""A case is judged on a target; refused names are counted, and an error that no Then expects is shown."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import cast

import pytest

from loopspec import AdapterError, CannotStore, Posture, Stage
from loopspec.cli import main
from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.observation import Cancelled, Load, Observation, RunEnd, Span, Warned
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.roles import Role
from loopspec.contract.values import Error
from loopspec.engine.checking import look
from loopspec.engine.judge import Mute, canary_fails, judge, role_for
from loopspec.engine.result import Result, Verdict, by_rule, case_line, refused_names
from loopspec.specification.cases import Act
from loopspec.specification.features import cases_of_rule
from loopspec.specification.sources import cases_in
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter.stores import MemoryStore
from loopspec_steps import Check

from ..staging import Acting, case_of, result_of

LOAD = case_of("AMD-DEPTH-01")
REVERSED = Posture("reversed", link="https://example.org/hooks")


@pytest.mark.parametrize(
    ("roles", "capabilities", "only", "answer"),
    [
        (["loader", "agent"], ["agentsmd"], None, "loader"),
        (["agent", "middleware"], ["agentsmd"], None, "middleware"),
        (["loader", "agent"], ["agentsmd"], "agent", "agent"),
        (["backend"], ["agentsmd"], None, Inapplicable("role", ("loader", "middleware", "agent"))),
        (["loader", "backend"], ["agentsmd"], "backend", Inapplicable("other-role", ("backend",))),
        (["agent"], [], None, Inapplicable("capability", ("agentsmd",))),
        (["agent", "middleware"], [], None, "middleware"),
        (["loader"], [], None, "loader"),
    ],
)
def test_the_simplest_role_is_chosen(
    roles: list[Role], capabilities: list[Capability], only: Role | None, answer: Role | Inapplicable
) -> None:
    """Of the roles that the target has, unless one is selected. Only an agent has to declare `agentsmd`."""
    assert role_for(LOAD, Acting(roles=roles, capabilities=capabilities), only) == answer


@pytest.mark.parametrize(
    ("rule", "postures", "answer"),
    [
        ("HOOK-AM-01", {}, "agent"),
        ("HOOK-AM-01", {"after-order": Posture("registered", measured=True)}, "agent"),
        ("HOOK-AM-01", {"edits-last": Posture("request", measured=True)}, "agent"),
        ("HOOK-AM-01", {"after-order": REVERSED}, Inapplicable("posture", ("after-order", "reversed"))),
        ("POSTURE-01", {}, Inapplicable("posture", ("after-order", "registered"))),
        ("POSTURE-01", {"after-order": REVERSED}, "agent"),
    ],
)
def test_a_case_of_another_posture_is_inapplicable(
    rule: str, postures: dict[str, Posture], answer: Role | Inapplicable
) -> None:
    """A declared value is judged by its own scenarios, and not by those that presuppose another value."""
    case = case_of(rule)
    target = Acting(roles=["agent"], capabilities=CAPABILITIES, postures=postures)

    assert role_for(case, target) == answer
    if isinstance(answer, Inapplicable):
        judged = Result(case.id, case.rule.ids, "inapplicable", message=str(answer), reason=answer)
        assert judge(case, target) == judged


def test_a_missing_capability_is_named_before_another_posture() -> None:
    """A target that could not perform the case in any posture reads what it lacks."""
    case = next(cases_in(case_of("HOOK-AM-01"), ["streaming"]))
    target = Acting(roles=["agent"], capabilities=case.needs - {"streaming"}, postures={"after-order": REVERSED})

    assert role_for(case, target) == Inapplicable("capability", ("streaming",))


def _breaks(stage: Stage) -> None:
    raise AdapterError("it broke")


def _exits(stage: Stage) -> None:
    sys.exit(3)


def _hangs(stage: Stage) -> None:
    time.sleep(60)


@pytest.mark.parametrize(
    ("target", "verdict", "message"),
    [
        (Acting(_breaks), "errored", "it broke"),
        (Acting(_exits), "crashed", "acting raised SystemExit(3)"),
        (Acting(_hangs), "timed-out", "acting did not return within 0.1 s"),
    ],
)
def test_a_scene_that_cannot_be_performed_has_its_own_verdict(target: Acting, verdict: Verdict, message: str) -> None:
    """The result contains the scene and the step that performs it."""
    result = judge(LOAD, target, deadline=0.1)

    assert (result.verdict, result.message, result.scene) == (verdict, message, LOAD.scene)
    assert (result.location, result.step) == (f"{LOAD.file}:{LOAD.when.line}", str(LOAD.when))


def test_a_bug_of_the_suite_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the harness or in a check is an error; a check is named by its step."""

    def broken(seen: Observation) -> None:
        raise KeyError("no such key")

    step, _ = LOAD.checks[0]
    case = replace(LOAD, load=lambda: Act(LOAD.scene, ((step, cast("Check", broken)),)))
    looked = look(case, Observation())
    monkeypatch.setattr("loopspec.engine.judge.perform", lambda *given: dict[str, object]()["nothing"])
    performed = judge(LOAD, Acting())

    assert (looked.verdict, looked.step, looked.scene) == ("errored", str(step), LOAD.scene)
    assert looked.message == "the suite itself failed: KeyError: 'no such key'"
    assert (performed.verdict, performed.step) == ("errored", str(LOAD.when))
    assert performed.message == "the suite itself failed: KeyError: 'nothing'"


def test_a_case_passes_when_all_its_checks_do() -> None:
    """A passing result has no evidence."""
    case = case_of("AMD-DEPTH-02")
    seen = Observation(loads=(Load(n=0),), warnings=(Warned(n=1, path="/p/level6.md"),))

    assert look(case, seen, 1.5) == Result(case.id, case.rule.ids, "passed", 1.5)


def test_a_case_fails_at_the_first_failing_check() -> None:
    """The result contains the step, its line, the expected value and the seen value."""
    case = case_of("AMD-DEPTH-02")
    then = next(step for step, _ in case.checks if step.text == "a warning is given")
    seen = Observation(loads=(Load(n=0),))

    assert look(case, seen, 1.5) == Result(
        case.id,
        case.rule.ids,
        "failed",
        1.5,
        f"agentsmd/loading/depth.feature:{then.line}",
        "the warnings\n  expected: at least one\n  seen:     none",
        "Then a warning is given",
        "at least one",
        "none",
        case.scene,
        seen,
    )


def test_a_call_that_is_still_held_fails_the_case() -> None:
    """A call that is still held fails the case before any check runs."""
    case = case_of("AMD-DEPTH-02")
    seen = Observation(warnings=(Warned(n=0, path="/p/level6.md"),), stuck=("a", "b"))

    result = look(case, seen)

    assert (result.verdict, result.location, result.step) == (
        "failed",
        f"agentsmd/loading/depth.feature:{case.when.line}",
        str(case.when),
    )
    assert (result.expected, result.seen) == ("nothing", "\n    a\n    b")


def test_results_are_listed_under_each_of_their_rules() -> None:
    """A case with two rules is listed under both."""
    one, two = result_of(LOAD, "passed"), Result("x", ("AMD-DEPTH-01", "OTHER-01"), "failed")

    assert by_rule([one, two]) == {"AMD-DEPTH-01": {one.case: one, "x": two}, "OTHER-01": {"x": two}}


def test_the_canary_fails() -> None:
    """The canary fails on a target that loads nothing."""
    mute = Mute()

    assert canary_fails()
    assert mute.rebuilt() is mute
    mute.close()


class Mine:
    """A backend that cannot store a number sign."""

    def open(self, files: Mapping[str, bytes]) -> MemoryStore:
        """Open, or refuse a name."""
        if bad := [path for path in files if "#" in path]:
            raise CannotStore(bad[0])
        return MemoryStore(files)


def test_a_passed_case_says_that_its_name_is_refused() -> None:
    """The message survives the line of a report; a case without a refusal has none."""
    cases = cases_of_rule("BACKEND-14")
    with closing(PythonTarget(Mine, "mine")) as target:
        results = [judge(case, target) for case in cases]

    assert {result.verdict for result in results} == {"passed"}
    assert refused_names(results) == refused_names(case_line(result) for result in results)
    assert list(refused_names(results).values()) == ["the backend cannot store a file with the path 'notes#section.md'"]


def test_a_run_prints_the_number_of_refused_names(capsys: pytest.CaptureFixture[str]) -> None:
    """The number is printed after the counts, and with -v each case."""
    assert main(["run", f"py:{__name__}:Mine", "--rule", "BACKEND-14", "-v"]) == 0
    printed = capsys.readouterr().out

    assert "  refused names: 1 case passed\n" in printed
    assert "cannot store a file with the path 'notes#section.md'" in " ".join(printed.split())


TWICE = Error(kind="other", message="ValueError: Tool name 'search' already exists.")
SHOWN = "ValueError: Tool name 'search' already exists. (an error of no known kind)"


def failed(rule: str, seen: Observation, number: int = 0) -> Result:
    """The result of a case that fails with this observation."""
    result = look(case_of(rule, number), seen)
    assert result.verdict == "failed"
    return result


def end(error: Error | None = TWICE, run: str = "1", cancelled: Cancelled | None = None) -> RunEnd:
    """The end of a run."""
    return RunEnd(n=9, run=run, error=error, cancelled=cancelled)


@pytest.mark.parametrize(
    ("seen", "shown"),
    [
        pytest.param(Observation(runs=(end(),)), f"0; run 1 failed with {SHOWN}", id="run"),
        pytest.param(Observation(created=TWICE), f"0; building the agent failed with {SHOWN}", id="no run has begun"),
        pytest.param(
            Observation(runs=(end(None), end(run="2"))), f"0; run 2 failed with {SHOWN}", id="the first one ended well"
        ),
    ],
)
def test_the_error_that_explains_a_count_is_shown_next_to_it(seen: Observation, shown: str) -> None:
    """The first error, with its run, explains why the tool did not run."""
    result = failed("POSTURE-07", seen)

    assert result.seen == shown
    assert result.message == f"how often the tool 'read' runs\n  expected: 1\n  seen:     {shown}"


def test_the_error_is_shown_below_several_lines() -> None:
    """It has a line of its own, indented as they are."""
    seen = Observation(
        spans=tuple(Span(n=n, name=name, agent="agent", run="1", ended=9) for n, name in enumerate("ab", 1)),
        runs=(end(),),
    )

    assert failed("CANCEL-01", seen).seen == f"\n    a\n    b\n    run 1 failed with {SHOWN}"


@pytest.mark.parametrize(
    ("rule", "seen", "shown"),
    [
        pytest.param("MAXITER-05", Observation(runs=(end(Error(kind="max_iterations")),)), "0", id="expected"),
        pytest.param("POSTURE-07", Observation(runs=(end(None),)), "0", id="none"),
        pytest.param("POSTURE-07", Observation(runs=(end(cancelled=Cancelled()),)), "0", id="cancelled"),
    ],
)
def test_another_error_is_not_shown(rule: str, seen: Observation, shown: str) -> None:
    """An error that a Then expects, and the error of a cancelled run, explain nothing."""
    assert failed(rule, seen).seen == shown


def test_an_error_is_shown_once() -> None:
    """The Then about the error itself names it already."""
    result = failed("LOOP-01", Observation(runs=(end(),)))

    assert result.seen == f"it fails: {TWICE.message}"


def test_the_error_is_shown_next_to_an_invariant() -> None:
    """An invariant has no Then of its own: those of its case say what they expect."""
    seen = Observation(spans=(Span(n=1, name="model model", agent="agent", run="1", ended=None),), runs=(end(),))

    broken = look(case_of("POSTURE-07"), seen).broken

    assert broken
    assert all(one.seen.endswith(f"run 1 failed with {SHOWN}") for one in broken)
