"""Streaming runs: the events of a scripted model, and the events that a run yields."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

from agents import RawResponsesStreamEvent, RunItemStreamEvent, RunResultStreaming
from agents.items import ToolCallOutputItem, TResponseStreamEvent
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItemDoneEvent,
    ResponseTextDeltaEvent,
)

from loopspec import Message
from loopspec.adapting import Reporter

from .items import Group, call_item, group_of, groups_of, output_of


async def events_of(chunks: AsyncIterator[Message]) -> AsyncIterator[TResponseStreamEvent]:
    """Yield a text or a call for each chunk, and the whole answer at the end."""
    text, calls, at = "", [], 0
    async for chunk in chunks:
        if chunk.content or not chunk.tool_calls:
            text += chunk.content
            yield ResponseTextDeltaEvent(
                type="response.output_text.delta", delta=chunk.content, item_id="message",
                content_index=0, output_index=0, sequence_number=at, logprobs=[],
            )  # fmt: skip
        for call in chunk.tool_calls:
            calls.append(call)
            item = ResponseFunctionToolCall.model_validate(call_item(call.id, call.name, call.args))
            yield ResponseOutputItemDoneEvent(
                type="response.output_item.done", item=item, output_index=len(calls), sequence_number=at
            )
        at += 1
    answer = Message(role="assistant", content=text, tool_calls=tuple(calls))
    response = Response(
        id="response", created_at=0, model="scripted", object="response", output=output_of(group_of(answer, f"msg_{id(answer)}")),
        parallel_tool_calls=True, tool_choice="auto", tools=[],
    )  # fmt: skip
    yield ResponseCompletedEvent(type="response.completed", response=response, sequence_number=at)


async def report_events(result: RunResultStreaming, report: Reporter[Group]) -> None:
    """Report each model call as one stream, and each result as a message."""
    push: Callable[[Message], None] | None = None
    async with AsyncExitStack() as model_call:
        async for event in result.stream_events():
            if isinstance(event, RawResponsesStreamEvent):
                push = push or await model_call.enter_async_context(report.stream())
                match event.data:
                    case ResponseTextDeltaEvent():
                        push(Message(role="assistant", content=event.data.delta))
                    case ResponseOutputItemDoneEvent():
                        push(report.conversion.all_to_wire(groups_of([event.data.item]))[0])
                    case ResponseCompletedEvent():
                        await model_call.aclose()
                        push = None
            elif isinstance(event, RunItemStreamEvent) and isinstance(event.item, ToolCallOutputItem):
                report.message(groups_of([event.item.to_input_item()])[0])
