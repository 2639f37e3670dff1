"""The events that a run reports to its caller.

Every event names its agent and the agent's path: the agents from the one that the caller started down to this one.
"""

from __future__ import annotations

from collections.abc import AsyncIterable

from msgspec import Struct

from .messages import AnyMessage, Json


class MessageEvent(Struct, frozen=True):
    """A model answered or a tool returned. `exits`: the exit tool returned, and the run ends (EXIT-02)."""

    agent: str
    path: tuple[str, ...]
    message: AnyMessage
    exits: bool = False


class StreamEvent(Struct, frozen=True):
    """A model or a streaming tool answers in chunks of one message. Several readers can read them, at any time."""

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
    """One call that interrupted the run, to be resumed later. `info` is for the caller.

    The id is that of the tool call, or names the model call whose hook interrupted: `model call 1`. The id of a call in
    a sub-agent's run is a path: the ids of the calls that lead to it, joined by slashes.
    """

    call_id: str
    info: Json


class InterruptEvent(Struct, frozen=True):
    """The last event of an interrupted run, which can be resumed from the bytes of `checkpoint`."""

    agent: str
    path: tuple[str, ...]
    interrupts: tuple[Interrupt, ...]
    checkpoint: bytes


class ErrorEvent(Struct, frozen=True):
    """The last event of a run that failed or was cancelled. The error of a cancelled run is a `CancelError`."""

    agent: str
    path: tuple[str, ...]
    error: Exception


Event = MessageEvent | StreamEvent | CustomEvent | InterruptEvent | ErrorEvent
