"""The loop: reason, act, observe."""

from __future__ import annotations

import asyncio

import pytest

from loopspec_reference import (
    ToolContext,
    ToolInfo,
    ToolRequest,
)

from ..doubles import (
    QUESTION,
    Answers,
    Function,
    Tracer,
    agent,
    asks,
    raising,
    reported,
    returning,
)


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
