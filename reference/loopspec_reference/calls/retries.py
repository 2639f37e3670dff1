"""A failed model call is made again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from ..values.errors import RetriesExhaustedError, WillRetryError
from ..values.messages import M
from .attempts import Attempt, Caller
from .models import Model, ModelRequest


def exponential(retry: int) -> float:
    """From 100 ms on twice as long each time, at most 10 s, and up to half as much again at random."""
    return min(0.1 * 2.0 ** (retry - 1), 10.0) * random.uniform(1.0, 1.5)


@dataclass(frozen=True)
class RetryContext(Generic[M]):
    """One attempt to be judged: its number, from 1 on, what was sent, and what came of it."""

    attempt: int
    messages: Sequence[M]
    output: M | None
    error: Exception | None


@dataclass(frozen=True)
class RetryConfig(Generic[M]):
    """How often, when and after which delay a model call is repeated.

    `should_retry` judges answers, too, and decides alone when it is given (RETRY-19, RETRY-23). Without any predicate
    every error is retried. `backoff` is asked with the number of the retry, from 1 on.
    """

    max_retries: int = 3
    is_retryable: Callable[[Exception], bool] | None = None
    should_retry: Callable[[RetryContext[M]], bool] | None = None
    backoff: Callable[[int], float] = exponential
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def rejects(self, attempt: Attempt[M], number: int, request: ModelRequest[M]) -> bool:
        """Whether the attempt of this number shall not stand as it is."""
        error = attempt.error
        if self.should_retry is not None:
            return self.should_retry(RetryContext(number, request.messages, attempt.message, error))
        return error is not None and (self.is_retryable is None or self.is_retryable(error))


async def retrying(call: Caller[M], config: RetryConfig[M], model: Model[M], request: ModelRequest[M]) -> Attempt[M]:
    """Attempt the call until one attempt stands or none is left; the last attempt's stream is left to be settled."""
    number = 1
    while True:
        attempt = await call(model, request)
        if not config.rejects(attempt, number, request):
            return attempt
        if number > config.max_retries:
            attempt.error = RetriesExhaustedError(attempt.error or WillRetryError(number - 1))
            return attempt
        attempt.settle(WillRetryError(number - 1))
        await config.sleep(config.backoff(number))
        number += 1
