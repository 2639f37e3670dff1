"""Interrupts: a scripted tool that interrupts asks for approval, and the approval carries the caller's answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypedDict

from pydantic_ai import ApprovalRequired, DeferredToolRequests, DeferredToolResults, RunContext
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.run import AgentRunResult
from pydantic_ai.usage import RunUsage

from loopspec import Interruption, Resumed
from loopspec.adapting import Reporter, ToolDouble

Output = str | DeferredToolRequests  # of an agent: its final answer, or the calls that wait


class Continued(TypedDict):
    """What a run continues from."""

    message_history: list[ModelMessage]
    deferred_tool_results: DeferredToolResults
    usage: RunUsage


async def call_tool(double: ToolDouble, ctx: RunContext[None], args: dict[str, object]) -> str | None:
    """Call a tool, for the second time with the metadata of its approval."""
    resumed = None
    if ctx.tool_call_approved:
        resumed = Resumed(state=ctx.tool_call_metadata["state"], data=ctx.tool_call_metadata["data"])
    try:
        return await double.call(args, ctx.tool_call_id or "", resumed)
    except Interruption as interruption:
        raise ApprovalRequired({"info": interruption.info, "state": interruption.state}) from interruption


def report_end(result: AgentRunResult[Any], report: Reporter[ModelMessage]) -> None:
    """Report the output of a run: the final answer, or the calls that wait, with the messages as the checkpoint."""
    waiting = result.output
    if not isinstance(waiting, DeferredToolRequests):
        report.final(waiting)
        return
    messages = ModelMessagesTypeAdapter.dump_python(result.all_messages(), mode="json")
    metadata = {call.tool_call_id: waiting.metadata[call.tool_call_id] for call in waiting.approvals}
    checkpoint = json.dumps({"messages": messages, "metadata": metadata, "calls": result.usage.requests}).encode()
    report.interrupted(checkpoint, [(call_id, one["info"]) for call_id, one in metadata.items()])


def continued(checkpoint: bytes, answers: Mapping[str, Any]) -> Continued:  # Any: the JSON that the caller answers
    """Return what a run continues from: each call that waits is approved, with the caller's answer."""
    stored = json.loads(checkpoint)
    results = DeferredToolResults(
        approvals=dict.fromkeys(stored["metadata"], True),
        metadata={
            call_id: {"state": one["state"], "data": answers.get(call_id)}
            for call_id, one in stored["metadata"].items()
        },
    )
    messages = ModelMessagesTypeAdapter.validate_python(stored["messages"])
    usage = RunUsage(requests=stored["calls"])  # the limit of model calls holds for the run and its resumption
    return {"message_history": messages, "deferred_tool_results": results, "usage": usage}
