"""The final answer that an adapter reports is the one that is judged."""

from __future__ import annotations

import pytest

from loopspec import Observation
from loopspec.contract.target import Target
from loopspec.engine.judge import judge
from loopspec.engine.perform import perform
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter import Reference

from ..staging import case_of
from .conftest import Resolved

CASE = case_of("LOOP-01", 1)  # a text that mentions a tool
WHERE = ("in process", "over the pipe")


def performed(target: Target) -> Observation:
    """The observation of the case."""
    return perform(target, CASE.scene, "agent")


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    ("adapter", "final", "verdict"),
    [
        ("SmallLoop", None, "passed"),
        ("ReportsTheAnswer", "Action: search", "passed"),
        ("ReportsAnother", "another answer", "failed"),
    ],
)
def test_the_reported_answer_is_judged(
    adapter: str, final: str | None, verdict: str, where: str, target: Resolved
) -> None:
    """The events of the three adapters are the same; without a report, the last event has the final answer."""
    looped = target(adapter, where)

    result = judge(CASE, looped)

    assert [end.final for end in performed(looped).runs] == [final]
    assert [event.message and event.message.content for event in performed(looped).events] == ["Action: search"]
    assert result.verdict == verdict
    if verdict == "failed":
        assert (result.expected, result.seen) == ("Action: search", "another answer")


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("in process", "the adapter reported a final answer outside any run: report it inside `runs.running`"),
        ("over the pipe", "the adapter sent the final answer of the run None, which has not begun"),
    ],
)
def test_a_final_answer_belongs_to_a_run(where: str, sentence: str, target: Resolved) -> None:
    """The adapter is at fault."""
    result = judge(CASE, target("ReportsTooEarly", where))

    assert (result.verdict, result.message) == ("errored", sentence)


@pytest.mark.parametrize(("rule", "final"), [("LOOP-01", "It is 42."), ("RETDIR-04", "sunny"), ("CFG-15", None)])
def test_the_reference_reports_its_final_answer(rule: str, final: str | None) -> None:
    """A run that fails has none."""
    target = PythonTarget(Reference, "reference")
    try:
        seen = perform(target, case_of(rule).scene, "agent")
    finally:
        target.close()

    assert [end.final for end in seen.runs] == [final]
