"""The four kinds of tools: how they are called, and how their results are reported."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextvars import ContextVar

import pytest
from msgspec.structs import replace

from loopspec_reference import (
    EnhancedStreamingToolEndpoint,
    EnhancedToolEndpoint,
    Handler,
    ImagePart,
    Message,
    MessageEvent,
    ModelRequest,
    StreamingToolEndpoint,
    TextPart,
    ToolArgument,
    ToolContext,
    ToolEndpoint,
    ToolInfo,
    ToolMiddleware,
    ToolRequest,
    ToolResult,
)

from ..doubles import QUESTION, Answers, agent, asks, drain, raising, reported, returning

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="")


class Streaming:
    """A streamable tool."""

    info = ToolInfo("add")

    def __init__(self, *pieces: str | Exception) -> None:
        self._pieces = pieces

    async def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        """Yield the pieces."""
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece


class Both(Streaming):
    """A tool that is invokable and streamable."""

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the result."""
        return "invoked"


class Enhanced:
    """An enhanced invokable tool."""

    info = ToolInfo("add")

    async def invoke_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> ToolResult:
        """Return the result."""
        return ToolResult((TextPart(request.arguments.text), ImagePart("x.png", "image/png")))


class EnhancedStreaming:
    """An enhanced streamable tool."""

    info = ToolInfo("add")

    async def stream_enhanced(
        self, context: ToolContext, request: ToolRequest[ToolArgument]
    ) -> AsyncIterator[ToolResult]:
        """Yield the parts."""
        yield ToolResult((TextPart("2"),))
        yield ToolResult((TextPart("4"),))


class Recording(ToolMiddleware):
    """A tool middleware that records which wrapper is called."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        """Record the call."""
        self.called.append("tool")
        return endpoint

    def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        """Record the call."""
        self.called.append("streaming")
        return endpoint

    def wrap_enhanced_tool(self, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        """Record the call."""
        self.called.append("enhanced")
        return endpoint

    def wrap_enhanced_streaming_tool(
        self, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        """Record the call."""
        self.called.append("enhanced streaming")
        return endpoint


@pytest.mark.parametrize(
    ("tool", "streaming", "kind", "result"),
    [
        (returning("add", "4"), False, "tool", "4"),
        (returning("add", "4"), True, "tool", "4"),
        (Streaming("2", "4"), False, "streaming", "~24"),
        (Streaming("2", "4"), True, "streaming", "~24"),
        (Streaming(), False, "streaming", "~"),
        (Both("2", "4"), False, "tool", "invoked"),
        (Both("2", "4"), True, "streaming", "~24"),
        (Enhanced(), False, "enhanced", "{}"),
        (EnhancedStreaming(), False, "enhanced streaming", "~24"),
    ],
)
def test_each_kind_has_its_wrapper_and_its_event(tool: object, streaming: bool, kind: str, result: str) -> None:
    """The mode of the run decides only for a tool with both interfaces."""
    recording, model = Recording(), Answers(asks("add"), "4")
    built = agent(model, tools=[tool], tool_middlewares=[recording])  # type: ignore[list-item]  # of various kinds
    events = reported(built.run([QUESTION], streaming=streaming))

    assert (recording.called, events[1], model.given[1][2].outcome) == ([kind], result, result.removeprefix("~"))


def test_parts_are_kept_and_the_text_stays_empty() -> None:
    """The event and the conversation have the parts."""
    model = Answers(asks("add"), "4")
    events = drain(agent(model, tools=[Enhanced()]).run([QUESTION]))
    result = model.given[1][2]

    assert (result.text, result.parts) == ("", (TextPart("{}"), ImagePart("x.png", "image/png")))
    assert events[1] == MessageEvent("agent", ("agent",), result)


def test_a_stream_that_breaks_is_reported_and_ends_the_run() -> None:
    """A stream that never opened is not reported."""
    error = RuntimeError("broken")

    assert reported(agent(Answers(asks("add")), tools=[Streaming("2", error)]).run([QUESTION])) == [
        "",
        "~2 (RuntimeError)",
        "RuntimeError",
    ]
    assert reported(agent(Answers(asks("add")), tools=[Streaming(error)]).run([QUESTION])) == ["", "RuntimeError"]


class Looking(Both):
    """A tool that records its options and context."""

    def __init__(self, seen: list[object]) -> None:
        super().__init__()
        self._seen = seen

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Record options and context."""
        self._seen.append((dict(request.options), VARIABLE.get()))
        return "4"

    async def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        """Record options and context."""
        yield await self.invoke(context, request)


def test_options_and_context_of_a_wrapper_reach_the_tool() -> None:
    """Options and context are the same for streamable tools."""
    seen: list[object] = []

    class Outer(Handler[Message]):
        def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
            async def around(request: ToolRequest[str]) -> str:
                result = await endpoint(request)
                seen.append(VARIABLE.get())
                return result

            return around

        def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
            async def around(request: ToolRequest[str]) -> AsyncIterator[str]:
                async for piece in endpoint(request):
                    yield piece
                seen.append(VARIABLE.get())

            return around

    class Inner(Handler[Message]):
        def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
            VARIABLE.set("inner")
            return lambda request: endpoint(replace(request, options={"a": 1}))

        def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
            VARIABLE.set("inner")
            return lambda request: endpoint(replace(request, options={"a": 1}))

    for streaming in (False, True):
        built = agent(Answers(asks("add"), "4"), tools=[Looking(seen)], handlers=[Outer(), Inner()])
        reported(built.run([QUESTION], streaming=streaming))

    assert seen == [({"a": 1}, "inner"), ""] * 2


class Notes:
    """Callbacks that record their calls."""

    def __init__(self) -> None:
        self.trace: list[str] = []

    def model_start(self, request: ModelRequest[Message]) -> None:
        """Record the call."""
        self.trace.append("model")

    def model_end(self, message: Message) -> None:
        """Record the call."""
        self.trace.append(f"model: {message.text}")

    def tool_start(self, context: ToolContext, request: ToolRequest[str] | ToolRequest[ToolArgument]) -> None:
        """Record the call."""
        self.trace.append(context.name)

    def tool_end(self, context: ToolContext, result: str | ToolResult) -> None:
        """Record the call."""
        self.trace.append(f"{context.name}: {result if isinstance(result, str) else len(result.parts)}")


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("tool", "result"), [(Both("inv", "oked"), "invoked"), (EnhancedStreaming(), 2)])
def test_callbacks_receive_whole_answers(streaming: bool, tool: object, result: object) -> None:
    """Each call has one pair of callbacks, unless the model calls its own callbacks."""
    notes, silent = Notes(), Notes()
    tools = [tool]
    reported(agent(Answers(asks("add"), "4"), tools=tools, callbacks=notes).run([QUESTION], streaming=streaming))  # type: ignore[arg-type]  # of either kind

    class Reporting(Answers):
        reports_callbacks = True

    reported(agent(Reporting("4"), callbacks=silent).run([QUESTION], streaming=streaming))

    assert notes.trace == ["model", "model: ", "add", f"add: {result}", "model", "model: 4"]
    assert silent.trace == []


def test_calls_may_be_sequential() -> None:
    """The calls do not overlap; later calls are made after a failure too."""
    tools = [raising("a", RuntimeError("broken")), returning("b", "4")]
    events = reported(agent(Answers(asks("a", "b")), tools=tools, parallel_tools=False).run([QUESTION]))

    assert events == ["", "4", "RuntimeError"]
