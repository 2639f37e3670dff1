"""Interrupts: calls that need approval, and a tool that asks for it in its call: it carries the caller's answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

import msgspec
from pydantic_ai import (
    ApprovalRequired,
    DeferredToolRequests,
    DeferredToolResults,
    RunContext,
    ToolApproved,
    ToolDenied,
)
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.run import AgentRunResult
from pydantic_ai.usage import RunUsage

from loopspec import Interruption, Resumed
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of
from loopspec_adapting import Reporter, ToolDouble

from .inside import Deps, entered

Output = str | DeferredToolRequests  # of an agent: its final answer, or the calls that wait


class Continued(TypedDict):
    """What a run continues from, with results if tool calls wait."""

    message_history: list[ModelMessage]
    deferred_tool_results: NotRequired[DeferredToolResults]
    usage: RunUsage


async def call_tool(double: ToolDouble, ctx: RunContext[Deps], args: dict[str, object]) -> str | None:
    """Call a tool, for the second time with the metadata of its approval."""
    entered(ctx, hook=False)
    resumed = Resumed(**ctx.tool_call_metadata) if ctx.tool_call_metadata else None
    try:
        return await double.call(args, ctx.tool_call_id or "", resumed)
    except Interruption as interruption:
        raise ApprovalRequired({"info": interruption.info, "state": interruption.state}) from interruption


def report_end(result: AgentRunResult[Any], report: Reporter[ModelMessage]) -> None:  # Any: an output
    """Report the output of a run: the final answer, or the calls that wait, with the messages as the checkpoint."""
    if not isinstance(result.output, DeferredToolRequests):
        report.final(result.output)
        return
    metadata = result.output.metadata
    infos = [(call.tool_call_id, info_of(call.tool_name, call.tool_call_id)) for call in result.output.approvals]
    waiting = [(call_id, metadata[call_id]["info"] if call_id in metadata else info) for call_id, info in infos]
    messages = ModelMessagesTypeAdapter.dump_python(result.all_messages(), mode="json")
    stored = {"messages": messages, "metadata": metadata, "calls": result.usage.requests}
    report.interrupted(json.dumps(stored).encode(), waiting)


def continued(checkpoint: bytes, answers: Mapping[str, Any]) -> Continued:  # Any: the JSON of the caller
    """Return what a run continues from: the decisions, and an approval of each call that waits during itself.

    The caller's answer to such a call is the metadata of its approval.
    """
    stored = json.loads(checkpoint)
    interrupted = stored["metadata"]
    results = DeferredToolResults(
        approvals={
            **dict.fromkeys(interrupted, True),
            **{call_id: decided(answer) for call_id, answer in answers.items() if call_id not in interrupted},
        },
        metadata={
            call_id: {"state": one["state"], "data": answers.get(call_id)} for call_id, one in interrupted.items()
        },
    )
    messages = ModelMessagesTypeAdapter.validate_python(stored["messages"])
    usage = RunUsage(requests=stored["calls"])  # the limit of model calls holds for the run and its resumption
    given: Continued = {"message_history": messages, "usage": usage}
    return {**given, "deferred_tool_results": results} if results.approvals else given


def decided(answer: Any) -> ToolApproved | ToolDenied:  # Any: the JSON of the caller
    """Return a decision about a call."""
    decision = msgspec.convert(answer, Decision)
    if decision.approved:
        edited = None if decision.arguments is None else json.loads(decision.arguments or "{}")
        return ToolApproved(override_args=edited)
    return ToolDenied(decision.reason)
