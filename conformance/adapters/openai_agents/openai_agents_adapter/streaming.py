"""Streaming runs: the events that a run yields."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

from agents import RawResponsesStreamEvent, RunItemStreamEvent, RunResultStreaming
from agents.items import ToolCallOutputItem, TResponseStreamEvent
from openai.types.responses import ResponseCompletedEvent, ResponseOutputItemDoneEvent, ResponseTextDeltaEvent

from loopspec import Message
from loopspec_adapting import Conversion, Reporter

from .cancelling import cancel_after_tools, report_cancelled
from .interrupts import report_end
from .items import Group, groups_of


async def report_run(result: RunResultStreaming, report: Reporter[Group]) -> None:
    """Report the events of a run, and its end."""
    await report_events(result, report)
    if not await report_cancelled(result, report):
        await report_end(result, report)


async def report_events(result: RunResultStreaming, report: Reporter[Group]) -> None:
    """Report each model call as one stream, and each result as a message."""
    push: Callable[[Message], None] | None = None
    report.cancels.cancel_with(result.cancel)
    async with AsyncExitStack() as model_call:
        async for event in result.stream_events():
            cancel_after_tools(result, report)
            if isinstance(event, RawResponsesStreamEvent):
                if push is None:
                    push = await model_call.enter_async_context(report.stream())
                if isinstance(event.data, ResponseCompletedEvent):
                    await model_call.aclose()
                    push = None
                else:
                    push(chunk_of(event.data, report.conversion))
            elif isinstance(event, RunItemStreamEvent) and isinstance(event.item, ToolCallOutputItem):
                report.message(groups_of([event.item.to_input_item()])[0])


def chunk_of(event: TResponseStreamEvent, conversion: Conversion[Group]) -> Message:
    """Return an event of a model as a chunk: a text, or a tool call."""
    if isinstance(event, ResponseOutputItemDoneEvent):
        return conversion.all_to_wire(groups_of([event.item]))[0]
    assert isinstance(event, ResponseTextDeltaEvent), "the scripted model has no other events"
    return Message(role="assistant", content=event.delta)
