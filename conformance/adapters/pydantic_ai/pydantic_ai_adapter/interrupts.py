"""Interrupts: a scripted tool that interrupts asks for approval, and the approval carries the caller's answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from pydantic_ai import ApprovalRequired, DeferredToolRequests, DeferredToolResults, RunContext
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.run import AgentRunResult
from pydantic_ai.usage import RunUsage

from loopspec import Interruption, Resumed
from loopspec.contract.values import Json
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
    call_id, resumed = ctx.tool_call_id or "", None
    if ctx.tool_call_approved:
        resumed = Resumed(state=ctx.tool_call_metadata["state"], data=ctx.tool_call_metadata["answers"].get(call_id))
    try:
        return await double.call(args, call_id, resumed)
    except Interruption as interruption:
        raise waiting({call_id: interruption.info}, interruption.state) from interruption


def waiting(interrupts: Mapping[str, Json], state: Json) -> ApprovalRequired:
    """Return the error of a tool call that waits: the information of each interrupt by its id, and a state."""
    return ApprovalRequired({"interrupts": interrupts, "state": state})


def report_end(result: AgentRunResult[Any], report: Reporter[ModelMessage]) -> None:  # Any: an output
    """Report the output of a run: the final answer, or the calls that wait, with the messages as the checkpoint."""
    if not isinstance(result.output, DeferredToolRequests):
        report.final(result.output)
        return
    report.interrupted(checkpoint_of(result).encode(), interrupts_of(result.output).items())


def interrupts_of(waiting: DeferredToolRequests) -> dict[str, Json]:
    """Return the information of all interrupts of the calls that wait, by their ids."""
    found: dict[str, Json] = {}
    for call in waiting.approvals:
        found |= waiting.metadata[call.tool_call_id]["interrupts"]
    return found


def checkpoint_of(result: AgentRunResult[Any]) -> str:  # Any: an output
    """Return the messages, the metadata of the calls that wait, and the number of model calls, as JSON."""
    messages = ModelMessagesTypeAdapter.dump_python(result.all_messages(), mode="json")
    metadata = {call.tool_call_id: result.output.metadata[call.tool_call_id] for call in result.output.approvals}
    return json.dumps({"messages": messages, "metadata": metadata, "calls": result.usage.requests})


def continued(checkpoint: str | bytes, answers: Mapping[str, Any]) -> Continued:  # Any: the JSON of the caller
    """Return what a run continues from: each call that waits is approved, with the caller's answers by their ids."""
    stored = json.loads(checkpoint)
    results = DeferredToolResults(
        approvals=dict.fromkeys(stored["metadata"], True),
        metadata={
            call_id: {"state": one["state"], "answers": {key: answers.get(key) for key in one["interrupts"]}}
            for call_id, one in stored["metadata"].items()
        },
    )
    messages = ModelMessagesTypeAdapter.validate_python(stored["messages"])
    usage = RunUsage(requests=stored["calls"])  # the limit of model calls holds for the run and its resumption
    given: Continued = {"message_history": messages, "usage": usage}
    return {**given, "deferred_tool_results": results} if stored["metadata"] else given
