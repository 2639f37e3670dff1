"""What a run tells its caller while it goes on."""

from __future__ import annotations

from msgspec import Struct

from .messages import AnyMessage, Json


class MessageEvent(Struct, frozen=True):
    """A model has answered or a tool has returned. The message is the one that entered the conversation."""

    agent: str
    message: AnyMessage


class CustomEvent(Struct, frozen=True):
    """A handler or a tool called `send_event`."""

    agent: str
    payload: Json


class Interrupt(Struct, frozen=True):
    """One tool call that asked to be resumed later. `info` is for the caller to read."""

    call_id: str
    info: Json


class InterruptEvent(Struct, frozen=True):
    """The last event of a run that can be resumed from `checkpoint`, by anyone who has those bytes."""

    agent: str
    interrupts: tuple[Interrupt, ...]
    checkpoint: bytes


class ErrorEvent(Struct, frozen=True):
    """The last event of a run that failed."""

    agent: str
    error: Exception


Event = MessageEvent | CustomEvent | InterruptEvent | ErrorEvent
