"""The events of a run: what an iteration over the nodes of a run yields."""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import (
    FunctionToolResultEvent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.run import AgentRun

from loopspec import Message
from loopspec_adapting import Reporter

from .inside import Deps, FromHook, FromTool
from .interrupts import report_end


async def report_events(run: AgentRun[Deps, Any], report: Reporter[ModelMessage]) -> None:
    """Iterate over the nodes of a run; report answers or chunks, results, and the output.

    Any: a final answer, or the calls that wait. A resumed run begins with the answer of the interrupted run, which the
    caller has received already. A cancel request for a safe point takes effect between two nodes.
    """
    called = acted = False
    async for node in run:
        if Agent.is_model_request_node(node):
            if acted and report.cancels.due("after tools"):
                run.cancel()
            elif report.run.streaming:
                await report_stream(node, run.ctx, report)
            called = True
        elif Agent.is_call_tools_node(node):
            answer = node.model_response if called and not report.run.streaming else None
            if called and node.model_response.tool_calls and report.cancels.due("after model"):
                report_answer(answer, report)
                run.cancel()
            else:
                await report_calls(node, run.ctx, report, answer)
            acted = True
    if run.result is not None:
        report_end(run.result, report)


async def report_calls(node: Any, ctx: Any, report: Reporter[ModelMessage], answer: ModelResponse | None) -> None:
    """Report an answer that the caller has not received, and the results and the custom events of its tool calls.

    Any: a node and a context of the graph, which pydantic-ai types by the graph's own parameters. The stream begins
    with the events that hooks have emitted since the node before, so the answer follows these.
    """
    async with node.stream(ctx) as events:
        async for event in events:
            if not isinstance(event, FromHook):
                report_answer(answer, report)
                answer = None
            if isinstance(event, FunctionToolResultEvent):
                report.message(ModelRequest([event.part]))
            elif isinstance(event, FromHook | FromTool):
                report.custom(event.payload)
        report_answer(answer, report)


def report_answer(answer: ModelResponse | None, report: Reporter[ModelMessage]) -> None:
    """Report an answer, if there is one."""
    if answer is not None:
        report.message(answer)


async def report_stream(node: Any, ctx: Any, report: Reporter[ModelMessage]) -> None:
    """Report a model call as one stream: the parts and the deltas that the node's stream yields.

    Any: a node and a context of the graph, which pydantic-ai types by the graph's own parameters.
    """
    async with report.stream() as push, node.stream(ctx) as events:
        async for event in events:
            if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart | ToolCallPart):
                push(report.conversion.to_wire(ModelResponse([event.part]))[0])
            elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                push(Message(role="assistant", content=event.delta.content_delta))
            elif isinstance(event, FromHook | FromTool):
                report.custom(event.payload)
