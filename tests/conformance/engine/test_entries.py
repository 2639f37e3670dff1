"""Entries of a baseline that name a case which is not judged on the target."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pytest

from loopspec.contract.axes import Posture
from loopspec.contract.roles import Role
from loopspec.contract.target import Identity
from loopspec.engine.baseline import Baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import Result, Verdict
from loopspec.engine.run import SuiteRun, Summary
from loopspec.reports.account import account_of
from loopspec.reports.summary import as_page
from loopspec.reports.terminal import print_summary
from loopspec.specification.cases import Case
from loopspec.specification.features import cases_of_rule
from loopspec.specification.invariants import invariants
from loopspec.targets.resolve import AbsentTarget
from loopspec_lab.variants import variants, varied_cases

CASE, OTHER = cases_of_rule("LOOP-03")[:2]
VARIED = next(iter(varied_cases(CASE, [variants()["run-before"]])))
INVARIANT = next(one for one in invariants().values() if one.postures == {"limit-ends": "error"})
OWN = {"limit-ends": Posture("last-answer", measured=True)}
POSTURE = "another posture: limit-ends is last-answer"


def run_of(
    entry: str | Known, results: Iterable[Result], postures: dict[str, Posture], role: Role | None = None, *plan: Case
) -> tuple[SuiteRun, Summary]:
    """A finished run with one entry in its baseline."""
    target = AbsentTarget(Identity("absent"), ["agent"], [], postures)
    listed = Baseline((Known(case=entry, reason="a test") if isinstance(entry, str) else entry,))
    run = SuiteRun(target, "py:absent", plan or (CASE, OTHER, VARIED), baseline=listed, role=role)
    run.canary = True
    for result in results:
        run.take_reported(result)
    return run, run.finish()


def result(case: Case, verdict: Verdict = "passed", message: str = "", holds: tuple[str, ...] = ()) -> Result:
    return Result(case.id, case.rule.ids, verdict, message=message, holds=holds)


@pytest.mark.parametrize("name", [CASE.id, "LOOP-03"])
@pytest.mark.parametrize("flaky", [False, True])
def test_a_flaky_entry_is_not_stale(name: str, flaky: bool) -> None:
    """An entry of a case and one of a rule. The same entry that is not flaky is stale."""
    plan = tuple(cases_of_rule("LOOP-03"))

    _, summary = run_of(Known(case=name, reason="a race", flaky=flaky), map(result, plan), {}, None, *plan)

    assert summary.stale == (() if flaky else (name,))
    assert summary.exit_code == (0 if flaky else 3)


@pytest.mark.parametrize(
    ("entry", "own", "of_case", "reason"),
    [
        pytest.param(CASE.id, {}, result(CASE, "inapplicable", "needs a"), "needs a", id="a_case"),
        pytest.param(f"{CASE.id} + {INVARIANT.name}", OWN, result(CASE), POSTURE, id="an_invariant_of_another_posture"),
        pytest.param(INVARIANT.rule, OWN, result(CASE), POSTURE, id="the_rule_of_an_invariant_of_another_posture"),
        pytest.param(
            f"{CASE.id} + {INVARIANT.name}",
            {},
            result(CASE),
            "the invariant is not judged in this case",
            id="an_invariant_that_the_scene_breaks",
        ),
        pytest.param(
            f"{CASE.id} + {INVARIANT.name}",
            {},
            result(CASE, "inapplicable", "needs a"),
            "needs a",
            id="an_invariant_of_a_case_that_is_not_judged",
        ),
        pytest.param(CASE.id, {}, result(CASE), "", id="a_case_that_passes"),
        pytest.param(CASE.id, {}, result(CASE, "failed"), "", id="a_case_that_fails"),
        pytest.param(f"{CASE.id} + {INVARIANT.name}", {}, result(CASE, "crashed"), "", id="an_invariant_of_a_crash"),
        pytest.param(
            f"{CASE.id} + {INVARIANT.name}", {}, result(CASE, holds=(INVARIANT.rule,)), "", id="an_invariant_that_holds"
        ),
    ],
)
def test_an_entry_whose_case_is_not_judged_has_a_reason(
    entry: str, own: dict[str, Posture], of_case: Result, reason: str
) -> None:
    """A case that is judged is no such entry, and the exit code stays."""
    _, summary = run_of(entry, [of_case, result(OTHER), result(VARIED)], own)

    assert summary.not_judged == ({entry: reason} if reason else {})
    assert summary.exit_code != 3 or not reason


def test_a_varied_case_a_rule_and_cases_outside_the_plan() -> None:
    """A rule is not judged if each of its cases is inapplicable; a case outside the plan is the caller's choice."""
    cases = cases_of_rule("LOOP-03")
    inapplicable = [result(case, "inapplicable", "needs a") for case in cases]
    own = [result(CASE), result(OTHER), result(VARIED, "inapplicable", "needs a plain case that passes")]

    assert run_of(VARIED.id, own, {})[1].not_judged == {VARIED.id: "needs a plain case that passes"}
    assert run_of("LOOP-03", inapplicable, {}, None, *cases)[1].not_judged == {
        "LOOP-03": "each case of the rule is inapplicable"
    }
    assert run_of("LOOP-03", inapplicable[1:], {}, None, *cases[1:])[1].not_judged == {}
    assert run_of(cases_of_rule("LOOP-01")[0].id, own, {})[1].not_judged == {}
    assert run_of(CASE.id, inapplicable, {}, "agent", *cases)[1].not_judged == {}


def test_the_invariant_that_does_not_hold_is_judged() -> None:
    """The entry is a known failure."""
    name = f"{CASE.id} + {INVARIANT.name}"
    broken = Result(name, (INVARIANT.rule,), "failed")
    _, summary = run_of(name, [result(CASE), broken, result(OTHER), result(VARIED)], {})

    assert (summary.cases["known"], summary.not_judged) == (1, {})


def test_the_output_and_the_summary_have_such_entries() -> None:
    """The output has the first five; -v prints all of them."""
    cases = [*cases_of_rule("LOOP-02"), *cases_of_rule("LOOP-03"), *cases_of_rule("LOOP-04")][:7]
    target = AbsentTarget(Identity("absent"), ["agent"], [])
    listed = Baseline(tuple(Known(case=case.id, reason="a test") for case in cases[1:]))
    run = SuiteRun(target, "py:absent", cases, baseline=listed)
    run.canary = True
    run.take(result(cases[0]))
    for case in cases[1:]:
        run.take(result(case, "inapplicable", "needs streaming"))
    summary = run.finish()
    short, long = io.StringIO(), io.StringIO()
    account = account_of(run, summary)
    print_summary(account, short)
    print_summary(account, long, verbose=True)

    assert "  baseline: 6 entries name cases that are not judged here\n" in short.getvalue()
    assert short.getvalue().count(": needs streaming") == 5
    assert "    and 1 more, which -v prints\n" in short.getvalue()
    assert f"    {cases[6].id}: needs streaming\n" in long.getvalue().partition("  baseline: ")[2]
    assert "## 6 entries of the baseline not judged here" in as_page(account)
    assert summary.exit_code == 0
