"""What a run tells its caller while it goes on.

Every event names the agent it comes from, and its path: the agents from the one that was started down to this one.
"""

from __future__ import annotations

from collections.abc import AsyncIterable

from msgspec import Struct

from .messages import AnyMessage, Json


class MessageEvent(Struct, frozen=True):
    """A model has answered or a tool has returned. `exits`: it was the exit tool, and the run ends (EXIT-02)."""

    agent: str
    path: tuple[str, ...]
    message: AnyMessage
    exits: bool = False


class StreamEvent(Struct, frozen=True):
    """A model is answering, or a streaming tool is: chunks of one message, to be read by anyone, at any time."""

    agent: str
    path: tuple[str, ...]
    stream: AsyncIterable[AnyMessage]
    exits: bool = False


class CustomEvent(Struct, frozen=True):
    """A handler or a tool called `send_event`."""

    agent: str
    path: tuple[str, ...]
    payload: Json


class Interrupt(Struct, frozen=True):
    """One tool call that asked to be resumed later. `info` is for the caller to read.

    A call inside a sub-agent is named by the ids of all the calls that lead to it, joined by slashes.
    """

    call_id: str
    info: Json


class InterruptEvent(Struct, frozen=True):
    """The last event of a run that can be resumed from `checkpoint`, by anyone who has those bytes."""

    agent: str
    path: tuple[str, ...]
    interrupts: tuple[Interrupt, ...]
    checkpoint: bytes


class ErrorEvent(Struct, frozen=True):
    """The last event of a run that failed, or was cancelled: the error then is a `CancelError`."""

    agent: str
    path: tuple[str, ...]
    error: Exception


Event = MessageEvent | StreamEvent | CustomEvent | InterruptEvent | ErrorEvent
