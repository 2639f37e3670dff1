"""The tools of an agent, and what a model receives about them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent_framework import Content, FunctionInvocationContext, FunctionMiddleware, FunctionTool

from loopspec import ToolInfo
from loopspec_adapting import ToolDouble

from .interrupts import call_tool
from .sessions import entered


def tool_of(double: ToolDouble) -> FunctionTool:
    """Build a tool from its schema."""

    async def call(ctx: FunctionInvocationContext, **args: object) -> str | None:
        entered(ctx.session)
        return await call_tool(double, ctx, args)

    info = double.info
    return FunctionTool(
        name=info.name,
        description=info.description,
        approval_mode="always_require" if double.spec.approval else None,
        func=call,
        input_model=dict(info.parameters),
    )


def info_of(tool: FunctionTool) -> ToolInfo:
    """The information that a model receives about a tool."""
    return ToolInfo(name=tool.name, description=tool.description, parameters=tool.parameters())


def text_of(result: str | list[Content]) -> str:
    """The text of a tool's result, as a wrapper receives it."""
    return result if isinstance(result, str) else "".join(part.text or "" for part in result)


class PassThrough(FunctionMiddleware):
    """Does nothing. The context of a tool has the id and the approval of its call only if there is a middleware."""

    async def process(self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Call the tool."""
        await call_next()
