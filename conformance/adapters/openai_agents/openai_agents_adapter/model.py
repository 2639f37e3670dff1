"""The model of an agent: its answers, and the events of an answer in chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agents import ModelResponse, Tool, TResponseInputItem, Usage
from agents.items import TResponseStreamEvent
from agents.models.interface import Model
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItemDoneEvent,
    ResponseTextDeltaEvent,
)

from loopspec import Message, ToolCall
from loopspec_adapting import ModelDouble

from .items import Group, call_item, groups_of, output_of
from .tools import info_of


class Scripted(Model):
    """A scripted model."""

    def __init__(self, double: ModelDouble[Group]) -> None:
        self.double = double

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002  # the SDK's name
        model_settings: object,
        tools: list[Tool],
        *more: Any,
        **others: Any,
    ) -> ModelResponse:
        """Return the answer."""
        offered = [info_of(tool) for tool in tools]
        answer = await self.double.answer(groups_of(input), offered, system_instructions or "")
        if answer is None:
            return None  # type: ignore[return-value]  # a model's mistake
        return ModelResponse(output=output_of(answer), usage=Usage(), response_id=None)

    async def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002  # the SDK's name
        model_settings: object,
        tools: list[Tool],
        *more: Any,
        **others: Any,
    ) -> AsyncIterator[TResponseStreamEvent]:
        """Yield a text or a call for each chunk, and the whole answer at the end. No chunk at all is no answer."""
        text, calls, at = "", list[ToolCall](), 0
        offered = [info_of(tool) for tool in tools]
        async for chunk in self.double.chunks(groups_of(input), offered, system_instructions or ""):
            if chunk.content or not chunk.tool_calls:
                text += chunk.content
                yield text_event(chunk.content, at)
            for call in chunk.tool_calls:
                yield call_event(call, len(calls), at)
                calls.append(call)
            at += 1
        if at:
            answer = Message(role="assistant", content=text, tool_calls=tuple(calls))
            yield answer_event(output_of(self.double.conversion.from_wire(answer)), at)


def text_event(text: str, at: int) -> TResponseStreamEvent:
    """Return the event of a chunk of text."""
    return ResponseTextDeltaEvent(
        type="response.output_text.delta",
        item_id="message",
        delta=text,
        content_index=0,
        output_index=0,
        sequence_number=at,
        logprobs=[],
    )


def call_event(call: ToolCall, index: int, at: int) -> TResponseStreamEvent:
    """Return the event of a complete tool call."""
    item = ResponseFunctionToolCall.model_validate(call_item(call.id, call.name, call.args))
    return ResponseOutputItemDoneEvent(
        type="response.output_item.done", item=item, output_index=index, sequence_number=at
    )


def answer_event(output: list[Any], at: int) -> TResponseStreamEvent:  # Any: the API's own union of items
    """Return the last event of an answer."""
    response = Response(
        id="response",
        created_at=0,
        model="scripted",
        object="response",
        output=output,
        parallel_tool_calls=True,
        tool_choice="auto",
        tools=[],
    )
    return ResponseCompletedEvent(type="response.completed", response=response, sequence_number=at)
