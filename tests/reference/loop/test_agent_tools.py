"""An agent as another agent's tool."""

from __future__ import annotations

import msgspec
import pytest

from loopspec_reference import (
    Agent,
    AgentTool,
    ConfigError,
    ErrorEvent,
    Handler,
    Interrupt,
    InterruptEvent,
    InterruptRun,
    Message,
    MessageEvent,
    ModelContext,
    Resumed,
    State,
    StreamEvent,
    ToolCall,
    ToolContext,
    get_run_local_value,
    set_run_local_value,
)

from ..doubles import QUESTION, Answers, agent, asks, heard, raising, returning, said

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


def test_the_model_receives_name_description_and_parameters() -> None:
    """There is one parameter, and it is required."""
    info = as_tool(agent(Answers(), name="expert", description="Knows numbers.")).info

    assert (info.name, info.description) == ("expert", "Knows numbers.")
    assert msgspec.json.encode(info).count(b'"required":["request"]') == 1
    assert info.parameters["properties"] == {"request": {"type": "string"}}


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


@pytest.mark.parametrize("forwards", [False, True])
@pytest.mark.parametrize("streaming", [False, True])
def test_events_of_sub_agents_are_reported_on_request(forwards: bool, streaming: bool) -> None:
    """With the agents they come from, in the mode of the run."""
    expert = agent(Answers("inner"), name="expert", description="Knows numbers.")
    built = agent(Answers(_ASKED, "4"), tools=[as_tool(expert)], emit_internal_events=forwards)
    events = heard(built.run([QUESTION], streaming=streaming))
    inner = [event for event in events if event.agent == "expert"]

    assert [event.path for event in inner] == ([("agent", "expert")] if forwards else [])
    assert all(type(event) is (StreamEvent if streaming else MessageEvent) for event in inner)


def test_the_whole_conversation_can_be_passed() -> None:
    """In order, without system messages, and the request last."""
    inner, asked = Answers("4"), Message.assistant("Let me ask.", [ToolCall("1", "expert", '{"request": "Well?"}')])
    expert = AgentTool(agent(inner, name="expert", description="Knows."), full_history=True)
    model = Answers(asks("add"), asked, "4")
    heard(agent(model, instruction="Terse.", tools=[returning("add", "four"), expert]).run([QUESTION]))
    texts = [message.text for message in inner.given[0]]

    assert texts[0] == QUESTION.text
    assert [word in text for word, text in zip(("add", "four", "Let me ask."), texts[1:], strict=False)] == [True] * 3
    assert texts[-1] == "Well?"


def test_a_schema_of_ones_own_passes_the_arguments_on() -> None:
    """As they are."""
    inner = Answers("4")
    expert = AgentTool(agent(inner, name="expert", description="Knows."), schema={"type": "object"})
    heard(agent(Answers(_ASKED, "4"), tools=[expert]).run([QUESTION]))

    assert (expert.info.parameters, inner.given) == ({"type": "object"}, [(Message.user('{"request": "2 + 2?"}'),)])


@pytest.mark.parametrize(("name", "description"), [("", "Knows."), ("expert", "")])
def test_name_and_description_are_needed(name: str, description: str) -> None:
    """It is said when the tool is made."""
    with pytest.raises(ConfigError):
        AgentTool(agent(Answers("4"), name=name, description=description))


def test_an_interrupt_inside_stops_both_and_both_go_on() -> None:
    """Where they were; the ids lead to the call."""
    stop = raising("stop", InterruptRun("Sure?", {"step": 1}))
    inner = Answers(asks("stop"), "inner")
    expert = as_tool(agent(inner, name="expert", description="Knows.", tools=[stop]))
    model = Answers(_ASKED, "4")
    last = heard(agent(model, tools=[expert]).run([QUESTION]))[-1]
    assert isinstance(last, InterruptEvent)
    assert last.interrupts == (Interrupt("call-1/call-stop", "Sure?"),)

    again = returning("stop", "went on")
    expert = as_tool(agent(inner, name="expert", description="Knows.", tools=[again]))
    events = heard(agent(model, tools=[expert]).resume(last.checkpoint, {"call-1/call-stop": "yes"}))

    assert again.calls == [(ToolContext("stop", "call-stop", Resumed({"step": 1}, "yes")), "{}")]
    assert (said(events), len(inner.given), len(model.given)) == (["inner", "4"], 2, 2)
