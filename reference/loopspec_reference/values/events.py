"""The events that a run reports to its caller."""

from __future__ import annotations

from collections.abc import AsyncIterable

from msgspec import Struct

from .messages import AnyMessage, Json


class _Reported(Struct, frozen=True):
    """What every event names: its agent, and the agents from the one that the caller started down to this one."""

    agent: str
    path: tuple[str, ...]


class MessageEvent(_Reported, frozen=True):
    """A model answered or a tool returned. `exits`: the exit tool returned, and the run ends (EXIT-02)."""

    message: AnyMessage
    exits: bool = False


class StreamEvent(_Reported, frozen=True):
    """A model or a streaming tool answers in chunks of one message. Several readers can read them, at any time."""

    stream: AsyncIterable[AnyMessage]
    exits: bool = False


class CustomEvent(_Reported, frozen=True):
    """A handler or a tool called `send_event`."""

    payload: Json


class Interrupt(Struct, frozen=True):
    """One call that interrupted the run, to be resumed later. `info` is for the caller.

    The id is that of the tool call, or names the model call whose hook interrupted: `model call 1`. The id of a call in
    a sub-agent's run is a path: the ids of the calls that lead to it, joined by slashes.
    """

    call_id: str
    info: Json


class InterruptEvent(_Reported, frozen=True):
    """The last event of an interrupted run, which can be resumed from the bytes of `checkpoint`."""

    interrupts: tuple[Interrupt, ...]
    checkpoint: bytes


class ErrorEvent(_Reported, frozen=True):
    """The last event of a run that failed or was cancelled. The error of a cancelled run is a `CancelError`."""

    error: Exception


Event = MessageEvent | StreamEvent | CustomEvent | InterruptEvent | ErrorEvent
