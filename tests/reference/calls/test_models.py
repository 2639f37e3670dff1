"""What an agent requires of its model."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from loopspec_reference import Agent, AgentContext, ConfigError, Handler, Message

from ..doubles import QUESTION, Answers, agent, heard, reported, returning, said


class _WithoutTools(Answers):
    """A model that cannot take tools."""

    takes_tools = False


def test_an_agent_needs_a_model() -> None:
    """Building the agent fails without one."""
    with pytest.raises(ConfigError):
        Agent(model=None, message_type=Message)


def test_a_model_that_takes_no_tools_is_refused_with_a_configured_tool() -> None:
    """Building the agent fails."""
    with pytest.raises(ConfigError, match="takes tools"):
        agent(_WithoutTools("4"), tools=[returning("add", "4")])


def test_a_model_that_takes_no_tools_is_not_called_with_a_tool_that_a_hook_adds() -> None:
    """The run fails before the model call."""

    class Adds(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            return replace(context, tools=(returning("add", "4"),))

    model = _WithoutTools("4")

    assert (reported(agent(model, handlers=[Adds()]).run([QUESTION])), model.given) == (["ConfigError"], [])
    assert said(heard(agent(_WithoutTools("4")).run([QUESTION]))) == ["4"]
