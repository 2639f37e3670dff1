"""Messages are built, read and stored."""

from __future__ import annotations

import msgspec
import pytest

from loopspec_reference import (
    AgenticMessage,
    Message,
    NothingReturnedError,
    TextPart,
    ToolCall,
    ToolResultBlock,
)
from loopspec_reference.values.messages import TextBlock, ToolCallBlock

_CALL = ToolCall("call-1", "add", '{"a": 2}')


def test_an_agentic_result_is_a_block_of_the_user() -> None:
    """The type has no tool role, and the result is not part of the text."""
    result = AgenticMessage.tool_result(_CALL, "4")

    assert result == AgenticMessage(role="user", blocks=(ToolResultBlock("call-1", "add", "4"),))
    assert result.text == ""


def test_agentic_text_is_joined_around_other_blocks() -> None:
    """The texts are read as one text."""
    message = AgenticMessage(role="assistant", blocks=(TextBlock("2"), ToolCallBlock(_CALL), TextBlock(" + 2")))

    assert message.text == "2 + 2"


@pytest.mark.parametrize(
    "message",
    [
        Message.assistant("Let me see.", [_CALL]),
        Message.tool_result(_CALL, "4"),
        Message.user("2 + 2?", {"mark": None}),
        AgenticMessage.assistant("Let me see.", [_CALL]),
        AgenticMessage.tool_result(_CALL, "4"),
        AgenticMessage.user("2 + 2?", {"mark": [1, {"a": "b"}]}),
    ],
)
def test_a_stored_message_is_the_same_message(message: Message | AgenticMessage) -> None:
    """JSON preserves the message."""
    stored = msgspec.json.encode(message)

    assert msgspec.json.decode(stored, type=type(message)) == message


def test_an_agentic_message_of_a_tool_is_rejected() -> None:
    """A decoded message needs a valid role."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"role": "tool"}', type=AgenticMessage)


def test_chunks_of_a_message_are_joined() -> None:
    """Texts and parts are joined, calls are in order, and extra data is merged."""
    chunks = [
        Message(role="assistant", content="2 ", extra={"a": 1}),
        Message(role="assistant", content="+ 2", tool_calls=(_CALL,), parts=(TextPart("x"),), extra={"b": 2}),
    ]

    assert Message.concat(chunks) == Message(
        role="assistant", content="2 + 2", tool_calls=(_CALL,), parts=(TextPart("x"),), extra={"a": 1, "b": 2}
    )
    with pytest.raises(NothingReturnedError):
        Message.concat([])


def test_chunks_of_an_agentic_message_are_joined() -> None:
    """Consecutive texts are one block, and so are the pieces of one result."""
    answer = AgenticMessage.concat([AgenticMessage.assistant(text) for text in ("2 ", "+ 2")])
    result = AgenticMessage.concat([AgenticMessage.tool_result(_CALL, text) for text in ("a", "b")])

    assert answer == AgenticMessage.assistant("2 + 2")
    assert (result, result.outcome) == (AgenticMessage.tool_result(_CALL, "ab"), "ab")
