"""Failover: another model is called after a model has failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic

from msgspec import Struct
from msgspec.structs import replace

from ..values.errors import ConfigError, NothingReturnedError, WillRetryError
from ..values.messages import M
from .attempts import Attempt, Caller
from .models import Model, ModelRequest


class FailoverContext(Struct, Generic[M], frozen=True):
    """One failover of a model call: its number, from 1 on, the messages of the call, and the failed model's error."""

    attempt: int
    messages: Sequence[M]
    error: Exception


GetModel = Callable[[FailoverContext[M]], Awaitable[Model[M] | tuple[Model[M], Sequence[M]]]]


class FailoverConfig(Struct, Generic[M], frozen=True):
    """The errors that lead to a failover, and the models to call then.

    `get_model` can return messages with the model; they are sent in this call only (FAILOVER-11). `should_failover` is
    called for every failure, the last one included (FAILOVER-04, FAILOVER-08).
    """

    get_model: GetModel[M] | None = None
    should_failover: Callable[[Exception], bool] | None = None
    max_failovers: int = 1

    def __post_init__(self) -> None:
        """Refuse a configuration that cannot work (CFG-05, CFG-06)."""
        for name in ("get_model", "should_failover"):
            if getattr(self, name) is None:
                raise ConfigError(f"a failover needs {name!r}")

    async def choose(self, context: FailoverContext[M], request: ModelRequest[M]) -> tuple[Model[M], ModelRequest[M]]:
        """Return the model to call next, and its request."""
        assert self.get_model is not None
        chosen = await self.get_model(context)
        if isinstance(chosen, tuple):
            model, messages = chosen
            request = replace(request, messages=tuple(messages))
        else:
            model = chosen
        if model is None:
            raise NothingReturnedError("get_model has returned no model for a failover")
        return model, request

    def agrees(self, error: Exception) -> bool:
        """Return whether another model is called after this error."""
        assert self.should_failover is not None
        return self.should_failover(error)


async def failing_over(
    call: Caller[M], config: FailoverConfig[M], model: Model[M], request: ModelRequest[M]
) -> tuple[Attempt[M], Model[M]]:
    """Call one model after the other until one answers; return the last attempt and its model.

    A backup model receives the messages of the first model, unless `get_model` returned others (FAILOVER-12).
    """
    number, sent = 1, request
    while True:
        attempt = await call(model, sent)
        if attempt.error is None:
            return attempt, model
        if not config.agrees(attempt.error) or number > config.max_failovers:
            return attempt, model
        model, sent = await config.choose(FailoverContext(number, request.messages, attempt.error), request)
        attempt.settle(WillRetryError(0))
        number += 1
