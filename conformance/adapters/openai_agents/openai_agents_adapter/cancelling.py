"""Cancelled runs: a run that streams has a method for them."""

from __future__ import annotations

import asyncio

from agents import RunResultStreaming

from loopspec_adapting import Reporter

from .interrupts import checkpoint_of
from .items import Group


def cancel_after_tools(result: RunResultStreaming, report: Reporter[Group]) -> None:
    """Cancel a run after its turn, which ends with the tool calls, if a request names this safe point."""
    if report.cancels.due("after tools"):
        result.cancel("after_turn")


async def report_cancelled(result: RunResultStreaming, report: Reporter[Group]) -> bool:
    """Report a cancelled run, which ends without an answer: without an error, with a state.

    The events end before the task of the run, whose end the caller waits for.
    """
    if result.final_output is not None or result.interruptions or not report.cancels.requests:
        return False
    if result.run_loop_task is not None:
        await asyncio.wait([result.run_loop_task])
    report.cancelled(await checkpoint_of(result, report.run))
    return True
