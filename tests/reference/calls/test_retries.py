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
    """A model whose stream breaks."""

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Break."""
        yield Message.assistant("ha")
        raise ERROR


@pytest.mark.parametrize("what", ["is_retryable", "should_retry"])
def test_a_failing_callback_leaves_no_stream_open(what: str) -> None:
    """The stream keeps its own end, and the run fails with the new error."""

    def fails(_: object) -> bool:
        raise LookupError("no idea")

    options: dict[str, Any] = {what: fails}  # Any: keyword arguments of two types
    events = agent(Breaking(), retry=RetryConfig(max_retries=3, **options)).run([QUESTION], streaming=True)
    assert reported(events) == ["~ha (RuntimeError)", "LookupError"]
