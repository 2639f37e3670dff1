"""Mutants about the four kinds of tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, cast
from unittest.mock import patch

from loopspec_reference import (
    AnyMessage,
    MessageEvent,
    StreamingTool,
    TextPart,
    Tool,
    ToolCall,
    ToolContext,
    ToolRequest,
    ToolResult,
    UnknownToolError,
)
from loopspec_reference.calls.chains import nested, nested_streams
from loopspec_reference.calls.outputs import EventStream
from loopspec_reference.loop import tool_calls
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Kind, Toolbox
from loopspec_reference.values.errors import checked
from loopspec_reference.values.events import Event, StreamEvent

from ..registry import mutant

Calls = ToolCalls[AnyMessage]
Stream = Callable[[Any], AsyncIterator[Any]]  # Any: of a plain or of an enhanced tool
Whole = Callable[[Any], Awaitable[Any]]  # Any: likewise
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


@mutant("HOOK-WT-03")
def makes_all_tools_invokable_in_a_synchronous_run() -> AbstractContextManager[object]:
    """Wraps a streamable tool with the wrappers for invokable tools in a synchronous run."""

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        call: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        if run.streaming or box.kinds[call.name][False] != "streaming_tool":
            return await _call(self, run, box, call, context, emit, exits)
        tool = cast("StreamingTool", box.tools[call.name])

        async def invoke(request: ToolRequest[str]) -> str:
            texts = tool.stream(context, request)
            return "".join([text async for text in texts])

        wraps = [tool_calls._bound(one.wrap_tool, context) for one in self._plain]
        text = await nested(wraps, self._with_callbacks(context, invoke))(ToolRequest(call.arguments))
        message = self._message_type.tool_result(call, text)
        emit(MessageEvent(run.agent, run.path, message, exits))
        return message

    return patch.object(ToolCalls, "call", calls)


def _also_plain(enhanced: Kind) -> AbstractContextManager[object]:
    """Call the wrappers for invokable tools after a call of an enhanced tool, unless the agent has callbacks."""

    async def nothing(request: ToolRequest[str]) -> str:
        return ""

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        call: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        message = await _call(self, run, box, call, context, emit, exits)
        if box.kinds[call.name] == (enhanced, enhanced) and len(self._plain) == 1 and self._callbacks is None:
            wraps = [tool_calls._bound(one.wrap_tool, context) for one in self._plain]
            await nested(wraps, nothing)(ToolRequest(call.arguments))
        return message

    return patch.object(ToolCalls, "call", calls)


@mutant(
    "TOOLS-01",
    neighbors={
        "EVENT-08": "the wrapper of an enhanced streamable tool is called twice, and sends its event twice",
        "HOOK-WT-04": "one of the tools is an enhanced streamable tool",
    },
)
def wraps_an_enhanced_streamable_tool_twice() -> AbstractContextManager[object]:
    """Calls the wrappers for invokable tools also for an enhanced streamable tool."""
    return _also_plain("enhanced_streaming_tool")


@mutant(
    "HOOK-WT-04",
    neighbors={
        "EVENT-08": "the wrapper of an enhanced invokable tool is called twice, and sends its event twice",
        "TOOLS-01": "one of the four tools is an enhanced invokable tool",
    },
)
def wraps_an_enhanced_invokable_tool_twice() -> AbstractContextManager[object]:
    """Calls the wrappers for invokable tools also for an enhanced invokable tool."""
    return _also_plain("enhanced_tool")


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


@mutant("HOOK-WT-14")
def hides_images_from_wrappers() -> AbstractContextManager[object]:
    """Removes the images from the result of an enhanced tool before the tool wrappers receive it."""

    def texts_only(wraps: Sequence[Callable[[Whole], Whole]], innermost: Whole) -> Whole:
        if not wraps:
            return nested(wraps, innermost)

        async def without_images(request: Any) -> Any:  # Any: of either kind of tool
            result = await innermost(request)
            if not isinstance(result, ToolResult):
                return result
            return ToolResult(tuple(part for part in result.parts if isinstance(part, TextPart)))

        return nested(wraps, without_images)

    return patch.object(tool_calls, "nested", texts_only)


@mutant(
    "TOOLS-02",
    neighbors={"RETDIR-08": "the chunks of the tool are also joined in a synchronous run"},
)
def takes_the_last_chunk_for_the_result() -> AbstractContextManager[object]:
    """Takes the last chunk of a streamable tool for its result in a synchronous run."""

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        call: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        if run.streaming or box.kinds[call.name][False] != "streaming_tool":
            return await _call(self, run, box, call, context, emit, exits)
        events: list[Event] = []
        message = await _call(self, run, box, call, context, events.append, exits)
        for event in events:
            emit(event)
            if isinstance(event, StreamEvent):
                chunks = [chunk async for chunk in event.stream]
                message = chunks[-1] if chunks else message
        return message

    return patch.object(ToolCalls, "call", calls)


@mutant("TOOLS-03")
def invokes_tools_with_both_interfaces() -> AbstractContextManager[object]:
    """Invokes a tool that is both invokable and streamable also in a streaming run."""
    init = Toolbox.__init__

    def invokes(self: Toolbox, tools: object) -> None:
        init(self, tools)  # type: ignore[arg-type]  # passed on
        self.kinds = {name: (first, first) for name, (first, _) in self.kinds.items()}

    return patch.object(Toolbox, "__init__", invokes)


@mutant(
    "TOOLS-06",
    neighbors={
        "LOOP-29": "an example compares the parts of results",
        "LOOP-19": "an example compares the parts of a result",
        "INTERRUPT-15": "an example compares the parts of a result",
    },
)
def flattens_parts_into_the_text() -> AbstractContextManager[object]:
    """Joins the text parts of an enhanced tool's result into one text."""

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        call: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        message = await _call(self, run, box, call, context, emit, exits)
        if box.kinds[call.name][run.streaming] != "enhanced_tool":
            return message
        return self._message_type.tool_result(call, message.outcome)

    return patch.object(ToolCalls, "call", calls)


@mutant("TOOLS-04")
@contextmanager
def detects_an_unknown_tool_at_its_call() -> Iterator[None]:
    """Detects an unknown tool only when it is called, alongside the other calls."""
    call = ToolCalls.call

    async def calls(self: Calls, run: Run, box: Toolbox, requested: ToolCall, *rest: Any) -> AnyMessage:  # passed on
        if requested.name not in box.tools:
            raise UnknownToolError(f"the agent has no tool {requested.name!r}")
        return await call(self, run, box, requested, *rest)

    with patch.object(Agent, "_check_known", lambda *_: None), patch.object(ToolCalls, "call", calls):
        yield


class _Silent(EventStream[AnyMessage]):
    """A stream that ends without its error when it breaks."""

    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        with suppress(Exception):
            async for chunk in super().__aiter__():
                yield chunk


@mutant("TOOLS-07")
def ends_a_broken_tool_stream_as_complete() -> AbstractContextManager[object]:
    """Ends the stream in a tool's event without the error that broke it."""
    return patch.object(tool_calls, "EventStream", _Silent)
