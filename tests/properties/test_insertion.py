"""The AgentsMD middleware inserts one message into any conversation and changes nothing else."""

from __future__ import annotations

import asyncio

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from loopspec_reference import AnyMessage, MemoryBackend, ModelContext, State, ToolInfo
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config
from loopspec_reference.runs.run import Run, current_run

from .talk import EXTRAS, MARKED, TYPES, messages

_TOOLS = (ToolInfo("search"), ToolInfo("calculate"))


def handler(message_type: type[AnyMessage], content: str = "Answer in French.") -> AgentsMD[AnyMessage]:
    """A middleware for one file."""
    return AgentsMD(Config(backend=MemoryBackend({"/p/a.md": content}), files=["/p/a.md"]), message_type)


def applied(agentsmd: AgentsMD[AnyMessage], given: list[AnyMessage], *, times: int = 1) -> State[AnyMessage]:
    """The state after a number of calls of the hook in one run."""

    async def run() -> State[AnyMessage]:
        current_run.set(Run("agent", {}))
        state = State(tuple(given), _TOOLS)
        for _ in range(times):
            state = await agentsmd.before_model(state, ModelContext())
        return state

    return asyncio.run(run())


@st.composite
def conversations(draw: st.DrawFn) -> tuple[type[AnyMessage], list[AnyMessage]]:
    """A message type, and a conversation of that type without a marked message."""
    message_type = draw(TYPES)
    return message_type, draw(st.lists(messages(message_type, EXTRAS), max_size=6))


@given(conversations())
def test_a_second_call_changes_nothing(conversation: tuple[type[AnyMessage], list[AnyMessage]]) -> None:
    """Two calls of the hook in one run have the effect of one call."""
    message_type, given = conversation

    assert applied(handler(message_type), given, times=2) == applied(handler(message_type), given)


@given(conversations())
def test_messages_reach_the_model_unchanged_and_in_order(
    conversation: tuple[type[AnyMessage], list[AnyMessage]],
) -> None:
    """The other messages are the same objects with the same content."""
    message_type, given = conversation
    before = msgspec.msgpack.encode(given)
    state = applied(handler(message_type), given)

    assert [id(message) for message in state.messages if MARKER not in message.extra] == [id(m) for m in given]
    assert msgspec.msgpack.encode(given) == before
    assert state.tools is _TOOLS


@given(conversations())
def test_one_marked_user_message_precedes_the_first_user_message(
    conversation: tuple[type[AnyMessage], list[AnyMessage]],
) -> None:
    """The message has the type of the conversation; without a user message, it is the last one."""
    message_type, given = conversation
    after = applied(handler(message_type), given).messages

    [at] = [at for at, message in enumerate(after) if MARKER in message.extra]
    assert at == [*(message.role for message in given), "user"].index("user")
    assert after[at] == message_type.user(after[at].text, {MARKER: True})


@given(TYPES, st.data())
def test_a_marked_conversation_is_unchanged(message_type: type[AnyMessage], data: st.DataObject) -> None:
    """A marker of any value on any message prevents the insertion."""
    some = st.lists(messages(message_type, EXTRAS), max_size=3)
    given = [*data.draw(some), data.draw(messages(message_type, MARKED)), *data.draw(some)]

    assert [id(message) for message in applied(handler(message_type), given).messages] == [id(m) for m in given]


@given(conversations())
def test_empty_instructions_are_not_inserted(conversation: tuple[type[AnyMessage], list[AnyMessage]]) -> None:
    """An empty file adds no message."""
    message_type, given = conversation

    assert applied(handler(message_type, ""), given, times=2).messages == tuple(given)
