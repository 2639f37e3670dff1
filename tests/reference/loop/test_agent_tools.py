"""An agent as a tool of another agent."""

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

from ..doubles import QUESTION, Answers, agent, asks, drain, raising, returning, texts_of

_ASKED = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])


def as_tool(sub: Agent[Message]) -> AgentTool[Message]:
    """The agent as a tool."""
    return AgentTool(sub)


class _Watcher(Handler[Message]):
    """A handler that sets a run-local value, and records whether it was already set."""

    def __init__(self) -> None:
        self.found: list[bool] = []

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Record whether the value is set, then set it."""
        self.found.append(get_run_local_value("key")[1])
        set_run_local_value("key", 1)
        return state


def test_a_request_becomes_the_user_message_and_the_answer_the_result() -> None:
    """The caller receives only the answer of the sub-agent."""
    inner = Answers("4")
    events = drain(
        agent(
            Answers(_ASKED, "It is 4."), tools=[as_tool(agent(inner, name="expert", description="Knows numbers."))]
        ).run([QUESTION])
    )

    assert inner.given == [(Message.user("2 + 2?"),)]
    assert texts_of(events) == ["", "4", "It is 4."]


def test_the_model_receives_name_description_and_parameters() -> None:
    """The only parameter is required."""
    info = as_tool(agent(Answers(), name="expert", description="Knows numbers.")).info

    assert (info.name, info.description) == ("expert", "Knows numbers.")
    assert msgspec.json.encode(info).count(b'"required":["request"]') == 1
    assert info.parameters["properties"] == {"request": {"type": "string"}}


def test_the_session_is_shared() -> None:
    """The sub-agent's instruction can use the caller's session values."""
    inner = Answers("4")
    expert = agent(inner, name="expert", description="Knows numbers.", instruction="You work for {user}.")
    drain(agent(Answers(_ASKED, "4"), tools=[as_tool(expert)]).run([QUESTION], {"user": "Ada"}))

    assert inner.given[0][0] == Message.system("You work for Ada.")


def test_run_local_values_are_not_shared() -> None:
    """Each agent has its own values, which last for its run."""
    watcher = _Watcher()
    expert = agent(Answers("4"), name="expert", description="Knows numbers.", handlers=[watcher])
    drain(agent(Answers(_ASKED, "4"), tools=[as_tool(expert)], handlers=[watcher]).run([QUESTION]))

    assert watcher.found == [False, False, True]


def test_an_error_of_the_sub_agent_ends_both_runs() -> None:
    """The error is unchanged."""
    error = RuntimeError("broken")
    expert = agent(Answers(asks("break")), name="expert", description="Knows numbers.", tools=[raising("break", error)])
    events = drain(agent(Answers(_ASKED, "4"), tools=[as_tool(expert)]).run([QUESTION]))

    assert events[-1] == ErrorEvent("agent", ("agent",), error)


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


@pytest.mark.parametrize("forwards", [False, True])
@pytest.mark.parametrize("streaming", [False, True])
def test_events_of_sub_agents_are_reported_on_request(forwards: bool, streaming: bool) -> None:
    """Forwarded events have the path of their agent and the mode of the run."""
    expert = agent(Answers("inner"), name="expert", description="Knows numbers.")
    built = agent(Answers(_ASKED, "4"), tools=[as_tool(expert)], emit_internal_events=forwards)
    events = drain(built.run([QUESTION], streaming=streaming))
    inner = [event for event in events if event.agent == "expert"]

    assert [event.path for event in inner] == ([("agent", "expert")] if forwards else [])
    assert all(type(event) is (StreamEvent if streaming else MessageEvent) for event in inner)


def test_the_full_conversation_can_be_passed() -> None:
    """The messages are in order, without system messages, and the request is last."""
    inner, asked = (
        Answers("4"),
        Message.assistant("Let me ask.", [ToolCall("1", "expert", '{"request": "Well?"}')]),
    )
    expert = AgentTool(agent(inner, name="expert", description="Knows."), full_history=True)
    model = Answers(asks("add"), asked, "4")
    drain(agent(model, instruction="Terse.", tools=[returning("add", "four"), expert]).run([QUESTION]))
    texts = [message.text for message in inner.given[0]]

    assert texts[0] == QUESTION.text
    assert [word in text for word, text in zip(("add", "four", "Let me ask."), texts[1:], strict=False)] == [True] * 3
    assert texts[-1] == "Well?"


def test_with_a_custom_schema_the_arguments_are_passed() -> None:
    """The arguments are passed unchanged."""
    inner = Answers("4")
    expert = AgentTool(agent(inner, name="expert", description="Knows."), schema={"type": "object"})
    drain(agent(Answers(_ASKED, "4"), tools=[expert]).run([QUESTION]))

    assert (expert.info.parameters, inner.given) == ({"type": "object"}, [(Message.user('{"request": "2 + 2?"}'),)])


@pytest.mark.parametrize(("name", "description"), [("", "Knows."), ("expert", "")])
def test_name_and_description_are_required(name: str, description: str) -> None:
    """The error is raised when the tool is built."""
    with pytest.raises(ConfigError):
        AgentTool(agent(Answers("4"), name=name, description=description))


def test_an_interrupt_of_a_sub_agent_stops_both_runs() -> None:
    """Both runs continue at their checkpoints; the id of the interrupt names both calls."""
    stop = raising("stop", InterruptRun("Sure?", {"step": 1}))
    inner = Answers(asks("stop"), "inner")
    expert = as_tool(agent(inner, name="expert", description="Knows.", tools=[stop]))
    model = Answers(_ASKED, "4")
    last = drain(agent(model, tools=[expert]).run([QUESTION]))[-1]
    assert isinstance(last, InterruptEvent)
    assert last.interrupts == (Interrupt("call-1/call-stop", "Sure?"),)

    again = returning("stop", "resumed")
    expert = as_tool(agent(inner, name="expert", description="Knows.", tools=[again]))
    events = drain(agent(model, tools=[expert]).resume(last.checkpoint, {"call-1/call-stop": "yes"}))

    assert again.calls == [(ToolContext("stop", "call-stop", Resumed({"step": 1}, "yes")), "{}")]
    assert (texts_of(events), len(inner.given), len(model.given)) == (["inner", "4"], 2, 2)
