"""Doubles: a scripted model, tools that are functions, a handler that traces its hooks, and readers of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypedDict, Unpack

from loopspec_reference import (
    Agent,
    AgentContext,
    AnyTool,
    CustomEvent,
    Event,
    Handler,
    Message,
    MessageEvent,
    ModelContext,
    ModelRequest,
    RetryConfig,
    State,
    StreamEvent,
    ToolCall,
    ToolContext,
    ToolEndpoint,
    ToolInfo,
    ToolRequest,
)

QUESTION = Message.user("What is 2 + 2?")


def asks(*names: str) -> Message:
    """An answer that calls tools; the call of the tool `add` has the id `call-add`."""
    return Message.assistant("", [ToolCall(f"call-{name}", name) for name in names])


class Answers:
    """A model that returns these answers, repeats the last one, and records its requests."""

    def __init__(self, *answers: Message | str | Exception) -> None:
        self._answers = [Message.assistant(answer) if isinstance(answer, str) else answer for answer in answers]
        self.requests: list[ModelRequest[Message]] = []
        self.given: list[tuple[Message, ...]] = []

    def _next(self, request: ModelRequest[Message]) -> Message:
        self.requests.append(request)
        self.given.append(tuple(request.messages))
        answer = self._answers[min(len(self.given), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Return the next answer, or raise it."""
        return self._next(request)

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Yield the next answer in chunks of one character, and then its calls."""
        answer = self._next(request)
        for letter in answer.content:
            yield Message.assistant(letter)
        if answer.tool_calls or not answer.content:
            yield Message.assistant("", answer.tool_calls)


class Function:
    """A tool that calls a function with its context and arguments, and records the calls."""

    def __init__(self, name: str, does: Callable[[ToolContext, str], Awaitable[str]]) -> None:
        self.info = ToolInfo(name)
        self.calls: list[tuple[ToolContext, str]] = []
        self._does = does

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Record the call, and call the function."""
        self.calls.append((context, request.arguments))
        return await self._does(context, request.arguments)


def returning(name: str, text: str) -> Function:
    """A tool that returns this text."""

    async def returns(context: ToolContext, arguments: str) -> str:
        return text

    return Function(name, returns)


def raising(name: str, error: BaseException) -> Function:
    """A tool that raises this error."""

    async def raises(context: ToolContext, arguments: str) -> str:
        raise error

    return Function(name, raises)


class Tracer(Handler[Message]):
    """A handler that records the hooks at the beginning of a run, and each tool that it wraps."""

    def __init__(self, name: str, trace: list[str]) -> None:
        self._name = name
        self._trace = trace

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Record the hook."""
        self._trace.append(f"{self._name} before agent")
        return context

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Record the hook."""
        self._trace.append(f"{self._name} before model")
        return state

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        """Record the tool."""
        self._trace.append(f"{self._name} around {context.name}")
        return endpoint


class Options(TypedDict, total=False):
    """The options of an agent other than its model."""

    description: str
    tools: Sequence[AnyTool]
    handlers: Sequence[Handler[Message]]
    retry: RetryConfig[Message]


def agent(model: Answers, name: str = "agent", **options: Unpack[Options]) -> Agent[Message]:
    """An agent with plain messages."""
    return Agent(name=name, model=model, message_type=Message, **options)


def drain(events: AsyncIterator[Event]) -> list[Event]:
    """All events of a run, after its end."""

    async def listen() -> list[Event]:
        return [event async for event in events]

    return asyncio.run(listen())


def texts_of(events: Sequence[Event]) -> list[str]:
    """The texts of the messages among the events."""
    return [event.message.text for event in events if isinstance(event, MessageEvent)]


async def _whole(event: StreamEvent) -> str:
    texts = []
    try:
        async for chunk in event.stream:
            texts.append(chunk.outcome)
    except Exception as error:
        texts.append(f" ({type(error).__name__})")
    return "".join(texts)


def reported(events: AsyncIterator[Event]) -> list[str]:
    """The events of a run as texts: answers, joined streams with their error, payloads, names of errors."""

    async def listen() -> list[str]:
        notes = []
        async for event in events:
            if isinstance(event, StreamEvent):
                notes.append("~" + await _whole(event))
            elif isinstance(event, MessageEvent):
                notes.append(event.message.outcome)
            elif isinstance(event, CustomEvent):
                notes.append(str(event.payload))
            else:
                notes.append(type(getattr(event, "error", event)).__name__)
        return notes

    return asyncio.run(listen())
