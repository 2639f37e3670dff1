"""Interrupts: calls that need approval. What a tool that interrupts needs, and its answer, is in the context."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from agents import Agent, FunctionTool, RunContextWrapper, RunResult, RunResultStreaming, RunState
from agents.tool_context import ToolContext

from loopspec import Interruption, Resumed
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of
from loopspec.contract.scene import Run
from loopspec_adapting import Reporter, ToolDouble

from .conversations import conversation_of
from .items import Group
from .session import Context, entered


def function_tool(double: ToolDouble) -> FunctionTool:
    """Build a tool, which receives the arguments as the model wrote them.

    The first call of a tool that interrupts is the question whether it needs approval.
    """
    info = double.info

    async def asks(context: RunContextWrapper[Context], args: dict[str, Any], call_id: str) -> bool:
        entered(context.context)
        waiting = context.context["interrupts"]
        if call_id not in waiting:
            try:
                await double.call(json.dumps(args), call_id)
            except Interruption as interruption:
                waiting[call_id] = {"info": interruption.info, "state": interruption.state}
        return call_id in waiting

    async def call(context: ToolContext[Any], args: str) -> object:
        entered(context.context)
        call_id, waiting, resumed = context.tool_call_id, context.context["interrupts"], None
        if call_id in waiting:
            resumed = Resumed(state=waiting.pop(call_id)["state"], data=context.context["answers"].get(call_id))
        return await double.call(args, call_id, resumed)

    needs = asks if double.spec.interrupts else double.spec.approval
    return FunctionTool(
        info.name, info.description, dict(info.parameters), call, strict_json_schema=False, needs_approval=needs
    )


async def report_end(result: RunResult | RunResultStreaming, report: Reporter[Group]) -> None:
    """Report the final answer, or the calls that wait for approval, with the state of the run as the checkpoint."""
    if not result.interruptions:
        report.final(str(result.final_output))
        return
    interrupts = result.context_wrapper.context["interrupts"]
    waiting = [(str(item.call_id), str(item.name)) for item in result.interruptions]
    report.interrupted(
        await checkpoint_of(result, report.run),
        [(call, interrupts[call]["info"] if call in interrupts else info_of(tool, call)) for call, tool in waiting],
    )


async def checkpoint_of(result: RunResult | RunResultStreaming, run: Run) -> bytes:
    """Return the state of a run, its context, and the items of its conversation."""
    session = conversation_of(run)
    stored = {"items": await session.get_items() if session else [], "context": result.context_wrapper.context}
    return json.dumps({"state": result.to_state().to_json(), **stored}).encode()


async def continued(
    agent: Agent[Context], checkpoint: bytes, answers: Mapping[str, Any], run: Run
) -> tuple[RunState[Context], Context]:
    """Return the state that a run continues from, with the decisions of the caller. Restores the run's conversation.

    A call of a tool that interrupts is approved, and its answer is in the context.
    """
    stored = json.loads(checkpoint)
    context: Context = stored["context"]
    context["session"].update(run.session)
    context["answers"] = dict(answers)
    if session := conversation_of(run):
        await session.clear_session()
        await session.add_items(stored["items"])
    state: RunState[Context] = await RunState.from_json(agent, stored["state"], context_override=context)
    for item in state.get_interruptions():
        call = str(item.call_id)
        if call in context["interrupts"]:
            state.approve(item)
        elif call in answers:
            decision = msgspec.convert(answers[call], Decision)
            if decision.approved:
                state.approve(item)
            else:
                state.reject(item, rejection_message=decision.reason)
    return state, context
