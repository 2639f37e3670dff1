"""The hooks of an agent: the events of a run that does not stream, and the callbacks of a scene."""

from __future__ import annotations

from agents import Agent, AgentHooks, ModelResponse, RunContextWrapper, Tool, TResponseInputItem
from agents.tool_context import ToolContext

from loopspec.adapting import Parts, Reporter
from loopspec.contract.doubles import CallbackPoint

from .items import Group, groups_of, text_of
from .session import Context


class Events(AgentHooks[Context]):
    """Reports answers and results to `report`, if given, and to the callbacks of the scene."""

    def __init__(self, parts: Parts[Group], report: Reporter[Group] | None) -> None:
        self.report, self.model = report, parts.model if parts.spec.callbacks else None

    async def on_llm_start(
        self,
        context: RunContextWrapper[Context],
        agent: Agent[Context],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """A model call begins."""
        self._call_back("model start")

    async def on_llm_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], response: ModelResponse
    ) -> None:
        """Report an answer."""
        self._call_back("model end")
        if self.report:
            for group in groups_of(response.output):
                self.report.message(group)

    async def on_tool_start(self, context: RunContextWrapper[Context], agent: Agent[Context], tool: Tool) -> None:
        """A tool call begins."""
        self._call_back("tool start", tool.name, call_id_of(context))

    async def on_tool_end(
        self, context: RunContextWrapper[Context], agent: Agent[Context], tool: Tool, result: object
    ) -> None:
        """Report a result."""
        self._call_back("tool end", tool.name, call_id_of(context))
        if self.report:
            self.report.message(result_of(context, result))

    def _call_back(self, point: CallbackPoint, tool: str | None = None, call_id: str | None = None) -> None:
        if self.model:
            self.model.doubles.called_back(point, tool or self.model.name, call_id)


def call_id_of(context: RunContextWrapper[Context]) -> str:
    """Return the id of the call that a hook receives."""
    return context.tool_call_id if isinstance(context, ToolContext) else ""


def result_of(context: RunContextWrapper[Context], result: object) -> Group:
    """Return the result of a tool call as the item that the model receives."""
    return ({"type": "function_call_output", "call_id": call_id_of(context), "output": text_of(result)},)
