"""Mutants about the tools that the hook before the agent receives, and the tool search that it sets."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AgentContext, AnyMessage, Handler, Tool, ToolContext, ToolMiddleware, ToolRequest
from loopspec_reference.calls.chains import nested
from loopspec_reference.loop.agents import _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run

from ..registry import mutant
from .before import AnyAgent, AnyHandler, AnyState, asking


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


@mutant("HOOK-BA-20", neighbors={"LEGACY-09": "its handler has every hook, and the calls of wrappers are counted"})
def shows_tools_with_their_middlewares() -> AbstractContextManager[object]:
    """Shows the hook the tools with the tool middlewares around them, and wraps what it returns as well."""

    async def asks(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        wraps = [one for one in agent._tool_calls._plain if not isinstance(one, Handler)]
        if not wraps or not all(hasattr(tool, "invoke") for tool in context.tools):
            return await handler.before_agent(context)
        shown = replace(context, tools=tuple(_Wrapped(cast("Tool", tool), wraps) for tool in context.tools))
        returned = await handler.before_agent(shown)
        return context if returned is shown else returned

    return asking(asks)


@mutant("HOOK-BA-10")
def mentions_the_tool_search_once() -> AbstractContextManager[object]:
    """Gives the tool search to the first model call only."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: AnyState) -> AnyState:
        state = await call(self, run, state)
        run.tool_search = None
        return state

    return patch.object(ModelCalls, "call", calls)


@mutant("HOOK-BA-10")
def loses_the_tool_search_at_an_interrupt() -> AbstractContextManager[object]:
    """Gives the tool search to no model call of a resumed run."""
    act = Agent._act

    # Any: handed on, in and out
    async def acts(self: AnyAgent, run: Run, start: _Start, state: AnyState, iteration: int, *rest: Any) -> Any:
        results, resumed = rest
        if resumed:
            run.tool_search = None
        return await act(self, run, start, state, iteration, results, resumed)

    return patch.object(Agent, "_act", acts)
