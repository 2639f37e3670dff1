"""Interrupts: calls that need approval, and tools and wrappers that ask for it: it carries the caller's answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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


@contextmanager
def interrupting(ctx: RunContext[Deps], by: str) -> Iterator[Resumed | None]:
    """The body of a tool or a wrapper that may interrupt its run, with the caller's answer if it has done so before.

    The metadata of an approval has everything that has interrupted the call: a resumed run calls the wrappers from
    their beginning.
    """
    asked = (ctx.tool_call_metadata or {}).get("asked", [])
    own = [Resumed(state=one["state"], data=one["data"]) for one in asked if one["by"] == by]
    try:
        yield own[-1] if own else None
    except Interruption as interruption:
        asked = [*asked, {"by": by, "info": interruption.info, "state": interruption.state}]
        raise ApprovalRequired({"asked": asked}) from interruption


async def call_tool(double: ToolDouble, ctx: RunContext[Deps], args: dict[str, object]) -> str | None:
    """Call a tool, for the second time with the metadata of its approval."""
    entered(ctx, hook=False)
    with interrupting(ctx, "tool") as resumed:
        return await double.call(args, ctx.tool_call_id or "", resumed)


def report_end(result: AgentRunResult[Any], report: Reporter[ModelMessage]) -> None:  # Any: an output
    """Report the output of a run: the final answer, or the calls that wait, with the messages as the checkpoint."""
    if not isinstance(result.output, DeferredToolRequests):
        report.final(result.output)
        return
    metadata = result.output.metadata
    infos = [(call.tool_call_id, info_of(call.tool_name, call.tool_call_id)) for call in result.output.approvals]
    waiting = [
        (call_id, metadata[call_id]["asked"][-1]["info"] if call_id in metadata else info) for call_id, info in infos
    ]
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
        metadata={call_id: answered(one["asked"], answers.get(call_id)) for call_id, one in interrupted.items()},
    )
    messages = ModelMessagesTypeAdapter.validate_python(stored["messages"])
    usage = RunUsage(requests=stored["calls"])  # the limit of model calls holds for the run and its resumption
    given: Continued = {"message_history": messages, "usage": usage}
    return {**given, "deferred_tool_results": results} if results.approvals else given


def answered(asked: list[dict[str, Any]], answer: Any) -> dict[str, Any]:  # Any: the JSON of the caller
    """Return the metadata of an approval, with the answer to what has interrupted the call last."""
    return {"asked": [*asked[:-1], {**asked[-1], "data": answer}]}


def decided(answer: Any) -> ToolApproved | ToolDenied:  # Any: the JSON of the caller
    """Return a decision about a call."""
    decision = msgspec.convert(answer, Decision)
    if decision.approved:
        edited = None if decision.arguments is None else json.loads(decision.arguments or "{}")
        return ToolApproved(override_args=edited)
    return ToolDenied(decision.reason)
