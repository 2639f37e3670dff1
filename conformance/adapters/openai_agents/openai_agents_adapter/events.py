"""The hooks of an agent: the events of a run that does not stream."""

from __future__ import annotations

from agents import Agent, AgentHooks, ModelResponse, RunContextWrapper, Tool
from agents.tool_context import ToolContext

from loopspec_adapting import Reporter

from .items import Group, groups_of, text_of
from .session import Context


class Events(AgentHooks[Context]):
    """Reports answers and results."""

    def __init__(self, report: Reporter[Group]) -> None:
        self.report = report

    async def on_llm_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], response: ModelResponse
    ) -> None:
        """Report an answer."""
        for group in groups_of(response.output):
            self.report.message(group)

    async def on_tool_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], tool: Tool, result: object
    ) -> None:
        """Report a result."""
        self.report.message(result_of(context, result))


def result_of(context: RunContextWrapper[Context], result: object) -> Group:
    """Return the result of a tool call as the item that the model receives."""
    call_id = context.tool_call_id if isinstance(context, ToolContext) else ""
    return ({"type": "function_call_output", "call_id": call_id, "output": text_of(result)},)
