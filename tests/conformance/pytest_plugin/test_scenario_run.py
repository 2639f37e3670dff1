"""One scenario, step by step, as pytest-bdd takes them."""

from __future__ import annotations

import pytest

from loopspec import Stage
from loopspec.contract.faults import SuiteError
from loopspec.pytest_plugin.scenario import NotPassed, ScenarioRun

from ..staging import Acting, case_of

CASE = case_of("AMD-DEPTH-02")


def run_of(target: Acting) -> ScenarioRun:
    """A run of a case with several Thens."""
    return ScenarioRun(CASE, target, None, 5.0)


def test_the_case_is_judged_at_the_when() -> None:
    """And not before; each step of it is taken in its order, until one fails."""
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


def test_what_could_not_be_performed_fails_the_when() -> None:
    """With the message of the engine's result."""

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
    """Another text, another kind, and one too many."""
    first = CASE.steps[0]
    for kind, text in (("given", "something else"), ("then", first.text)):
        with pytest.raises(SuiteError, match="pytest-bdd reads a step that was not compiled"):
            run_of(Acting()).take(kind, text)


def test_it_is_complete_when_all_steps_were_taken() -> None:
    """Not before; and then no further step fits."""
    passing = case_of("AMD-CFG-05")
    run = ScenarioRun(passing, Acting(roles=["backend"]), None, 5.0)
    for step in passing.steps:
        assert not run.is_complete
        run.take(step.kind, step.text)

    assert run.is_complete
    with pytest.raises(SuiteError):
        run.take("then", "anything")
