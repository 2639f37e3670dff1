"""Another model is asked when one has failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from ..values.errors import ConfigError, NothingReturnedError, WillRetryError
from ..values.messages import M
from .attempts import Attempt, Caller
from .models import Model, ModelRequest


@dataclass(frozen=True)
class FailoverContext(Generic[M]):
    """A switch about to be made: its number within the model call, from 1 on, what was sent, and what went wrong."""

    attempt: int
    messages: Sequence[M]
    error: Exception


GetModel = Callable[[FailoverContext[M]], Awaitable[Model[M] | tuple[Model[M], Sequence[M]]]]


@dataclass(frozen=True)
class FailoverConfig(Generic[M]):
    """Which errors another model is asked after, and which model that is.

    `get_model` may give messages beside the model; they are sent in this call only (FAILOVER-11). `should_failover`
    is asked about every failure, the last one included (FAILOVER-04, FAILOVER-08).
    """

    get_model: GetModel[M] | None = None
    should_failover: Callable[[Exception], bool] | None = None
    max_failovers: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot work (CFG-05, CFG-06)."""
        for name in ("get_model", "should_failover"):
            if getattr(self, name) is None:
                raise ConfigError(f"a failover needs {name!r}")

    async def choose(self, context: FailoverContext[M], request: ModelRequest[M]) -> tuple[Model[M], ModelRequest[M]]:
        """The model to ask next, and what it is sent."""
        assert self.get_model is not None
        chosen = await self.get_model(context)
        if isinstance(chosen, tuple):
            model, messages = chosen
            request = replace(request, messages=tuple(messages))
        else:
            model = chosen
        if model is None:
            raise NothingReturnedError("a failover was to be made, and no model was given")
        return model, request

    def agrees(self, error: Exception) -> bool:
        """Whether another model shall be asked after this error."""
        assert self.should_failover is not None
        return self.should_failover(error)


async def failing_over(
    call: Caller[M], config: FailoverConfig[M], model: Model[M], request: ModelRequest[M]
) -> tuple[Attempt[M], Model[M]]:
    """Ask one model after the other until one answers; return what came of the last one, and which one it was.

    A backup sees what the first model saw, unless messages are given with it (FAILOVER-12).
    """
    number, sent = 1, request
    while True:
        attempt = await call(model, sent)
        if attempt.error is None:
            return attempt, model
        if not config.agrees(attempt.error) or number > config.max_failovers:
            return attempt, model
        model, sent = await config.choose(FailoverContext(number, sent.messages, attempt.error), request)
        attempt.settle(WillRetryError(0))
        number += 1
