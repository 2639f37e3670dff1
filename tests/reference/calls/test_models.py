"""The requirements of an agent on its model."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from loopspec_reference import Agent, AgentContext, ConfigError, Handler, Message

from ..doubles import QUESTION, Answers, agent, drain, reported, returning, texts_of


class _WithoutTools(Answers):
    """A model that does not support tools."""

    takes_tools = False


def test_an_agent_needs_a_model() -> None:
    """Building the agent fails without one."""
    with pytest.raises(ConfigError):
        Agent(model=None, message_type=Message)


def test_a_model_without_tool_support_is_rejected_with_a_configured_tool() -> None:
    """Building the agent fails."""
    with pytest.raises(ConfigError, match="takes tools"):
        agent(_WithoutTools("4"), tools=[returning("add", "4")])


def test_a_model_without_tool_support_is_not_called_with_an_added_tool() -> None:
    """The run fails before the model call."""

    class Adds(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            return replace(context, tools=(returning("add", "4"),))

    model = _WithoutTools("4")

    assert (reported(agent(model, handlers=[Adds()]).run([QUESTION])), model.given) == (["ConfigError"], [])
    assert texts_of(drain(agent(_WithoutTools("4")).run([QUESTION]))) == ["4"]
