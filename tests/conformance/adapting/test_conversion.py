"""Conversations cross to the contract and back; what a hook keeps stays the framework's own object."""

from __future__ import annotations

import pytest

from loopspec import Message
from loopspec.contract.calls import Edited
from loopspec.contract.values import ToolCall
from loopspec_adapting import Change, answer_message, args_object, args_text, result_message

from .bundles import CONVERSION, Bundle, bundle, user

ONE, TWO, THREE = user("1"), user("2"), user("3")
PAIR, SINGLE = bundle(ONE, TWO), bundle(THREE)
NEW = user("new")
SYSTEM = Message(role="system", content="New.")


def wanted(*messages: Message | int, system: str | None = None) -> Change[Bundle]:
    """The change of a hook that received the pair, the single message, no tools and this instruction."""
    return CONVERSION.changed([PAIR, SINGLE], None, system, Edited(messages=messages, system=system))


def test_a_kept_conversation_is_the_same() -> None:
    """Nothing is changed, and no object is another one."""
    change = wanted(0, 1, 2, system="Old.")

    assert (change.messages_changed, change.system, change.system_changed) == (False, "Old.", False)
    assert (change.tools, change.tools_changed) == (None, False)
    assert [id(one) for one in change.messages] == [id(PAIR), id(SINGLE)]


def test_a_kept_message_stays_the_same_object_next_to_a_new_one() -> None:
    """All parts of the pair are wanted in their order."""
    change = wanted(NEW, 0, 1)

    assert change.messages_changed
    assert change.messages[1] is PAIR
    assert change.messages[0].wires == (NEW,)


@pytest.mark.parametrize("messages", [[0, 2], [1, 0, 2], [0, NEW, 1, 2], [1, 2]])
def test_a_part_of_a_message_becomes_a_message_of_its_own(messages: list[Message | int]) -> None:
    """Parts that are separated, reordered or alone are new objects; the other message is the same."""
    change = wanted(*messages)

    wires = (ONE, TWO, THREE)
    expected = tuple(wires[one] if isinstance(one, int) else one for one in messages)
    assert CONVERSION.all_to_wire(change.messages) == expected
    assert not any(one is PAIR for one in change.messages)
    assert change.messages[-1] is SINGLE


@pytest.mark.parametrize(("before", "after"), [("Old.", "New."), ("Old.", ""), ("", "New.")])
def test_an_instruction_outside_the_messages_is_no_message(before: str, after: str) -> None:
    """A hook replaces, drops or adds the instruction; the messages are the same."""
    change = CONVERSION.changed([SINGLE], ["t"], before, Edited(messages=(0,), tools=("u",), system=after))

    assert (change.system, change.system_changed, change.messages_changed) == (after, True, False)
    assert (change.tools, change.tools_changed) == (("u",), True)
    assert change.messages[0] is SINGLE


def test_an_instruction_in_the_messages_is_a_message() -> None:
    """Without the argument, a system message is one of the framework's messages."""
    change = wanted(SYSTEM, 0, 1, 2)

    assert change.system is None
    assert CONVERSION.all_to_wire(change.messages) == (SYSTEM, ONE, TWO, THREE)


@pytest.mark.parametrize(
    ("args", "text"), [("{ }", "{ }"), ({"a": "é"}, '{"a": "é"}'), (None, "{}"), ("", ""), ([1], "[1]")]
)
def test_arguments_are_text(args: object, text: str) -> None:
    """Text is not changed; an object becomes JSON."""
    assert args_text(args) == text


@pytest.mark.parametrize(("text", "found"), [('{"a": 1}', {"a": 1}), ("", {}), ("[1]", None), ("{", None)])
def test_arguments_are_an_object(text: str, found: object) -> None:
    """A text that is no object has none."""
    assert args_object(text) == found


def test_the_readers_make_messages_of_the_contract() -> None:
    """An id that the framework does not have is empty."""
    assert answer_message("x", [(None, "t", {"a": 1})], {"k": 1}) == Message(
        role="assistant", content="x", tool_calls=(ToolCall(id="", name="t", args='{"a": 1}'),), extra={"k": 1}
    )
    assert result_message("x", "c", "t") == Message(role="tool", content="x", tool_call_id="c", tool_name="t")
