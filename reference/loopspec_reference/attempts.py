"""One attempt to have an answer, before it is decided what becomes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic

from .messages import M
from .models import Model, ModelRequest
from .outputs import ToldStream


class Attempt(Generic[M]):
    """What came of one way through the wrappers to a model: a message, or an error.

    `stream` is what the run's listeners are reading already, if anything; its end waits to be decided. `persisted`
    says that the request's messages shall be the conversation from now on (RETRY-22).
    """

    __slots__ = ("error", "message", "persisted", "request", "stream")

    def __init__(
        self,
        request: ModelRequest[M],
        message: M | None,
        error: Exception | None = None,
        stream: ToldStream[M] | None = None,
    ) -> None:
        self.request = request
        self.message = message
        self.error = error
        self.stream = stream
        self.persisted = False

    def settle(self, error: Exception | None = None) -> None:
        """Decide how the listeners' stream ends: with this error, or as it did."""
        if self.stream is not None:
            self.stream.settle(error)


Caller = Callable[[Model[M], ModelRequest[M]], Awaitable[Attempt[M]]]
