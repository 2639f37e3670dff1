"""A failed model call is made again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from .attempts import Attempt, Caller
from .errors import RetriesExhaustedError, WillRetryError
from .messages import M
from .models import Model, ModelRequest
from .tools import InterruptRun


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
class RetryDecision(Generic[M]):
    """What shall become of an attempt: it is repeated, with other messages if given, or else fails with `error`.

    `reason` is told to those who read the rejected stream (RETRY-20); `persist` keeps the messages (RETRY-22).
    """

    retry: bool
    reason: str = ""
    error: Exception | None = None
    messages: Sequence[M] | None = None
    persist: bool = False


@dataclass(frozen=True)
class RetryConfig(Generic[M]):
    """How often, when and after which delay a model call is repeated.

    `should_retry` judges answers, too, and decides alone when it is given (RETRY-23); without a decision the attempt
    stands as it is. Without any predicate every error is retried. `backoff` is asked with the number of the retry,
    from 1 on.
    """

    max_retries: int = 3
    is_retryable: Callable[[Exception], bool] | None = None
    should_retry: Callable[[RetryContext[M]], RetryDecision[M] | None] | None = None
    backoff: Callable[[int], float] = exponential
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    def judge(self, attempt: Attempt[M], number: int) -> RetryDecision[M] | None:
        """The decision about an attempt; None: it stands as it is."""
        error = attempt.error
        if isinstance(error, InterruptRun):
            return None
        if self.should_retry is not None:
            return self.should_retry(RetryContext(number, attempt.request.messages, attempt.message, error))
        if error is None or (self.is_retryable is not None and not self.is_retryable(error)):
            return None
        return RetryDecision(True)


async def retrying(call: Caller[M], config: RetryConfig[M], model: Model[M], request: ModelRequest[M]) -> Attempt[M]:
    """Attempt the call until one attempt stands or none is left; the last attempt's stream is left to be settled."""
    number, persisted = 1, False
    while True:
        attempt = await call(model, request)
        attempt.persisted = persisted
        try:
            decision = config.judge(attempt, number)
        except BaseException:
            attempt.settle()
            raise
        if decision is None:
            return attempt
        if not decision.retry:
            attempt.error = decision.error or attempt.error
            return attempt
        if number > config.max_retries:
            rejected = attempt.error or WillRetryError(number - 1, decision.reason)
            attempt.error = RetriesExhaustedError(rejected)
            return attempt
        attempt.settle(WillRetryError(number - 1, decision.reason))
        if decision.messages is not None:
            request = replace(request, messages=tuple(decision.messages))
            persisted = decision.persist
        await config.sleep(config.backoff(number))
        number += 1
