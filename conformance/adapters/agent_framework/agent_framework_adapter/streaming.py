"""Streaming runs: what a middleware that wraps a streamed model call does with the stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from agent_framework import ChatResponse, ChatResponseUpdate, ResponseStream

_UPDATES = "updates"  # of a response that was a stream


async def buffered(stream: Any) -> ChatResponse[Any]:  # Any: the result of a chat context
    """Read a stream to its end: the stream of a model call begins when a reader pulls it."""
    response: ChatResponse[Any] = await stream.get_final_response()
    response.raw_representation = {_UPDATES: tuple(stream.updates)}
    return response


def replayed(response: ChatResponse[Any]) -> ResponseStream[ChatResponseUpdate, ChatResponse[Any]]:
    """Return a stream of a response: the updates that it was made of, or those of a wrapper's own response."""
    raw = response.raw_representation
    updates: Sequence[ChatResponseUpdate] = raw[_UPDATES] if isinstance(raw, dict) else response.to_updates()

    async def again() -> AsyncIterator[ChatResponseUpdate]:
        for update in updates:
            yield update

    return ResponseStream(again(), finalizer=lambda _: response)
