"""Tool wrappers: a scripted wrapper waits between the callbacks before and after a tool."""

from __future__ import annotations

from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

import loopspec_adapting as kit

from .state import entered
from .tools import text_of


class ToolCallbacks:
    """The callbacks of a scripted handler around a tool call. Any: JSON of arguments and results, as in ADK."""

    def __init__(self, double: kit.HookDouble[types.Content]) -> None:
        self.double = double

    async def before_tool(self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> Any:
        """Changes the arguments in place, or returns a result instead of the call."""
        entered(tool_context)
        call = await self.double.enter_tool(tool.name, tool_context.function_call_id or "", args)
        if call.result is not None:
            return {"result": call.result}
        if call.args != kit.args_text(args):
            changed = kit.args_object(call.args) or {}
            args.clear()
            args.update(changed)
        return None

    async def after_tool(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: Any
    ) -> Any:
        """Returns another result."""
        given = text_of(tool_response)
        result = await self.double.leave_tool(tool_context.function_call_id or "", given)
        return None if result is None or result is given else {"result": result}

    async def on_tool_error(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> Any:
        """Returns a result instead of the error."""
        try:
            result = await self.double.leave_tool(tool_context.function_call_id or "", error)
        except Exception as raised:
            if raised is error:
                return None
            raise
        return None if result is None else {"result": result}
