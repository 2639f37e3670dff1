"""The events of a run: the updates of a stream, or the messages of a response; and how a run ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any, TypeAlias

from agent_framework import AgentResponse, AgentResponseUpdate, AgentSession, Message, ResponseStream

from loopspec import Message as Wire
from loopspec_adapting import Reporter

from .interrupts import checkpoint_of, shown
from .sessions import values_of

Updates: TypeAlias = ResponseStream[AgentResponseUpdate, AgentResponse[Any]]


async def report_updates(stream: Updates, report: Reporter[Message]) -> None:
    """Report each model call as one stream, until its finish reason or a result, and each result as an event."""
    push: Callable[[Wire], None] | None = None
    async with AsyncExitStack() as answer:
        async for update in stream:
            if update.role == "tool":
                await answer.aclose()
                push = None
                report.message(Message("tool", update.contents))
                continue
            if push is None:
                push = await answer.enter_async_context(report.stream())
            for wire in report.conversion.to_wire(Message("assistant", update.contents)) if update.contents else ():
                push(wire)
            if update.finish_reason:
                await answer.aclose()
                push = None


def report_response(response: AgentResponse[Any], session: AgentSession, report: Reporter[Message]) -> None:
    """Report the end of a run: its last message as the final answer, or the calls that wait for the caller."""
    report.session(values_of(session))
    requests = response.user_input_requests
    if requests:
        report.interrupted(checkpoint_of(session, requests), [(one.id or "", shown(one)) for one in requests])
    else:
        report.final(response.messages[-1].text if response.messages else "")
