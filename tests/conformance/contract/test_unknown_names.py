"""A name that the scene does not have is the adapter's mistake, and never a failure of the implementation."""

from __future__ import annotations

import pytest

from loopspec import Run, Scene
from loopspec.contract.actions import Script, SetTools
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.engine.judge import judge
from loopspec.engine.perform import perform

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
