"""One attempt to have an answer, before it is decided what becomes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic

from ..values.messages import M
from .models import Model, ModelRequest
from .outputs import EventStream


class Attempt(Generic[M]):
    """What came of one way through the wrappers to a model: a message, or an error.

    `stream` is what the run's listeners are reading already, if anything; its end waits to be decided.
    """

    __slots__ = ("error", "message", "stream")

    def __init__(self, message: M | None, error: Exception | None = None, stream: EventStream[M] | None = None) -> None:
        self.message = message
        self.error = error
        self.stream = stream

    def settle(self, error: Exception) -> None:
        """Let the listeners' stream end with this error."""
        if self.stream is not None:
            self.stream.settle(error)


Caller = Callable[[Model[M], ModelRequest[M]], Awaitable[Attempt[M]]]
