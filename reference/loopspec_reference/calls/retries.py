"""Retry: a failed model call is repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic

from msgspec import Struct

from ..values.errors import RetriesExhaustedError, WillRetryError
from ..values.messages import M
from .attempts import Attempt, Caller
from .models import Model, ModelRequest


def exponential(retry: int) -> float:
    """Return 100 ms doubled for each retry, at most 10 s, plus up to 50 percent at random."""
    import random  # only here: few runs wait for a retry, and all import this module

    return min(0.1 * 2.0 ** (retry - 1), 10.0) * random.uniform(1.0, 1.5)


class RetryContext(Struct, Generic[M], frozen=True):
    """One attempt for `should_retry`: its number, from 1 on, the messages sent, and its answer or error."""

    attempt: int
    messages: Sequence[M]
    output: M | None
    error: Exception | None


class RetryConfig(Struct, Generic[M], frozen=True):
    """How often, when and after which delay a model call is repeated.

    `should_retry` judges answers as well as errors, and alone decides if it is set (RETRY-19, RETRY-23). Without a
    predicate every error is retried. `backoff` receives the number of the retry, from 1 on.
    """

    max_retries: int = 3
    is_retryable: Callable[[Exception], bool] | None = None
    should_retry: Callable[[RetryContext[M]], bool] | None = None
    backoff: Callable[[int], float] = exponential
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def rejects(self, attempt: Attempt[M], number: int, request: ModelRequest[M]) -> bool:
        """Return whether the attempt with this number does not stand."""
        error = attempt.error
        if self.should_retry is not None:
            return self.should_retry(RetryContext(number, request.messages, attempt.message, error))
        return error is not None and (self.is_retryable is None or self.is_retryable(error))


async def retrying(call: Caller[M], config: RetryConfig[M], model: Model[M], request: ModelRequest[M]) -> Attempt[M]:
    """Repeat the call until an attempt stands or no retry is left. The caller settles the last attempt's stream."""
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
