"""The error of a run that no Then expects is shown next to what the Then misses."""

from __future__ import annotations

import pytest

from loopspec.contract.observation import Cancelled, Observation, RunEnd, Span
from loopspec.contract.values import Error
from loopspec.engine.checking import look
from loopspec.engine.result import Result

from ..staging import case_of

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


def test_the_error_of_the_run_is_shown_next_to_a_count() -> None:
    """The error explains why the tool did not run."""
    result = failed("POSTURE-07", Observation(runs=(end(),)))

    assert result.seen == f"0; run 1 failed with {SHOWN}"
    assert result.message == f"how often the tool 'read' runs\n  expected: 1\n  seen:     {result.seen}"


def test_the_error_is_shown_below_several_lines() -> None:
    """It has a line of its own, indented as they are."""
    seen = Observation(
        spans=tuple(Span(n=n, name=name, agent="agent", run="1", ended=9) for n, name in enumerate("ab", 1)),
        runs=(end(),),
    )

    assert failed("CANCEL-01", seen).seen == f"\n    a\n    b\n    run 1 failed with {SHOWN}"


def test_the_error_of_building_the_agent_is_shown() -> None:
    """No run has begun."""
    assert failed("POSTURE-07", Observation(created=TWICE)).seen == f"0; building the agent failed with {SHOWN}"


def test_a_second_run_explains_where_the_first_one_ended_well() -> None:
    """The first error is shown, with its run."""
    seen = failed("POSTURE-07", Observation(runs=(end(None), end(run="2")))).seen

    assert seen == f"0; run 2 failed with {SHOWN}"


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
