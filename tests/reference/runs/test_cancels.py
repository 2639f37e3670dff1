"""Cancellation of a run."""

from __future__ import annotations

import asyncio

from loopspec_reference import (
    AgentTool,
    Canceller,
    Message,
    ToolCall,
    ToolContext,
)

from ..doubles import (
    QUESTION,
    Answers,
    Function,
    agent,
    asks,
)


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
