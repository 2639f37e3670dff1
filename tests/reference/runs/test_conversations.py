"""The repair of a conversation: exact, of both message types, and nothing the second time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopspec_reference import (
    AgenticMessage,
    AnyMessage,
    Conversation,
    Handler,
    InterruptEvent,
    InterruptRun,
    Message,
    ModelContext,
    State,
    TextBlock,
    ToolCall,
    ToolResultBlock,
    repaired,
    send_message,
)
from loopspec_reference.runs.conversations import NOT_COMPLETED
from loopspec_reference.values.messages import answers

from ..doubles import QUESTION, Answers, agent, drain

IDS = st.sampled_from(["a", "b", "c"])
TYPES: list[type[Message] | type[AgenticMessage]] = [Message, AgenticMessage]


def call(key: str) -> ToolCall:
    return ToolCall(id=key, name="t", arguments="{}")


@st.composite
def conversations(draw: st.DrawFn) -> list[AnyMessage]:
    """Messages in any order: users, answers with calls, results with and without a call."""
    kind = draw(st.sampled_from(TYPES))
    messages: list[AnyMessage] = []
    for number in range(draw(st.integers(0, 8))):
        what = draw(st.sampled_from(["user", "answer", "result", "result"]))
        if what == "user":
            messages.append(kind.user(f"user {number}"))
        elif what == "answer":
            ids = draw(st.lists(IDS, max_size=3, unique=True))
            messages.append(kind.assistant(f"answer {number}", map(call, ids)))
        else:
            messages.append(kind.tool_result(call(draw(IDS)), f"result {number}"))
    return messages


def is_sound(messages: tuple[AnyMessage, ...]) -> bool:
    """Whether the results of each answer directly follow the answer, one for each of its calls."""
    opened: list[str | None] = []
    for message in messages:
        found = [key for key, _ in answers(message)]
        if (opened and not found) or any(key not in opened for key in found):
            return False
        opened = [key for key in opened if key not in found] + [each.id for each in message.tool_calls]
    return not opened


@given(conversations())
def test_a_repaired_conversation_is_sound_and_a_second_repair_changes_nothing(messages: list[AnyMessage]) -> None:
    once = repaired(messages)

    assert is_sound(once)
    assert repaired(once) == once
    assert not is_sound(tuple(messages)) or once == tuple(messages)


@given(conversations())
def test_a_repair_removes_only_results_and_adds_only_results(messages: list[AnyMessage]) -> None:
    def without_results(all_of_them: tuple[AnyMessage, ...]) -> list[AnyMessage]:
        return [message for message in all_of_them if not list(answers(message))]

    def texts(all_of_them: tuple[AnyMessage, ...]) -> set[str]:
        return {text for message in all_of_them for _, text in answers(message)}

    once = repaired(messages)

    assert without_results(once) == without_results(tuple(messages))
    assert texts(once) <= texts(tuple(messages)) | {NOT_COMPLETED}


@pytest.mark.parametrize("kind", TYPES)
def test_a_result_after_another_message_is_moved_to_its_call(kind: type[Message] | type[AgenticMessage]) -> None:
    answer, result = kind.assistant("", [call("a"), call("b")]), kind.tool_result(call("b"), "late")

    assert [message.outcome for message in repaired([answer, kind.user("Go on."), result])] == [
        "",
        NOT_COMPLETED,
        "late",
        "Go on.",
    ]


def test_a_result_belongs_to_the_last_answer_with_a_call_of_its_id() -> None:
    first, second = Message.assistant("", [call("a")]), Message.assistant("", [call("a"), call("b")])
    messages = [first, Message.tool_result(call("a"), "one"), second, Message.tool_result(call("a"), "two")]

    assert [message.text for message in repaired(messages)] == ["", "one", "", "two", NOT_COMPLETED]
    del messages[1]
    assert [message.text for message in repaired(messages)] == ["", NOT_COMPLETED, "", "two", NOT_COMPLETED]


def test_the_blocks_of_a_message_are_kept_apart_from_a_result_without_a_call() -> None:
    mixed = AgenticMessage(role="user", blocks=(ToolResultBlock("x", "t", "lost"), TextBlock("Go on.")))

    assert repaired([mixed]) == (AgenticMessage.user("Go on."),)


def test_the_results_of_a_message_follow_their_calls_in_messages_of_their_own() -> None:
    answer = AgenticMessage.assistant("", [call("a"), call("b")])
    both = AgenticMessage(role="user", blocks=(ToolResultBlock("b", "t", "two"), ToolResultBlock("a", "t", "one")))

    kept = repaired([answer, AgenticMessage.user("Go on."), both])
    assert [list(answers(message)) for message in kept] == [[], [("a", "one")], [("b", "two")], []]


class _Asking(Handler[Message]):
    """Sends the run a message, if there is one, and interrupts the run."""

    def __init__(self, text: str = "") -> None:
        self._text = text

    async def after_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Interrupt the run, unless it is resumed here."""
        if context.resumed is not None:
            return state
        if self._text:
            send_message(self._text)
        raise InterruptRun


def test_a_message_that_waits_is_kept_once_although_the_resumed_run_stops_as_well() -> None:
    """The checkpoint of a stopped run has the messages that wait, and so has the conversation."""
    built, conversation = agent(Answers("4"), handlers=[_Asking("Hurry."), _Asking()]), Conversation[Message]()
    stopped = drain(built.run([QUESTION], conversation=conversation))[-1]
    assert isinstance(stopped, InterruptEvent)
    drain(built.resume(stopped.checkpoint, conversation=conversation))

    assert [one.text for one in conversation.messages if one.role == "user"] == [QUESTION.text, "Hurry."]
