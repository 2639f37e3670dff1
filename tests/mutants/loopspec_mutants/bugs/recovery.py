"""Realistic bugs about retries and failovers."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.attempts import Attempt, Caller
from loopspec_reference.calls.failovers import FailoverConfig, FailoverContext, failing_over
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.retries import RetryConfig, retrying
from loopspec_reference.loop import model_calls
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


@bug("CANCEL-07")
def finishes_the_delay_before_a_cancellation() -> AbstractContextManager[object]:
    """Waits for the end of the delay before a retry when the run is cancelled immediately."""

    async def patiently(
        call: Caller[AnyMessage],
        config: RetryConfig[AnyMessage],
        model: Model[AnyMessage],
        request: ModelRequest[AnyMessage],
    ) -> Attempt[AnyMessage]:
        async def sleep(seconds: float) -> None:
            waiting = asyncio.ensure_future(config.sleep(seconds))
            try:
                await asyncio.shield(waiting)
            except asyncio.CancelledError:
                await waiting
                raise

        return await retrying(call, replace(config, sleep=sleep), model, request)

    return patch.object(model_calls, "retrying", patiently)


class _Remembering:
    """A failover configuration whose selector receives the request that was sent last."""

    def __init__(self, config: FailoverConfig[AnyMessage]) -> None:
        self._config = config
        self._sent: ModelRequest[AnyMessage] | None = None
        self.max_failovers = config.max_failovers
        self.agrees = config.agrees

    async def choose(
        self, context: FailoverContext[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> tuple[Model[AnyMessage], ModelRequest[AnyMessage]]:
        model, self._sent = await self._config.choose(context, self._sent or request)
        return model, self._sent


@bug("FAILOVER-11")
def sends_the_next_backup_what_the_last_one_received() -> AbstractContextManager[object]:
    """Sends a backup model the messages that the backup selector returned for the backup model before."""

    async def fails_over(call: Any, config: Any, model: Any, request: Any) -> Any:  # Any: passed on
        return await failing_over(call, _Remembering(config), model, request)  # type: ignore[arg-type]  # as far as used

    return patch.object(model_calls, "failing_over", fails_over)
