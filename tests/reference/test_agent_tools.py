"""An agent as another agent's tool."""

from __future__ import annotations

import msgspec
import pytest

from loopspec_reference import (
    Agent,
    AgentTool,
    ErrorEvent,
    Handler,
    Message,
    ModelContext,
    State,
    ToolCall,
    get_run_local_value,
    set_run_local_value,
)

from .doubles import QUESTION, Answers, agent, asks, heard, raising, said

_ASKED = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])


def as_tool(sub: Agent[Message]) -> AgentTool[Message]:
    """The agent as a tool."""
    return AgentTool(sub)


class _Watcher(Handler[Message]):
    """Remembers whether a run-local value was there already, and sets it."""

    def __init__(self) -> None:
        self.found: list[bool] = []

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Look, then set."""
        self.found.append(get_run_local_value("key")[1])
        set_run_local_value("key", 1)
        return state


def test_a_request_becomes_the_user_message_and_the_answer_the_result() -> None:
    """Of the sub-agent's run its caller hears the answer only."""
    inner = Answers("4")
    events = heard(
        agent(
            Answers(_ASKED, "It is 4."), tools=[as_tool(agent(inner, name="expert", description="Knows numbers."))]
        ).run([QUESTION])
    )

    assert inner.given == [(Message.user("2 + 2?"),)]
    assert said(events) == ["", "4", "It is 4."]


def test_the_model_is_told_name_words_and_parameters() -> None:
    """There is one parameter, and it is required."""
    info = as_tool(agent(Answers(), name="expert", description="Knows numbers.")).info

    assert (info.name, info.description) == ("expert", "Knows numbers.")
    assert msgspec.json.encode(info).count(b'"required":["request"]') == 1


def test_the_session_is_shared() -> None:
    """The sub-agent's instruction knows the caller's values."""
    inner = Answers("4")
    expert = agent(inner, name="expert", description="Knows numbers.", instruction="You work for {user}.")
    heard(agent(Answers(_ASKED, "4"), tools=[as_tool(expert)]).run([QUESTION], {"user": "Ada"}))

    assert inner.given[0][0] == Message.system("You work for Ada.")


def test_run_local_values_are_not_shared() -> None:
    """Each agent has its own, and finds its own again."""
    watcher = _Watcher()
    expert = agent(Answers("4"), name="expert", description="Knows numbers.", handlers=[watcher])
    heard(agent(Answers(_ASKED, "4"), tools=[as_tool(expert)], handlers=[watcher]).run([QUESTION]))

    assert watcher.found == [False, False, True]


def test_an_error_of_the_sub_agent_ends_both_runs() -> None:
    """It comes out as it was raised."""
    error = RuntimeError("broken")
    expert = agent(Answers(asks("break")), name="expert", description="Knows numbers.", tools=[raising("break", error)])
    events = heard(agent(Answers(_ASKED, "4"), tools=[as_tool(expert)]).run([QUESTION]))

    assert events[-1] == ErrorEvent("agent", ("agent",), error)


@pytest.mark.parametrize("arguments", ["", "{}", '{"request": 4}', "not JSON"])
def test_a_call_without_a_request_is_an_error(arguments: str) -> None:
    """The sub-agent is not asked."""
    inner = Answers("4")
    asked = Message.assistant("", [ToolCall("call-1", "expert", arguments)])
    events = heard(
        agent(Answers(asked), tools=[as_tool(agent(inner, name="expert", description="Knows numbers."))]).run(
            [QUESTION]
        )
    )

    assert (type(events[-1]), inner.given) == (ErrorEvent, [])
