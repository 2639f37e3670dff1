"""The tools of an agent."""

from __future__ import annotations

from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

import loopspec_adapting as kit

from .interrupts import call_tool
from .state import entered


class DeclaredTool(BaseTool):
    """A scripted tool that cannot be called. BaseTool takes the name and the description when a tool is built."""

    def __init__(self, double: kit.ToolDouble) -> None:
        self.double, self.info = double, double.info
        super().__init__(name=self.info.name, description=self.info.description)

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=dict(self.info.parameters)
        )


class ScriptedTool(DeclaredTool):
    """A scripted tool."""

    async def check_require_confirmation(self, args: dict[str, Any], tool_context: ToolContext) -> bool:
        """Whether ADK asks before it calls the tool."""
        return self.double.spec.approval

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> object:
        """Call the tool. A return-directly tool skips the summarization: its result is the final response."""
        entered(tool_context)
        if self.double.directly:
            tool_context.actions.skip_summarization = True
        return await call_tool(self.double, args, tool_context)


def tool_of(double: kit.ToolDouble) -> BaseTool:
    """Build a tool."""
    return ScriptedTool(double) if double.spec.kinds else DeclaredTool(double)


def text_of(response: object) -> str:
    """The text of a tool's result: ADK wraps a result that is no object into one."""
    if isinstance(response, dict):
        response = response.get("result", response.get("error", response))
    return response if isinstance(response, str) else kit.args_text(response)
