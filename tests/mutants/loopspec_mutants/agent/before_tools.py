"""Mutants about the tools that the before-agent hook receives, and about the tool search that it sets."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import cast

from msgspec.structs import replace

from loopspec_reference import AgentContext, Handler, Tool, ToolContext, ToolMiddleware, ToolRequest
from loopspec_reference.calls.chains import nested

from ..registry import mutant
from .before import AnyAgent, AnyHandler, calling


class _Wrapped:
    """A tool inside the tool middlewares of an agent."""

    def __init__(self, tool: Tool, wraps: Sequence[ToolMiddleware]) -> None:
        self.info = tool.info
        self._tool = tool
        self._wraps = wraps

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        async def innermost(request: ToolRequest[str]) -> str:
            return await self._tool.invoke(context, request)

        wraps = [partial(one.wrap_tool, context=context) for one in self._wraps]
        result: str = await nested(wraps, innermost)(request)
        return result


@mutant(
    "HOOK-BA-20", neighbors={"LEGACY-09": "the handler has every hook, and the example counts the calls of wrappers"}
)
def passes_wrapped_tools_to_the_before_agent_hook() -> AbstractContextManager[object]:
    """Passes the tools inside their tool middlewares to the before-agent hook, and wraps the returned tools again."""

    async def calls(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        wraps = [one for one in agent._tool_calls._plain if not isinstance(one, Handler)]
        if not wraps or not all(hasattr(tool, "invoke") for tool in context.tools):
            return await handler.before_agent(context)
        shown = replace(context, tools=tuple(_Wrapped(cast("Tool", tool), wraps) for tool in context.tools))
        returned = await handler.before_agent(shown)
        return context if returned is shown else returned

    return calling(calls)
