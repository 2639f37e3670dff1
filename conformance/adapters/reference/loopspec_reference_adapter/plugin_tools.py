"""The harness's tools as tools of a middleware of the reference: they can return commands."""

from __future__ import annotations

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec.contract.agents import Tool
from loopspec.contract.doubles import Doubles
from loopspec_reference.plugins import Command, CommandTool, ToolOutcome

from .inside import Inside, interrupts
from .tools import ScriptedTool, tool_of
from .wire import call_to_wire


class _PluginTool(ScriptedTool):
    """A tool of a middleware of the plugin layer: it can return a command."""

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str | Command:
        wire = call_to_wire(replace(context, name=self._name), request.arguments, request.options, "invokable")
        with interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        if answer is None or answer.command is None:
            return None if answer is None else answer.text  # type: ignore[return-value]  # a tool's mistake
        return Command(dict(answer.command.state), answer.command.goto, ToolOutcome(answer.text))


def plugin_tool_of(tool: Tool, doubles: Doubles) -> ref.AnyTool | CommandTool:
    """Build a tool of a middleware."""
    return _PluginTool(tool.name, doubles) if tool.kinds == ("invokable",) else tool_of(tool.name, tool.kinds, doubles)
