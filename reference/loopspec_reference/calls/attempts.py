"""One attempt of a model call, before the run decides whether the attempt stands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic

from msgspec import Struct

from ..values.messages import M
from .models import Model, ModelRequest
from .outputs import EventStream


class Attempt(Struct, Generic[M]):
    """The result of one call through the wrappers to a model: a message, or an error.

    `stream` is the stream that the run's readers already receive, if any. Its end is still undecided.
    """

    message: M | None
    error: Exception | None = None
    stream: EventStream[M] | None = None

    def settle(self, error: Exception) -> None:
        """End the readers' stream with this error."""
        if self.stream is not None:
            self.stream.settle(error)


Caller = Callable[[Model[M], ModelRequest[M]], Awaitable[Attempt[M]]]
