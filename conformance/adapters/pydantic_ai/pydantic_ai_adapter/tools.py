"""The tools of an agent, and what a model receives about them."""

from __future__ import annotations

from pydantic_ai import RunContext, Tool
from pydantic_ai.tools import ToolDefinition

import loopspec_adapting as kit
from loopspec import ToolInfo

from .inside import Deps
from .interrupts import call_tool


def tool_of(double: kit.ToolDouble, sequential: bool = False) -> Tool[Deps]:
    """Build a tool from its schema."""

    async def call(ctx: RunContext[Deps], **args: object) -> str | None:
        return await call_tool(double, ctx, args)

    info = double.info
    tool = Tool.from_schema(
        call, info.name, info.description, dict(info.parameters), takes_ctx=True, sequential=sequential
    )
    tool.requires_approval = double.spec.approval
    return tool


def info_of(tool: ToolDefinition) -> ToolInfo:
    """The information that a model receives about a tool."""
    return ToolInfo(name=tool.name, description=tool.description or "", parameters=tool.parameters_json_schema)
