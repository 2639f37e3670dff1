"""Conversations between a framework's messages and the contract's, and the changes that a hook makes to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from loopspec.contract.calls import Edited
from loopspec.contract.values import Json, Message, ToolCall

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
    name. `returns_nothing`: the scene makes the hook return nothing, and the adapter does the same. `own`
    and `jump` are those of the plugin layer.
    """

    messages: Sequence[M]
    tools: Sequence[str] | None = None
    system: str | None = None
    model: str | None = None
    messages_changed: bool = False
    tools_changed: bool = False
    system_changed: bool = False
    returns_nothing: bool = False
    own: Mapping[str, Json] = field(default_factory=dict)
    jump: str | None = None


class Conversion(Generic[M]):
    """Converts conversations with an author's `to_wire` and `from_wire`."""

    def __init__(self, to_wire: Callable[[M], Sequence[Message]], from_wire: Callable[[Message], M]) -> None:
        self.to_wire, self.from_wire = to_wire, from_wire

    def all_to_wire(self, messages: Iterable[M]) -> tuple[Message, ...]:
        """Convert a conversation."""
        return tuple(wire for message in messages for wire in self.to_wire(message))

    def changed(self, given: Sequence[M], tools: Iterable[str] | None, system: str | None, wanted: Edited) -> Change[M]:
        """Convert the state that a hook returns, for the conversation, the tools and the instruction that it received.

        A message of the framework is the same object if all its parts are kept, and new messages otherwise.
        """
        wires = self.all_to_wire(given)
        messages: list[M] = []
        for item in wanted.in_groups([len(self.to_wire(message)) for message in given]):
            if isinstance(item, int):
                messages.append(given[item])
            else:
                messages += [self.from_wire(wires[one] if isinstance(one, int) else one) for one in item]
        if wanted.invalid is not None:
            messages.append(cast("M", wanted.invalid))
        before = None if tools is None else tuple(tools)
        return Change(
            messages,
            tools=wanted.tools,
            system=wanted.system,
            messages_changed=list(map(id, messages)) != list(map(id, given)),
            tools_changed=wanted.tools != before,
            system_changed=wanted.system != system,
            own=wanted.own,
            jump=wanted.jump,
        )
