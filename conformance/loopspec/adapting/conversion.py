"""Conversations between a framework's messages and the contract's, and the changes that a hook makes to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..contract.values import Json, Message, ToolCall

M = TypeVar("M")  # a message of the framework


def args_text(args: object) -> str:
    """Return the arguments of a tool call as text. Text stays as it is, anything else becomes JSON."""
    return args if isinstance(args, str) else json.dumps({} if args is None else args, ensure_ascii=False)


def args_object(text: str) -> dict[str, Json] | None:
    """Return the arguments of a tool call as an object, or None for a text that is no JSON object."""
    try:
        read = json.loads(text or "{}")
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def answer_message(
    text: str, calls: Iterable[tuple[str | None, str, object]] = (), extra: Mapping[str, Json] | None = None
) -> Message:
    """Return a model's answer. A call has an id, the name of its tool, and its arguments as text or as an object."""
    found = tuple(ToolCall(id=call_id or "", name=name, args=args_text(args)) for call_id, name, args in calls)
    return Message(role="assistant", content=text, tool_calls=found, extra=dict(extra or {}))


def result_message(
    text: str, call_id: str | None, tool: str | None, extra: Mapping[str, Json] | None = None
) -> Message:
    """Return a tool's result."""
    return Message(role="tool", content=text, tool_call_id=call_id, tool_name=tool, extra=dict(extra or {}))


@dataclass(frozen=True)
class Change(Generic[M]):
    """The state or the request that a hook returns, in the framework's messages.

    Messages that the hook keeps are the same objects. `tools` are names; None: the adapter reported no tools, and the
    hook offers none. `system` is None unless the adapter passed one. `model` is the model that a wrapper chooses, by
    name. `returns_nothing`: the scene makes the hook return nothing, and the adapter does the same.
    """

    messages: Sequence[M]
    tools: Sequence[str] | None = None
    system: str | None = None
    model: str | None = None
    messages_changed: bool = False
    tools_changed: bool = False
    system_changed: bool = False
    returns_nothing: bool = False


class Conversion(Generic[M]):
    """Converts conversations with an author's `to_wire` and `from_wire`."""

    def __init__(self, to_wire: Callable[[M], Sequence[Message]], from_wire: Callable[[Message], M]) -> None:
        self.to_wire, self.from_wire = to_wire, from_wire

    def all_to_wire(self, messages: Iterable[M], system_text: str | None = None) -> tuple[Message, ...]:
        """Convert a conversation. A system instruction that the framework holds beside it comes first."""
        first = (Message(role="system", content=system_text),) if system_text else ()
        return (*first, *(wire for message in messages for wire in self.to_wire(message)))

    def changed(self, given: Sequence[M], wanted: Sequence[Message | int], system_text: str | None) -> Change[M]:
        """Convert a wanted conversation back: an index is a message that `all_to_wire` returned for `given`."""
        leading = 1 if system_text else 0
        sizes = [len(self.to_wire(message)) for message in given]
        rest, text = list(wanted), system_text
        if system_text is not None:
            first = rest[0] if rest else None
            if leading and first == 0:
                rest = rest[1:]
            elif isinstance(first, Message) and first.role == "system":
                rest, text = rest[1:], first.content
            else:
                text = ""
        same = rest == list(range(leading, leading + sum(sizes)))
        messages = list(given) if same else self._messages(given, rest, leading)
        return Change(messages, system=text, messages_changed=not same, system_changed=text != system_text)

    def _messages(self, given: Sequence[M], wanted: Sequence[Message | int], leading: int) -> list[M]:
        """The framework's messages: the given object where all its parts are wanted in order, otherwise new ones."""
        wires = [self.to_wire(message) for message in given]
        origin = [(at, part) for at, parts in enumerate(wires) for part in range(len(parts))]
        found: list[M] = []
        place = 0
        while place < len(wanted):
            one = wanted[place]
            place += 1
            if isinstance(one, Message):
                found.append(self.from_wire(one))
                continue
            if one < leading:  # the system instruction, which a hook has moved: the framework has no other place for it
                continue
            at, part = origin[one - leading]
            size = len(wires[at])
            if part == 0 and list(wanted[place - 1 : place - 1 + size]) == list(range(one, one + size)):
                found.append(given[at])
                place += size - 1
            else:
                found.append(self.from_wire(wires[at][part]))
        return found
