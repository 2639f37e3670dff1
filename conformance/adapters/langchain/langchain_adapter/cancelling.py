"""Cancelled runs: the caller cancels the task that iterates over the stream, or drains the run between two steps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from loopspec_adapting import Reporter


class Cancelled(Exception):
    """The task of the caller, who iterates over the stream, was cancelled."""


async def in_task(iteration: Coroutine[Any, Any, None], report: Reporter[BaseMessage]) -> None:
    """Iterate in a task, which a request that takes effect immediately cancels."""
    task = asyncio.create_task(iteration)
    report.cancels.cancel_with(task.cancel)
    try:
        await task
    except asyncio.CancelledError as error:
        if all(request.modes for request in report.cancels.requests):
            raise
        raise Cancelled("the run was cancelled") from error


async def drained(graph: Any, given: Any, report: Reporter[BaseMessage], **options: Any) -> AsyncIterator[Any]:
    """Stream a run that can be cancelled. Drain the run where a request names the safe point that was reached."""
    from langgraph.runtime import RunControl  # the judged versions before langchain 1.3 lack it

    control = RunControl()
    last_of_model = next((node for node in graph.nodes if node.endswith(".after_model")), "model")
    async for mode, chunk in graph.astream(given, control=control, **options):
        yield mode, chunk
        if mode != "updates":
            continue
        after_model = last_of_model in chunk or any(
            isinstance(one, Mapping) and one.get("jump_to") for one in chunk.values()
        )
        if (after_model and report.cancels.due("after model")) or (
            "tools" in chunk and report.cancels.due("after tools")
        ):
            control.request_drain()
