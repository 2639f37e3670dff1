"""The loop, its streams, its retries, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from loopspec_reference import (
    Agent,
    AgentTool,
    Canceller,
    Message,
    ModelRequest,
    RetryConfig,
    StreamEvent,
    ToolArgument,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
    ToolResult,
)

from ..doubles import QUESTION, Answers, Function, Tracer, agent, asks, drain, raising, reported, returning


def test_closing_the_event_stream_stops_the_run() -> None:
    """Running calls are cancelled and have ended when the stream is closed."""
    begun, ended = asyncio.Event(), []

    async def wait(context: ToolContext, arguments: str) -> str:
        begun.set()
        try:
            return str(await asyncio.Event().wait())
        finally:
            ended.append(context.name)

    async def listen_once() -> None:
        events = agent(Answers(asks("wait")), tools=[Function("wait", wait)]).run([QUESTION])
        async for _ in events:
            await begun.wait()
            break
        await events.aclose()  # type: ignore[attr-defined]  # the stream is a generator, which its type does not promise

    asyncio.run(asyncio.wait_for(listen_once(), 60))  # a run that continues would never end

    assert ended == ["wait"]


class _WithoutInfo:
    @property
    def info(self) -> ToolInfo:
        raise RuntimeError("no info")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        raise AssertionError("never")


class _Nothing:
    info = ToolInfo("nothing")


@pytest.mark.parametrize(("tool", "error"), [(_WithoutInfo(), "RuntimeError"), (_Nothing(), "ConfigError")])
def test_a_tool_that_cannot_be_used_ends_the_run_before_its_start(tool: object, error: str) -> None:
    """The agent can be built."""
    trace: list[str] = []
    built = agent(Answers("4"), tools=[tool], handlers=[Tracer("a", trace)])  # type: ignore[list-item]  # not a tool

    assert (reported(built.run([QUESTION])), trace) == ([error], [])


def test_an_unrequested_cancellation_is_an_error() -> None:
    """The run ends with an event, and the other calls finish."""
    tools = [raising("break", asyncio.CancelledError()), returning("add", "4")]

    assert reported(agent(Answers(asks("break", "add")), tools=tools).run([QUESTION])) == ["", "4", "LoopError"]


class Slowly:
    """A tool that returns its result in three chunks."""

    info = ToolInfo("spell")

    async def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        """Yield the letters."""
        for letter in "abc":
            yield letter


class Log:
    """Callbacks that record what has ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    def model_start(self, request: ModelRequest[Message]) -> None:
        """Record nothing."""

    def model_end(self, message: Message) -> None:
        """Record the answer."""
        self.ended.append(message.text)

    def tool_start(self, context: ToolContext, request: ToolRequest[str] | ToolRequest[ToolArgument]) -> None:
        """Record nothing."""

    def tool_end(self, context: ToolContext, result: str | ToolResult) -> None:
        """Record the result."""
        self.ended.append(str(result))


def test_callbacks_receive_the_whole_of_a_stream() -> None:
    """And not its last chunk."""
    log = Log()
    model = Answers(asks("spell"), "done")
    agent = Agent(name="agent", model=model, message_type=Message, tools=[Slowly()], callbacks=log)
    drain(agent.run([QUESTION], streaming=True))

    assert log.ended == ["", "abc", "done"]


def test_the_stream_of_an_exit_tool_marks_the_end_of_the_run() -> None:
    """As the event of an exit tool that returns its result at once does: EXIT-02."""
    agent = Agent(name="agent", model=Answers(asks("spell")), message_type=Message, exit_tool=Slowly())
    streams = [event for event in drain(agent.run([QUESTION])) if isinstance(event, StreamEvent)]

    assert [event.exits for event in streams] == [True]


ERROR = RuntimeError("no connection")


class Breaking(Answers):
    """A model whose stream breaks."""

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Break."""
        yield Message.assistant("ha")
        raise ERROR


@pytest.mark.parametrize("what", ["is_retryable", "should_retry"])
def test_a_failing_callback_leaves_no_stream_open(what: str) -> None:
    """The stream keeps its own end, and the run fails with the new error."""

    def fails(_: object) -> bool:
        raise LookupError("no idea")

    options: dict[str, Any] = {what: fails}  # Any: keyword arguments of two types
    events = agent(Breaking(), retry=RetryConfig(max_retries=3, **options)).run([QUESTION], streaming=True)
    assert reported(events) == ["~ha (RuntimeError)", "LookupError"]


def test_a_reader_that_stops_ends_a_sub_agent() -> None:
    """The cancellation by the reader is not one of the canceller."""
    ends: list[str] = []

    async def waits(context: ToolContext, arguments: str) -> str:
        called.set()
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("ended")
        return "never"

    expert = agent(Answers(asks("wait")), name="expert", description="Knows.", tools=[Function("wait", waits)])
    asked = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])
    events = agent(Answers(asked, "4"), tools=[AgentTool(expert)]).run([QUESTION], canceller=Canceller())
    called = asyncio.Event()

    async def stops() -> None:
        async for _ in events:
            await called.wait()
            break
        await events.aclose()  # type: ignore[attr-defined]  # a generator

    asyncio.run(stops())

    assert ends == ["ended"]
