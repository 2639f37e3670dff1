"""The system instruction of a framework that holds it apart from the messages, as the first message and back."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from ..contract.calls import Edited, ModelRequest, State
from ..contract.values import Message

V = TypeVar("V", ModelRequest, State)


def joined(value: V) -> V:
    """The request or state with its system instruction as the first message; an empty instruction is no message."""
    if value.system is None:
        return value
    first: tuple[Message, ...] = (Message(role="system", content=value.system),) if value.system else ()
    return replace(value, messages=(*first, *value.messages), system=None)


def split_request(request: ModelRequest, given: ModelRequest) -> ModelRequest:
    """The request that a wrapper passes on, with the system instruction where the given request had it."""
    if given.system is None:
        return request
    if request.messages and request.messages[0].role == "system":
        return replace(request, system=request.messages[0].content, messages=request.messages[1:])
    return replace(request, system="")


def split_edited(edited: Edited, given: State) -> Edited:
    """The edits of a joined state, with the system instruction where the given state had it."""
    if given.system is None:
        return edited
    offset, system = (1 if given.system else 0), ""
    messages: list[Message | int] = []
    for at, item in enumerate(edited.messages):
        if item == 0 and offset:
            system = given.system
        elif at == 0 and isinstance(item, Message) and item.role == "system":
            system = item.content
        else:
            messages.append(item - offset if isinstance(item, int) else item)
    return replace(edited, messages=tuple(messages), system=system)
