"""Interrupts: the approval policy of a tool that interrupts calls the tool, and an interrupt needs approval."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agents import Agent, RunContextWrapper, RunResult, RunResultStreaming, RunState
from agents.tool_context import ToolContext

from loopspec import Interruption, Resumed
from loopspec.adapting import Reporter, ToolDouble
from loopspec.contract.values import Json

from .items import Group
from .session import Context, entered

Call = Callable[[ToolContext[Any], str], Awaitable[object]]  # Any: the parameter of the SDK's own type
Policy = Callable[[RunContextWrapper[Any], dict[str, Any], str], Awaitable[bool]]


def plain_call(double: ToolDouble) -> Call:
    """Return the function of a tool that does not interrupt. The arguments are the text that the model wrote."""

    async def call(context: ToolContext[Any], args: str) -> str | None:
        entered(context.context)
        return await double.call(args, context.tool_call_id)

    return call


def interrupting_call(double: ToolDouble) -> tuple[Call, Policy]:
    """Return the function of a tool that interrupts, and its approval policy.

    A call that does not interrupt has its result in the policy already, and needs no approval.
    """
    results: dict[str, str | None] = {}

    async def needs_approval(context: RunContextWrapper[Any], args: dict[str, Any], call_id: str) -> bool:
        entered(context.context)
        try:
            results[call_id] = await double.call(args, call_id)
        except Interruption as interruption:
            context.context["interrupts"][call_id] = {"info": interruption.info, "state": interruption.state}
            return True
        return False

    async def call(context: ToolContext[Any], args: str) -> str | None:
        entered(context.context)
        call_id, given = context.tool_call_id, context.context
        if call_id in results:
            return results.pop(call_id)
        state = given["interrupts"].pop(call_id)["state"]
        return await double.call(args, call_id, Resumed(state=state, data=given["answers"].get(call_id)))

    return call, needs_approval


def report_end(result: RunResult | RunResultStreaming, report: Reporter[Group]) -> None:
    """Report the final answer, or the calls that wait for approval, with the state of the run as the checkpoint."""
    waiting = [str(item.call_id) for item in result.interruptions]
    if not waiting:
        report.final(str(result.final_output))
        return
    interrupts = result.context_wrapper.context["interrupts"]
    checkpoint = {"state": result.to_state().to_json(), "context": result.context_wrapper.context}
    report.interrupted(json.dumps(checkpoint).encode(), [(one, interrupts[one]["info"]) for one in waiting])


async def continued(
    agent: Agent[Context], checkpoint: bytes, answers: Mapping[str, Any], session: Mapping[str, Json]
) -> tuple[RunState[Context], Context]:
    """Return the state that a run continues from: all calls are approved, and the answers are in its context."""
    stored = json.loads(checkpoint)
    context: Context = stored["context"]
    context["session"].update(session)
    context["answers"] = dict(answers)
    state: RunState[Context] = await RunState.from_json(agent, stored["state"], context_override=context)
    for item in state.get_interruptions():
        state.approve(item)
    return state, context
