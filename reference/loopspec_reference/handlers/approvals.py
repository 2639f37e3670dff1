"""Approvals: a person decides about tool calls before they are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..runs.run import delete_run_local_value, get_run_local_value, set_run_local_value
from ..tools.kinds import InterruptRun, ToolArgument, ToolContext, ToolRequest, ToolResult
from ..values.messages import M, TextPart
from .handler import (
    EnhancedStreamingToolEndpoint,
    EnhancedToolEndpoint,
    Handler,
    StreamingToolEndpoint,
    ToolEndpoint,
)

_WAITS = "waits for approval"  # the state of a call that no person has decided about


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """A person's decision about a tool call. The caller resumes the run with its fields as JSON, by the id of the call.

    `arguments` replace those of the model. `reason` is what the model receives as the result of a denied call.
    """

    approved: bool
    arguments: str | None = None
    reason: str = ""

    @property
    def denial(self) -> str:
        """The result of a denied call."""
        return f"denied: {self.reason}" if self.reason else "denied"


class Approvals(Handler[M]):
    """Interrupts the run before each call of some tools, and makes the call only if a person approves it.

    The information of the interrupt has the `tool`, the `call` and its `arguments`. A resumption without a decision
    interrupts the run again, and one with something else than a `Decision` fails. A decision holds until its call is
    completed, also if the resumed run is cancelled or the tool interrupts it (STOP-08 to STOP-18). Register it before
    other handlers: then they see no call that no person has approved.
    """

    def __init__(self, *tools: str) -> None:
        self._tools = tools

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        async def approved(request: ToolRequest[str]) -> str:
            with self._decided(context, request.arguments) as decision:
                return await endpoint(_edited(request, decision)) if decision.approved else decision.denial

        return approved

    def wrap_streaming_tool(self, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        async def approved(request: ToolRequest[str]) -> AsyncIterator[str]:
            with self._decided(context, request.arguments) as decision:
                if not decision.approved:
                    yield decision.denial
                    return
                async for chunk in endpoint(_edited(request, decision)):
                    yield chunk

        return approved

    def wrap_enhanced_tool(self, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        async def approved(request: ToolRequest[ToolArgument]) -> ToolResult:
            with self._decided(context, request.arguments.text) as decision:
                return await endpoint(_edited_enhanced(request, decision)) if decision.approved else _denied(decision)

        return approved

    def wrap_enhanced_streaming_tool(
        self, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        async def approved(request: ToolRequest[ToolArgument]) -> AsyncIterator[ToolResult]:
            with self._decided(context, request.arguments.text) as decision:
                if not decision.approved:
                    yield _denied(decision)
                    return
                async for chunk in endpoint(_edited_enhanced(request, decision)):
                    yield chunk

        return approved

    @contextmanager
    def _decided(self, context: ToolContext, arguments: str) -> Iterator[Decision]:
        """Yield the decision about a call, and forget it when the call is completed: a later call can have its id."""
        if context.name not in self._tools:
            yield Decision(approved=True)
            return
        key = f"the decision about the call {context.call_id}"
        given, _ = get_run_local_value(key)
        if given is None and context.resumed is not None and context.resumed.state == _WAITS:
            given = context.resumed.data
        if given is None:
            raise InterruptRun({"tool": context.name, "call": context.call_id, "arguments": arguments}, _WAITS)
        decision = msgspec.convert(given, Decision)
        set_run_local_value(key, given)
        try:
            yield decision
        except InterruptRun:  # of the tool itself, which is called again
            raise
        except Exception:
            delete_run_local_value(key)
            raise
        delete_run_local_value(key)


def _edited(request: ToolRequest[str], decision: Decision) -> ToolRequest[str]:
    return request if decision.arguments is None else replace(request, arguments=decision.arguments)


def _edited_enhanced(request: ToolRequest[ToolArgument], decision: Decision) -> ToolRequest[ToolArgument]:
    return request if decision.arguments is None else replace(request, arguments=ToolArgument(decision.arguments))


def _denied(decision: Decision) -> ToolResult:
    return ToolResult((TextPart(decision.denial),))
