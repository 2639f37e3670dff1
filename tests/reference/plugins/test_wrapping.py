"""Wrappers of middlewares around model calls and tool calls."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from loopspec_reference import (
    AgenticMessage,
    ImagePart,
    Message,
    MessageEvent,
    StreamEvent,
    TextPart,
    ToolArgument,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
    ToolResult,
)
from loopspec_reference.loop.agents import Agent
from loopspec_reference.plugins import (
    Command,
    HookState,
    Middleware,
    ModelCallRequest,
    ModelHandler,
    Runtime,
    Stack,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
)

from ..doubles import QUESTION, Answers, Function, asks, drain, raising, reported, returning, texts_of
from .stacks import failure, stacked, text_of


class Count(msgspec.Struct):
    """A state."""

    count: int = 0


class Many:
    """A tool of one of the other three kinds, which records its calls."""

    def __init__(self, kind: str) -> None:
        self.info = ToolInfo("add")
        self.arguments: list[str] = []
        setattr(self, kind, getattr(self, f"_{kind}"))

    async def _stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        self.arguments.append(request.arguments)
        yield "fo"
        yield "ur"

    async def _invoke_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> ToolResult:
        self.arguments.append(request.arguments.text)
        return ToolResult((TextPart("four"), ImagePart("u")))

    async def _stream_enhanced(
        self, context: ToolContext, request: ToolRequest[ToolArgument]
    ) -> AsyncIterator[ToolResult]:
        self.arguments.append(request.arguments.text)
        yield ToolResult((TextPart("four"),))
        yield ToolResult((ImagePart("u"),))


KINDS = ["stream", "invoke_enhanced", "stream_enhanced"]


def test_a_wrapper_of_either_form_receives_the_request() -> None:
    """A synchronous wrapper may return the awaitable."""
    seen: list[ModelCallRequest] = []

    def plain(request: ModelCallRequest, handler: ModelHandler) -> Any:
        seen.append(request)
        return handler(request)

    async def later(request: ModelCallRequest, handler: ModelHandler) -> Any:
        seen.append(request)
        return await handler(request)

    built = stacked(
        Answers("4"),
        Middleware("a", wrap_model_call=plain, state_schema=Count),
        Middleware("b", wrap_model_call=later),
        instruction="Be brief.",
        tools=[returning("add", "4")],
    )
    assert texts_of(drain(built.run([QUESTION]))) == ["4"]

    for request in seen:
        assert (request.messages, request.system, request.tools) == ((QUESTION,), "Be brief.", (ToolInfo("add"),))
        assert (request.model, request.runtime) == (None, Runtime("agent"))
    assert seen[0].state == Count(0)
    assert not hasattr(seen[1].state, "count")


def test_a_changed_request_is_for_one_call() -> None:
    """Model, messages, prompt and tools can be changed; the conversation is unchanged."""
    other, own = Answers("other"), Answers(asks("add"))

    async def change(request: ModelCallRequest, handler: ModelHandler) -> Any:
        if len(request.messages) < 2:
            return await handler(request)
        changed = replace(request, model=other, messages=(Message.user("1 + 1?"),), system="Be long.", tools=())
        return await handler(changed)

    seen: list[tuple[Any, ...]] = []

    def look(state: HookState, runtime: Runtime) -> None:
        seen.append(state.messages)

    middleware = Middleware("m", wrap_model_call=change, after_model=look)
    drain(stacked(own, middleware, instruction="Be brief.", tools=[returning("add", "4")]).run([QUESTION]))

    assert other.given == [(Message.system("Be long."), Message.user("1 + 1?"))]
    assert other.offered == [()]
    assert len(own.given) == 1
    assert [message.role for message in seen[-1]] == ["system", "user", "assistant", "tool", "assistant"]
    assert seen[-1][0] == Message.system("Be brief.")


def test_a_wrapper_may_short_circuit_or_call_twice() -> None:
    """Inner wrappers and the model run as often as they are called."""
    inner: list[str] = []

    async def count(request: ModelCallRequest, handler: ModelHandler) -> Any:
        inner.append("in")
        return await handler(request)

    async def never(request: ModelCallRequest, handler: ModelHandler) -> Any:
        return Message.assistant("No.")

    async def twice(request: ModelCallRequest, handler: ModelHandler) -> Any:
        await handler(request)
        return await handler(request)

    for outer, answer, asked in [(never, "No.", 0), (twice, "second", 2)]:
        inner.clear()
        model = Answers("first", "second")
        built = stacked(model, Middleware("a", wrap_model_call=outer), Middleware("b", wrap_model_call=count))
        assert texts_of(drain(built.run([QUESTION]))) == [answer]
        assert (len(model.requests), len(inner)) == (asked, asked)


def test_a_stream_passes_a_wrapper_with_its_chunks() -> None:
    """The wrapper receives the whole message; a changed message is one chunk."""
    seen: list[str] = []

    async def look(request: ModelCallRequest, handler: ModelHandler) -> Any:
        message = await handler(request)
        seen.append(message.text)
        return message

    async def change(request: ModelCallRequest, handler: ModelHandler) -> Any:
        return Message.assistant((await handler(request)).text.upper())

    async def chunks(built: Agent[Message]) -> list[str]:
        events = [event async for event in built.run([QUESTION], streaming=True)]
        return [chunk.text for event in events if isinstance(event, StreamEvent) async for chunk in event.stream]

    assert asyncio.run(chunks(stacked(Answers("four"), Middleware("m", wrap_model_call=look)))) == list("four")
    assert asyncio.run(chunks(stacked(Answers("four"), Middleware("m", wrap_model_call=change)))) == ["FOUR"]
    assert seen == ["four"]


def test_agentic_messages_pass_too() -> None:
    """A prompt is added as an agentic message, also to an empty conversation."""

    class Agentic:
        given: tuple[AgenticMessage, ...] = ()

        async def generate(self, request: Any) -> AgenticMessage:
            self.given = tuple(request.messages)
            return AgenticMessage.assistant("4")

        def stream(self, request: Any) -> Any:
            raise NotImplementedError

    async def prompt(request: ModelCallRequest, handler: ModelHandler) -> Any:
        return await handler(replace(request, system="Be brief."))

    stack = Stack[AgenticMessage]([Middleware("m", wrap_model_call=prompt)], AgenticMessage)
    for messages in ([AgenticMessage.user("2 + 2?")], []):
        model = Agentic()
        drain(Agent(name="a", model=model, message_type=AgenticMessage, handlers=[stack]).run(messages))
        assert model.given == (AgenticMessage.system("Be brief."), *messages)


@pytest.mark.parametrize(
    ("wrapper", "sentence"),
    [
        (lambda request, handler: None, "has returned None: return the message that answers the request"),
        (lambda request, handler: "4", "has returned '4': return the message that answers"),
        (
            lambda request, handler: handler("invalid"),
            "has passed on 'invalid': pass on the request, or a changed copy of it",
        ),
        (
            lambda request, handler: handler(replace(request, messages=("invalid",))),
            "has passed on ('invalid',): pass on messages of the agent's type",
        ),
    ],
)
def test_an_invalid_value_around_a_model_is_rejected(wrapper: Any, sentence: str) -> None:
    """The error names the wrapper."""
    events = drain(stacked(Answers("4"), Middleware("m", wrap_model_call=wrapper)).run([QUESTION]))

    assert failure(events).startswith(f"HookError: the wrap_model_call of the middleware 'm' {sentence}")


def test_a_tool_call_is_wrapped_by_both_forms() -> None:
    """A wrapper may change arguments and outcome; the result has the id of the call."""
    tool = Function("add", _echo)

    def plain(request: ToolCallRequest, handler: ToolHandler) -> Any:
        assert (request.call, request.runtime) == (ToolCall("call-add", "add"), Runtime("agent"))
        return handler(replace(request, call=ToolCall("call-add", "add", "[2]")))

    async def later(request: ToolCallRequest, handler: ToolHandler) -> Any:
        return ToolOutcome(text_of(await handler(request)) + "!")

    built = stacked(
        Answers(asks("add"), "4"),
        Middleware("a", wrap_tool_call=plain),
        Middleware("b", wrap_tool_call=later),
        tools=[tool],
    )
    events = drain(built.run([QUESTION]))

    results = [e.message for e in events if isinstance(e, MessageEvent) and e.message.role == "tool"]
    assert results == [Message.tool_result(ToolCall("call-add", "add"), "[2]!")]


async def _echo(context: ToolContext, arguments: str) -> str:
    return arguments


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_tool_is_wrapped(kind: str, streaming: bool) -> None:
    """A streamed result is one outcome for the wrapper, which can short-circuit each call."""
    seen: list[object] = []

    async def look(request: ToolCallRequest, handler: ToolHandler) -> Any:
        seen.append(await handler(replace(request, call=ToolCall("call-add", "add", "[2]"))))
        return seen[-1]

    async def reject(request: ToolCallRequest, handler: ToolHandler) -> Any:
        return ToolOutcome("Not you.")

    for wrapper, arguments, result in [(look, ["[2]"], "four"), (reject, [], "Not you.")]:
        tool: Any = Many(kind)
        built = stacked(Answers(asks("add"), "4"), Middleware("m", wrap_tool_call=wrapper), tools=[tool])
        texts = [text.removeprefix("~") for text in reported(built.run([QUESTION], streaming=streaming))]
        assert texts == ["", result, "4"]
        assert tool.arguments == arguments

    text = ToolOutcome("four") if kind == "stream" else ToolOutcome(parts=(TextPart("four"), ImagePart("u")))
    assert seen == [text]


def test_an_error_can_become_an_outcome() -> None:
    """The run continues."""

    async def catch(request: ToolCallRequest, handler: ToolHandler) -> Any:
        try:
            return await handler(request)
        except LookupError as error:
            return ToolOutcome(f"recovered from {error}")

    built = stacked(
        Answers(asks("add"), "4"), Middleware("m", wrap_tool_call=catch), tools=[raising("add", LookupError("x"))]
    )

    assert texts_of(drain(built.run([QUESTION]))) == ["", "recovered from x", "4"]


INVALID: Any = 3
PICTURE = ToolOutcome(parts=(ImagePart("u"),))


@pytest.mark.parametrize(
    ("wrapper", "sentence"),
    [
        (
            lambda r, h: None,
            "HookError: the wrap_tool_call of the middleware 'm' has returned None: return a ToolOutcome",
        ),
        (
            lambda r, h: "4",
            "HookError: the wrap_tool_call of the middleware 'm' has returned '4': return a ToolOutcome",
        ),
        (lambda r, h: h("invalid"), "has passed on 'invalid': pass on the request, or a changed copy of it"),
        (lambda r, h: h(replace(r, call=ToolCall("2", "add"))), "'2', name='add', arguments='{}'): only its arguments"),
        (
            lambda r, h: Command(goto="start"),
            "JumpError: the wrap_tool_call of the middleware 'm' sends the run to 'start'",
        ),
        (lambda r, h: Command(result=INVALID), "has returned a command with the result 3: give a ToolOutcome"),
        (lambda r, h: Command(update=INVALID), "has returned a command with the update 3: give a mapping"),
        (
            lambda r, h: Command({"count": "x"}),
            "the command of the middleware 'm' has returned 'x' for the field 'count'",
        ),
        (
            lambda r, h: PICTURE,
            "HookError: 'add' returns an image, but its result must be a text: make it an enhanced",
        ),
    ],
)
def test_an_invalid_value_around_a_tool_is_rejected(wrapper: Any, sentence: str) -> None:
    """The error names the wrapper."""
    middleware = Middleware("m", wrap_tool_call=wrapper, state_schema=Count)
    events = drain(stacked(Answers(asks("add")), middleware, tools=[returning("add", "4")]).run([QUESTION]))

    assert re.search(re.escape(sentence), failure(events))
