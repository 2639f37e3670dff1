"""An agent as a tool of another agent."""

from __future__ import annotations

import msgspec
import pytest

from loopspec_reference import (
    Agent,
    AgentTool,
    ConfigError,
    ErrorEvent,
    Message,
    ToolCall,
)

from ..doubles import QUESTION, Answers, agent, drain


def as_tool(sub: Agent[Message]) -> AgentTool[Message]:
    """The agent as a tool."""
    return AgentTool(sub)


def test_the_model_receives_name_description_and_parameters() -> None:
    """The only parameter is required."""
    info = as_tool(agent(Answers(), name="expert", description="Knows numbers.")).info

    assert (info.name, info.description) == ("expert", "Knows numbers.")
    assert msgspec.json.encode(info).count(b'"required":["request"]') == 1
    assert info.parameters["properties"] == {"request": {"type": "string"}}


@pytest.mark.parametrize("arguments", ["", "{}", '{"request": 4}', "not JSON"])
def test_a_call_without_a_request_is_an_error(arguments: str) -> None:
    """The sub-agent is not called."""
    inner = Answers("4")
    asked = Message.assistant("", [ToolCall("call-1", "expert", arguments)])
    events = drain(
        agent(Answers(asked), tools=[as_tool(agent(inner, name="expert", description="Knows numbers."))]).run(
            [QUESTION]
        )
    )

    assert (type(events[-1]), inner.given) == (ErrorEvent, [])


@pytest.mark.parametrize(("name", "description"), [("", "Knows."), ("expert", "")])
def test_name_and_description_are_required(name: str, description: str) -> None:
    """The error is raised when the tool is built."""
    with pytest.raises(ConfigError):
        AgentTool(agent(Answers("4"), name=name, description=description))
