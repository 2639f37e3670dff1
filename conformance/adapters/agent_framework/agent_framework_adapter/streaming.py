"""Streaming runs: what a middleware that wraps a streamed model call does with the stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, TypeAlias

from agent_framework import ChatResponse, ChatResponseUpdate, ResponseStream

Stream: TypeAlias = ResponseStream[ChatResponseUpdate, ChatResponse[Any]]  # Any: no structured output


class Reading:
    """Reads the streams of a wrapped model call: the model is called when a reader pulls the stream."""

    def __init__(self) -> None:
        self._read: list[tuple[ChatResponse[Any], Sequence[ChatResponseUpdate]]] = []

    async def response(self, stream: Stream) -> ChatResponse[Any]:
        """Read a stream to its end, and return its response."""
        response = await stream.get_final_response()
        self._read.append((response, tuple(stream.updates)))
        return response

    def stream(self, response: ChatResponse[Any]) -> Stream:
        """Return a stream of a response: the updates that were read, or those of a wrapper's own response."""
        updates = next((updates for read, updates in self._read if read is response), None)

        async def again() -> AsyncIterator[ChatResponseUpdate]:
            for update in response.to_updates() if updates is None else updates:
                yield update

        return ResponseStream(again(), finalizer=lambda _: response)
