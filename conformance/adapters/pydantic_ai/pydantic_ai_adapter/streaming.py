"""Streaming runs: the chunks of a model, and the events that its caller receives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls

from loopspec import Message
from loopspec.adapting import ModelDouble, Reporter

from .tools import info_of

Chunks = AsyncIterator[str | DeltaToolCalls]


def chunk_function(
    double: ModelDouble[ModelMessage],
) -> Callable[[list[ModelMessage], AgentInfo], Any]:  # Any: chunks of a type that has more kinds than these
    """Return the function that a model of pydantic-ai streams with."""

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> Chunks:
        tools = [info_of(tool) for tool in info.function_tools]
        async for chunk in double.chunks(messages, tools, info.instructions):
            if chunk.content or not chunk.tool_calls:
                yield chunk.content
            if chunk.tool_calls:
                yield {
                    at: DeltaToolCall(call.name, call.args, tool_call_id=call.id)
                    for at, call in enumerate(chunk.tool_calls)
                }

    return stream


async def report_stream(node: Any, ctx: Any, report: Reporter[ModelMessage]) -> None:
    """Report a model call as one stream: the parts and the deltas that the node's stream yields.

    Any: a node and a context of the graph, which pydantic-ai types by the graph's own parameters.
    """
    async with report.stream() as push, node.stream(ctx) as events:
        async for event in events:
            if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart | ToolCallPart):
                push(report.conversion.to_wire(ModelResponse([event.part]))[0])
            elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                push(Message(role="assistant", content=event.delta.content_delta))
