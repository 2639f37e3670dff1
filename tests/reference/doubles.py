"""A model that says what it is told to, tools that are functions, a handler that takes notes, and a listener."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from loopspec_reference import (
    Agent,
    AgentContext,
    CustomEvent,
    Event,
    Handler,
    Message,
    MessageEvent,
    ModelEndpoint,
    ModelRequest,
    State,
    Tool,
    ToolCall,
    ToolContext,
    ToolEndpoint,
    ToolInfo,
)

QUESTION = Message.user("What is 2 + 2?")


def asks(*names: str) -> Message:
    """An answer that asks for tools; the call of the tool `add` has the id `call-add`."""
    return Message.assistant("", [ToolCall(f"call-{name}", name) for name in names])


class Answers:
    """A model that gives these answers, the last one forever, and remembers what it was given."""

    def __init__(self, *answers: Message | str) -> None:
        self._answers = [Message.assistant(answer) if isinstance(answer, str) else answer for answer in answers]
        self.given: list[tuple[Message, ...]] = []
        self.offered: list[tuple[str, ...]] = []

    async def generate(self, messages: Sequence[Message], tools: Sequence[ToolInfo]) -> Message:
        """Give the next answer."""
        self.given.append(tuple(messages))
        self.offered.append(tuple(tool.name for tool in tools))
        return self._answers[min(len(self.given), len(self._answers)) - 1]


class Function:
    """A tool that calls a function with its context and arguments, and remembers how often."""

    def __init__(self, name: str, does: Callable[[ToolContext, str], Awaitable[str]]) -> None:
        self.info = ToolInfo(name)
        self.calls: list[tuple[ToolContext, str]] = []
        self._does = does

    async def invoke(self, context: ToolContext, arguments: str) -> str:
        """Call it."""
        self.calls.append((context, arguments))
        return await self._does(context, arguments)


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
    """Writes down each hook, under its name, and each way in and out of a wrapper."""

    def __init__(self, name: str, trace: list[str]) -> None:
        self._name = name
        self._trace = trace

    def _note(self, what: str) -> None:
        self._trace.append(f"{self._name} {what}")

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Note."""
        self._note("before agent")
        return context

    async def before_model(self, state: State[Message]) -> State[Message]:
        """Note."""
        self._note("before model")
        return state

    def wrap_model(self, endpoint: ModelEndpoint[Message]) -> ModelEndpoint[Message]:
        """Note."""

        async def around(request: ModelRequest[Message]) -> Message:
            self._note("into model")
            answer = await endpoint(request)
            self._note("out of model")
            return answer

        return around

    async def after_model(self, state: State[Message]) -> State[Message]:
        """Note."""
        self._note("after model")
        return state

    def wrap_tool(self, context: ToolContext, endpoint: ToolEndpoint) -> ToolEndpoint:
        """Note."""

        async def around(arguments: str) -> str:
            self._note(f"into {context.name}")
            result = await endpoint(arguments)
            self._note(f"out of {context.name}")
            return result

        return around

    async def after_agent(self, state: State[Message]) -> None:
        """Note."""
        self._note("after agent")


def agent(
    model: Answers,
    *,
    name: str = "agent",
    instruction: str = "",
    tools: Sequence[Tool] = (),
    handlers: Sequence[Handler[Message]] = (),
    max_iterations: int = 20,
) -> Agent[Message]:
    """An agent that speaks plain messages."""
    return Agent(
        name=name,
        model=model,
        message_type=Message,
        instruction=instruction,
        tools=tools,
        handlers=handlers,
        max_iterations=max_iterations,
    )


def heard(events: AsyncIterator[Event]) -> list[Event]:
    """All events of a run, once it is over."""

    async def listen() -> list[Event]:
        return [event async for event in events]

    return asyncio.run(listen())


def said(events: Sequence[Event]) -> list[str]:
    """The texts of the messages among the events."""
    return [event.message.text for event in events if isinstance(event, MessageEvent)]


def sent(events: Sequence[Event]) -> list[object]:
    """The payloads of the custom events among the events."""
    return [event.payload for event in events if isinstance(event, CustomEvent)]
