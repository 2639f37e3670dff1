"""One tool call, from the event that reports its result to the tool itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from ..calls.callbacks import Callbacks
from ..calls.chains import nested, nested_streams
from ..calls.outputs import EventStream, Output
from ..calls.replays import Replay, Resumption
from ..handlers.handler import ToolMiddleware, overridden
from ..runs.run import Run
from ..tools.kinds import ToolArgument, ToolContext, ToolRequest, ToolResult
from ..tools.toolboxes import Toolbox
from ..values.errors import checked
from ..values.events import Event, MessageEvent, StreamEvent
from ..values.messages import M, ToolCall

A = TypeVar("A", str, ToolArgument)
R = TypeVar("R", str, ToolResult)


class ToolCalls(Generic[M]):
    """The tool calls of one agent.

    From outside in: the event, the tool middlewares, the legacy middlewares, the handlers' wraps, the callbacks, the
    tool (ORDER-TOOL-01 to ORDER-TOOL-05). `layers` are all objects with wraps, in this order.
    """

    def __init__(self, message_type: type[M], layers: Sequence[ToolMiddleware], callbacks: Callbacks[M] | None) -> None:
        self._message_type = message_type
        self._callbacks = callbacks
        self._plain = overridden(layers, "wrap_tool")
        self._streaming = overridden(layers, "wrap_streaming_tool")
        self._enhanced = overridden(layers, "wrap_enhanced_tool")
        self._enhanced_streaming = overridden(layers, "wrap_enhanced_streaming_tool")

    async def call(
        self, run: Run, box: Toolbox, call: ToolCall, context: ToolContext, emit: Callable[[Event], None], exits: bool
    ) -> M:
        """Return the message with the result of the call, and emit its event."""
        tool: Any = box.tools[call.name]  # Any: one of the four kinds of tools, which `kind` names
        kind = box.kinds[call.name][run.streaming]
        text = ToolRequest(call.arguments)
        replay = run.replays.get(context.place, Replay())
        layers = Resumption(replay, context.resumed, partial(run.replays.__setitem__, context.place))
        if replay.depth is not None:
            context = replace(context, resumed=None)  # a wrapper interrupted, and not the tool
        argument: ToolRequest[ToolArgument]
        if kind == "tool":
            plain = nested(
                layers.around(
                    [_bound(one.wrap_tool, context) for one in self._plain],
                    str,
                ),
                self._with_callbacks(context, partial(tool.invoke, context)),
            )
            result = await plain(text)
            message = self._message_type.tool_result(call, checked(result, str, call.name))
        elif kind == "enhanced_tool":
            enhanced = nested(
                layers.around(
                    [_bound(one.wrap_enhanced_tool, context) for one in self._enhanced],
                    _as_result,
                ),
                self._with_callbacks(context, partial(tool.invoke_enhanced, context)),
            )
            argument = ToolRequest(ToolArgument(call.arguments))
            answer = checked(await enhanced(argument), ToolResult, call.name)
            message = self._message_type.tool_result(call, "", answer.parts)
        elif kind == "streaming_tool":
            streaming = nested_streams(
                layers.around_streams([_bound(one.wrap_streaming_tool, context) for one in self._streaming], str),
                self._stream_with_callbacks(context, partial(tool.stream, context), "".join),
            )
            texts = streaming(text)
            messages = (self._message_type.tool_result(call, checked(piece, str, call.name)) async for piece in texts)
            return await self._streamed(run, call, messages, emit, exits)
        else:
            enhanced_streaming = nested_streams(
                layers.around_streams(
                    [_bound(one.wrap_enhanced_streaming_tool, context) for one in self._enhanced_streaming], _as_result
                ),
                self._stream_with_callbacks(context, partial(tool.stream_enhanced, context), _joined),
            )
            argument = ToolRequest(ToolArgument(call.arguments))
            results = enhanced_streaming(argument)
            messages = (self._message_type.tool_result(call, "", piece.parts) async for piece in results)
            return await self._streamed(run, call, messages, emit, exits)
        emit(MessageEvent(run.agent, run.path, message, exits))
        return message

    async def _streamed(
        self, run: Run, call: ToolCall, chunks: AsyncIterator[M], emit: Callable[[Event], None], exits: bool
    ) -> M:
        """Emit the stream, in either mode (TOOLS-08), and wait for its end."""
        nothing = self._message_type.tool_result(call, "")  # the result of a stream without a chunk
        output = Output(chunks, lambda read: self._message_type.concat([nothing, *read]))
        await output.opened()
        stream = EventStream(output)
        stream.settle()
        emit(StreamEvent(run.agent, run.path, stream, exits))
        return await output.message()

    def _with_callbacks(
        self, context: ToolContext, innermost: Callable[[ToolRequest[A]], Awaitable[R]]
    ) -> Callable[[ToolRequest[A]], Awaitable[R]]:
        """Return the tool with the callbacks directly around it."""
        callbacks = self._callbacks
        if callbacks is None:
            return innermost

        async def around(request: ToolRequest[A]) -> R:
            callbacks.tool_start(context, request)
            result = await innermost(request)
            callbacks.tool_end(context, result)
            return result

        return around

    def _stream_with_callbacks(
        self,
        context: ToolContext,
        innermost: Callable[[ToolRequest[A]], AsyncIterator[R]],
        join: Callable[[list[R]], R],
    ) -> Callable[[ToolRequest[A]], AsyncIterator[R]]:
        callbacks = self._callbacks
        if callbacks is None:
            return innermost

        async def around(request: ToolRequest[A]) -> AsyncIterator[R]:
            callbacks.tool_start(context, request)
            read: list[R] = []
            async for piece in innermost(request):
                read.append(piece)
                yield piece
            callbacks.tool_end(context, join(read))

        return around


Endpoint = TypeVar("Endpoint")


def _bound(wrap: Callable[[Endpoint, ToolContext], Endpoint], context: ToolContext) -> Callable[..., Endpoint]:
    return lambda endpoint, resumed=None: wrap(endpoint, replace(context, resumed=resumed))


def _as_result(answer: object) -> ToolResult:
    return msgspec.convert(answer, ToolResult)


def _joined(results: list[ToolResult]) -> ToolResult:
    return ToolResult(tuple(part for result in results for part in result.parts))
