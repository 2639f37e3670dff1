"""What adapters of agents report wrongly, in process and over the pipe: names, and the final answer."""

from __future__ import annotations

import pytest

from loopspec import Observation, Run, Scene
from loopspec.contract.actions import Script, SetTools
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.contract.target import Target
from loopspec.engine.judge import judge
from loopspec.engine.perform import perform
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter import Reference

from ..staging import HELLO, case_of
from .conftest import Resolved

WHERE = ("in process", "over the pipe")
CASE = case_of("LOOP-01", 1)  # a tool that is not called


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    ("adapter", "what", "known"),
    [
        ("AsksForInfo", "tool", "the tools of the scene are search"),
        ("Invokes", "tool", "the tools of the scene are search"),
        ("Generates", "model", "the models of the scene are model"),
        ("Hooks", "handler", "the handlers of the scene are none"),
    ],
)
def test_an_unknown_name_is_an_error_of_the_adapter(
    adapter: str, what: str, known: str, where: str, target: Resolved
) -> None:
    """The sentence names it, also if the implementation handles the error."""
    result = judge(CASE, target(adapter, where))

    assert result.verdict == "errored"
    sentence = f"the adapter asked for the {what} 'ghost', which the scene does not have: {known}"
    assert result.message.endswith(sentence)


@pytest.mark.parametrize("where", WHERE)
def test_a_tool_that_a_handler_names_has_information(where: str, target: Resolved) -> None:
    """The tool has no more than its name."""
    script = Script(hook="before agent", actions=(SetTools(tools=("t", "named")),))
    agent = Agent(
        model=Model(turns=(Turn(chunks=("done",)),)),
        tools=(Tool(name="t", description="Adds."),),
        handlers=(Scripted(name="H", scripts=(script,)),),
    )

    seen = perform(
        target("NamesTools", where), Scene(act="run", agent=agent, runs=(Run(id="1", messages=(HELLO,)),)), "agent"
    )

    (call,) = seen.model_calls
    assert [(info.name, info.description) for info in call.request.tools] == [("t", "Adds."), ("named", "")]
    assert [end.error for end in seen.runs] == [None]


MENTIONS = case_of("LOOP-01", 1)  # a text that mentions a tool


def performed(target: Target) -> Observation:
    """The observation of the case."""
    return perform(target, MENTIONS.scene, "agent")


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

    result = judge(MENTIONS, looped)

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
    result = judge(MENTIONS, target("ReportsTooEarly", where))

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
