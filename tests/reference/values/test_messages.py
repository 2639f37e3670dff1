"""Messages, instructions and the values of a run: built, read and stored."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import pytest

from loopspec_reference import (
    AgenticMessage,
    InstructionError,
    Json,
    Message,
    NothingReturnedError,
    TextPart,
    ToolCall,
    ToolResultBlock,
    UnregisteredTypeError,
    register_type,
)
from loopspec_reference.runs.run_values import packed, unpacked
from loopspec_reference.values.instructions import render
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


@pytest.mark.parametrize(
    ("instruction", "rendered"),
    [
        ("plain", "plain"),
        ("{user}, {n}", "Ada, 2"),
        ('{{"a": 1}} {user}', '{"a": 1} Ada'),
        ("{{{user}}}", "{Ada}"),
        ("{{user}}", "{user}"),
    ],
)
def test_keys_are_replaced_and_doubled_braces_are_halved(instruction: str, rendered: str) -> None:
    """Values that are not text are formatted as text."""
    assert render(instruction, {"user": "Ada", "n": 2}) == rendered


@pytest.mark.parametrize("instruction", ["{other}", "{", "}", "{}", "{user", "{user!r}", "{user:>6}"])
def test_an_invalid_instruction_is_an_error(instruction: str) -> None:
    """Only plain keys are supported, whatever the session contains."""
    for session in ({"user": "Ada"}, {}):
        with pytest.raises(InstructionError):
            render(instruction, session)


@dataclass
class Point:
    """A value of a registered type."""

    x: int


class Unknown:
    """A value of a type that is not registered."""


register_type("point", Point)


@pytest.mark.parametrize(
    "value", [None, 1, 1.5, True, "a", [1, [None]], {"a": {"b": []}}, Point(1), [{"p": Point(2)}], ["point", 1], []]
)
def test_a_stored_value_is_the_same_value(value: Json) -> None:
    """Values of registered types, and lists that look like one, are kept."""
    assert unpacked(msgspec.json.decode(msgspec.json.encode(packed(value)))) == value


@pytest.mark.parametrize("value", [Unknown(), [Unknown()], {1: 2}, (1, 2), {1, 2}, b""])
def test_a_value_that_is_not_json_is_rejected(value: object) -> None:
    """The error names the type."""
    with pytest.raises(UnregisteredTypeError, match="not a registered type"):
        packed(value)


def test_an_unknown_type_cannot_be_unpacked() -> None:
    """A checkpoint may come from another program."""
    with pytest.raises(KeyError, match="'other'"):
        unpacked(["other", 1])
