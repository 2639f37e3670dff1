"""Realistic bugs about answers in chunks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, Message, RetryConfig, ToolCall
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.models import ModelRequest

from ..registry import bug

_concat = Message.concat


@bug("LOOP-07", "LOOP-29")
def joins_the_calls_of_a_stream() -> AbstractContextManager[object]:
    """Joins the tool calls of a stream into one call, with the names and the arguments one after the other."""

    def joins(chunks: Sequence[Message]) -> Message:
        whole = _concat(chunks)
        calls = whole.tool_calls
        if len(calls) < 2:
            return whole
        joined = ToolCall(calls[0].id, "".join(one.name for one in calls), "".join(one.arguments for one in calls))
        return replace(whole, tool_calls=(joined,))

    return patch.object(Message, "concat", staticmethod(joins))


@bug("RETRY-12")
def retries_no_broken_streams() -> AbstractContextManager[object]:
    """Retries a stream that could not be opened, but not a stream that has broken."""
    rejects = RetryConfig.rejects

    def judges(
        self: RetryConfig[AnyMessage], attempt: Attempt[AnyMessage], number: int, request: ModelRequest[AnyMessage]
    ) -> bool:
        broken = attempt.error is not None and attempt.stream is not None
        return not broken and rejects(self, attempt, number, request)

    return patch.object(RetryConfig, "rejects", judges)
