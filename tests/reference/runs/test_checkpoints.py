"""A run stops with a checkpoint and is resumed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from loopspec_reference import (
    AgenticMessage,
    AgentTool,
    AnyMessage,
    CheckpointError,
    ErrorEvent,
    Event,
    InterruptRun,
    Message,
    State,
    ToolCall,
    ToolContext,
    ToolInfo,
)
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.values.messages import Json

from ..doubles import Answers, Function, Tracer, agent, drain, texts_of


def confirming(name: str = "confirm", times: int = 1) -> Function:
    """A tool that interrupts a number of times, and then returns the answers that it received."""

    async def confirm(context: ToolContext, arguments: str) -> str:
        done = context.resumed.state if context.resumed else 0
        if done < times:
            raise InterruptRun(info=f"Sure? ({name})", state=done + 1)
        return f"{name}: {context.resumed.data if context.resumed else None}"

    return Function(name, confirm)


@pytest.mark.parametrize("message_type", [Message, AgenticMessage])
def test_a_checkpoint_can_be_stored(message_type: type[AnyMessage]) -> None:
    """The conversation has the agent's type of message."""
    conversation = (message_type.user("2 + 2?", {"mark": True}), message_type.assistant("", [ToolCall("1", "add")]))
    saved = Checkpoint(
        messages=msgspec.Raw(msgspec.json.encode(conversation)),
        phase="tools",
        tools=(ToolInfo("add", "Adds."),),
        deferred_tools=(),
        iteration=1,
        streaming=True,
        local={"key": None},
        session={"user": "Ada"},
        results={},
        states={0: [1, 2]},
    )

    read = Checkpoint.read(msgspec.json.encode(saved), message_type)

    assert read.state == State(conversation, (ToolInfo("add", "Adds."),))
    assert msgspec.structs.replace(read.checkpoint, messages=saved.messages) == saved


def is_rejected(events: Sequence[Event]) -> bool:
    """Whether a resumption failed at its beginning: the only event is a checkpoint error."""
    return [isinstance(event, ErrorEvent) and type(event.error) for event in events] == [CheckpointError]


def a_checkpoint(message_type: type[AnyMessage] = Message, **changes: Json) -> bytes:
    """The checkpoint of a run that a tool interrupted, with changes."""
    saved = Checkpoint(
        messages=msgspec.Raw(msgspec.json.encode((message_type.assistant("", [ToolCall("1", "confirm")]),))),
        phase="tools",
        tools=(),
        deferred_tools=(),
        iteration=1,
        streaming=False,
        local={},
        session={"user": "Ada"},
        states={0: 1},
    )
    return msgspec.json.encode(msgspec.structs.replace(saved, **changes))


@pytest.mark.parametrize(
    "checkpoint",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"no checkpoint", id="text"),
        pytest.param(b"\xff\xfe", id="bytes that are no text"),
        pytest.param(b'{"messages": []}', id="other JSON"),
        pytest.param(b"[" * 100_000, id="JSON too deep to read"),
        pytest.param(a_checkpoint()[:-20], id="truncated"),
        pytest.param(a_checkpoint(AgenticMessage), id="of an agent with another type of messages"),
        pytest.param(a_checkpoint(local={"key": ["unknown", 1]}), id="with a type unknown here"),
        pytest.param(a_checkpoint(session={"key": []}), id="with half a value"),
        pytest.param(a_checkpoint(results={0: msgspec.Raw(b'{"role": "unknown"}')}), id="with a result that is none"),
        pytest.param(a_checkpoint(states={1: 1}), id="with the state of a call that was never made"),
        pytest.param(a_checkpoint(messages=msgspec.Raw(b"[]")), id="without the answer that asks for the tools"),
    ],
)
def test_an_invalid_checkpoint_ends_the_run_with_one_error(checkpoint: bytes) -> None:
    """No tool, model or handler is called, and the session is unchanged."""
    trace: list[str] = []
    session: dict[str, Json] = {}
    tool, model = confirming(), Answers("never")
    events = drain(
        agent(model, tools=[tool], handlers=[Tracer("a", trace)]).resume(checkpoint, {"1": "yes"}, session=session)
    )

    assert is_rejected(events)
    assert (trace, tool.calls, model.given, session) == ([], [], [], {})


def test_the_unchanged_checkpoint_is_accepted() -> None:
    """The unchanged checkpoint is accepted, so the other tests reject only the changes."""
    session: dict[str, Json] = {}
    assert texts_of(drain(agent(Answers("Done."), tools=[confirming()]).resume(a_checkpoint(), session=session)))[
        -1
    ] == ("Done.")
    assert session == {"user": "Ada"}


@pytest.mark.parametrize("state", [1, "no checkpoint", "bm8gY2hlY2twb2ludA=="])
def test_an_invalid_state_of_a_sub_agent_ends_the_run_with_one_error(state: Json) -> None:
    """The state may come from an agent in which the tool of this name was no agent."""
    expert = AgentTool(agent(Answers("never"), name="confirm", description="Knows numbers."))
    events = drain(agent(Answers("never"), tools=[expert]).resume(a_checkpoint(states={0: state})))

    assert is_rejected(events)
