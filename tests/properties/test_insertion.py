"""What the handler does to any conversation: it puts one message in, at one place, and touches nothing else."""

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
    """A handler for one file."""
    return AgentsMD(Config(backend=MemoryBackend({"/p/a.md": content}), files=["/p/a.md"]), message_type)


def applied(agentsmd: AgentsMD[AnyMessage], given: list[AnyMessage], *, times: int = 1) -> State[AnyMessage]:
    """The state after the hook was called so many times in one run."""

    async def run() -> State[AnyMessage]:
        current_run.set(Run("agent", {}))
        state = State(tuple(given), _TOOLS)
        for _ in range(times):
            state = await agentsmd.before_model(state, ModelContext())
        return state

    return asyncio.run(run())


@st.composite
def conversations(draw: st.DrawFn) -> tuple[type[AnyMessage], list[AnyMessage]]:
    """A message type, and a conversation of it in which nothing is marked."""
    message_type = draw(TYPES)
    return message_type, draw(st.lists(messages(message_type, EXTRAS), max_size=6))


@given(conversations())
def test_a_second_time_changes_nothing(conversation: tuple[type[AnyMessage], list[AnyMessage]]) -> None:
    """The hook applied twice, in one run, equals the hook applied once."""
    message_type, given = conversation

    assert applied(handler(message_type), given, times=2) == applied(handler(message_type), given)


@given(conversations())
def test_messages_reach_the_model_unchanged_and_in_order(
    conversation: tuple[type[AnyMessage], list[AnyMessage]],
) -> None:
    """Without the instructions what comes out is what went in: the very same objects, not one byte different."""
    message_type, given = conversation
    before = msgspec.msgpack.encode(given)
    state = applied(handler(message_type), given)

    assert [id(message) for message in state.messages if MARKER not in message.extra] == [id(m) for m in given]
    assert msgspec.msgpack.encode(given) == before
    assert state.tools is _TOOLS


@given(conversations())
def test_one_marked_user_message_stands_before_the_first_user_message(
    conversation: tuple[type[AnyMessage], list[AnyMessage]],
) -> None:
    """Exactly one message is added, of the conversation's own type; without a user message it stands last."""
    message_type, given = conversation
    after = applied(handler(message_type), given).messages

    [at] = [at for at, message in enumerate(after) if MARKER in message.extra]
    assert at == [*(message.role for message in given), "user"].index("user")
    assert after[at] == message_type.user(after[at].text, {MARKER: True})


@given(TYPES, st.data())
def test_a_marked_conversation_stays_as_it_is(message_type: type[AnyMessage], data: st.DataObject) -> None:
    """With a mark of any value, on any message, the very same state comes back."""
    some = st.lists(messages(message_type, EXTRAS), max_size=3)
    given = [*data.draw(some), data.draw(messages(message_type, MARKED)), *data.draw(some)]

    assert [id(message) for message in applied(handler(message_type), given).messages] == [id(m) for m in given]


@given(conversations())
def test_nothing_to_say_is_not_said(conversation: tuple[type[AnyMessage], list[AnyMessage]]) -> None:
    """With an empty file the very same conversation comes back."""
    message_type, given = conversation

    assert applied(handler(message_type, ""), given, times=2).messages == tuple(given)
