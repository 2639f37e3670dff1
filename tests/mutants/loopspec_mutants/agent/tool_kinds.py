"""Mutants about the four kinds of tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, cast
from unittest.mock import patch

from loopspec_reference import (
    AnyMessage,
    MessageEvent,
    Tool,
    ToolCall,
    ToolContext,
    ToolRequest,
    ToolResult,
)
from loopspec_reference.calls.chains import nested_streams
from loopspec_reference.loop import tool_calls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.errors import checked
from loopspec_reference.values.events import Event

from ..registry import mutant

Calls = ToolCalls[AnyMessage]
Stream = Callable[[Any], AsyncIterator[Any]]  # Any: of a plain or of an enhanced tool
_call = ToolCalls.call


def _joins(call: ToolCall, chunks: list[str]) -> str:
    return "".join(checked(chunk, str, call.name) for chunk in chunks)


@mutant("HOOK-WT-02")
def makes_all_tools_streamable_in_a_streaming_run() -> AbstractContextManager[object]:
    """Wraps an invokable tool with the wrappers for streamable tools in a streaming run."""

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        call: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        if not run.streaming or box.kinds[call.name][True] != "tool":
            return await _call(self, run, box, call, context, emit, exits)
        tool = cast("Tool", box.tools[call.name])

        async def innermost(request: ToolRequest[str]) -> str:
            return await tool.invoke(context, request)

        async def streams(request: ToolRequest[str]) -> AsyncIterator[str]:
            yield await self._with_callbacks(context, innermost)(request)

        wraps = [tool_calls._bound(one.wrap_streaming_tool, context) for one in self._streaming]
        texts = nested_streams(wraps, streams)(ToolRequest(call.arguments))
        message = self._message_type.tool_result(call, _joins(call, [text async for text in texts]))
        emit(MessageEvent(run.agent, run.path, message, exits))
        return message

    return patch.object(ToolCalls, "call", calls)


@mutant("HOOK-WT-14")
def joins_chunks_before_the_wrappers() -> AbstractContextManager[object]:
    """Joins the chunks of a tool's stream before the tool wrappers receive them."""

    def joined(wraps: Sequence[Callable[[Stream], Stream]], innermost: Stream) -> Stream:
        if not wraps:
            return nested_streams(wraps, innermost)

        async def whole(request: Any) -> AsyncIterator[Any]:  # Any: of either kind of tool
            read = [piece async for piece in innermost(request)]
            if all(isinstance(piece, str) for piece in read):
                yield "".join(read)
            else:
                yield ToolResult(tuple(part for piece in read for part in piece.parts))

        return nested_streams(wraps, whole)

    return patch.object(tool_calls, "nested_streams", joined)
