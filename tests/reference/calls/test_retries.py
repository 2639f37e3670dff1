"""A failed model call is retried."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from loopspec_reference import (
    Message,
    ModelRequest,
    RetryConfig,
)

from ..doubles import QUESTION, Answers, agent, reported

ERROR = RuntimeError("no connection")


class Breaking(Answers):
    """A model whose stream breaks a number of times, and then says "whole"."""

    def __init__(self, times: int) -> None:
        super().__init__("whole")
        self._times = times

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Break, or answer."""
        if len(self.given) < self._times:
            self.given.append(tuple(request.messages))
            yield Message.assistant("ha")
            raise ERROR
        async for chunk in super().stream(request):
            yield chunk


def retry(max_retries: int = 3, delays: list[float] | None = None, **options: object) -> RetryConfig[Message]:
    """A configuration without real delays."""

    async def sleep(delay: float) -> None:
        if delays is not None:
            delays.append(delay)

    return RetryConfig(max_retries=max_retries, backoff=float, sleep=sleep, **options)  # type: ignore[arg-type]  # of various kinds


@pytest.mark.parametrize("what", ["is_retryable", "should_retry"])
def test_a_failing_callback_leaves_no_stream_open(what: str) -> None:
    """The stream keeps its own end, and the run fails with the new error."""

    def fails(_: object) -> bool:
        raise LookupError("no idea")

    options: dict[str, Any] = {what: fails}  # Any: keyword arguments of two types
    config = retry(**options)
    assert reported(agent(Breaking(1), retry=config).run([QUESTION], streaming=True)) == [
        "~ha (RuntimeError)",
        "LookupError",
    ]
