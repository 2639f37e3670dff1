"""Streaming runs: the chunks of a model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Any

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls

from loopspec_adapting import ModelDouble

from .tools import info_of

Chunks = AsyncIterator[str | DeltaToolCalls]


def chunk_function(
    double: ModelDouble[ModelMessage],
) -> Callable[[list[ModelMessage], AgentInfo], Any]:  # Any: chunks of a type that has more kinds than these
    """Return the function that a model of pydantic-ai streams with."""

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> Chunks:
        tools, places = [info_of(tool) for tool in info.function_tools], count()
        async for chunk in double.chunks(messages, tools, info.instructions):
            if chunk.content or not chunk.tool_calls:
                yield chunk.content
            if chunk.tool_calls:
                yield {
                    next(places): DeltaToolCall(call.name, call.args, tool_call_id=call.id) for call in chunk.tool_calls
                }

    return stream
