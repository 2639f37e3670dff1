"""Features are bound to test functions, and one scenario is executed step by step by pytest-bdd."""

from __future__ import annotations

import pytest

from loopspec import Stage
from loopspec.contract.faults import SuiteError
from loopspec.pytest_plugin.binding import NotPassed, ScenarioRun, bind
from loopspec.specification.features import compiled

from ..staging import Acting, case_of

CASE = case_of("AMD-DEPTH-02")


def run_of(target: Acting) -> ScenarioRun:
    """A run of a case with several Thens."""
    return ScenarioRun(CASE, target, None, 5.0)


def test_the_case_is_judged_at_the_when() -> None:
    """The case is performed at the When; each step is taken in order until one fails."""
    performed: list[Stage] = []
    run = run_of(Acting(performed.append))
    failing = None

    for step in CASE.steps:
        assert (len(performed) == 1) is (run.result is not None)
        try:
            run.take(step.kind, step.text)
        except NotPassed:
            failing = step
            break

    assert len(performed) == 1
    assert run.result is not None
    assert failing is not None
    assert (run.result.verdict, run.result.step) == ("failed", str(failing))
    assert failing.kind == "then"


def test_a_scene_that_cannot_be_performed_fails_the_when() -> None:
    """The error has the message of the engine's result."""

    def breaks(stage: Stage) -> None:
        raise ConnectionError("no database")

    run = run_of(Acting(breaks))
    for step in CASE.steps[: CASE.steps.index(CASE.when)]:
        run.take(step.kind, step.text)

    with pytest.raises(NotPassed, match="the adapter of acting failed: ConnectionError: no database"):
        run.take(CASE.when.kind, CASE.when.text)
    assert run.result is not None
    assert run.result.verdict == "errored"


def test_a_step_that_was_not_compiled_is_a_fault_of_the_suite() -> None:
    """An unknown text, a wrong kind and an additional step are errors."""
    first = CASE.steps[0]
    for kind, text in (("given", "something else"), ("then", first.text)):
        with pytest.raises(SuiteError, match="pytest-bdd reads a step that was not compiled"):
            run_of(Acting()).take(kind, text)


def test_a_run_is_complete_after_its_last_step() -> None:
    """A run is complete after its last step, and takes no further step."""
    passing = case_of("AMD-CFG-05")
    run = ScenarioRun(passing, Acting(roles=["backend"]), None, 5.0)
    for step in passing.steps:
        assert not run.is_complete
        run.take(step.kind, step.text)

    assert run.is_complete
    with pytest.raises(SuiteError):
        run.take("then", "anything")


def test_only_the_given_cases_are_bound() -> None:
    """Each scenario is one function with its rows; pytest-bdd reads no other file."""
    [file] = {case.file for case in compiled() if case.rule.ids == ("AMD-CFG-01",)}
    given = [case for case in compiled() if case.file == file]

    bound = bind(given)

    rows = [case for function in bound.values() for case in vars(function)["loopspec_cases"].values()]
    assert sorted(case.id for case in rows) == sorted(case.id for case in given)
    assert len(bound) == len({case.template for case in given})
    assert bind([]) == {}
