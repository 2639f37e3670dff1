"""Mutants about the tools that the before-agent hook receives, and about the tool search that it sets."""

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
from .before import AnyAgent, AnyHandler, AnyState, calling


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


@mutant(
    "HOOK-BA-10",
    neighbors={
        "RETRY-02": "an example retries its second model call",
        "FAILOVER-12": "the example fails over at its second model call",
    },
)
def passes_the_tool_search_to_the_first_call_only() -> AbstractContextManager[object]:
    """Passes the tool search to the first model call only."""
    call = ModelCalls.call

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: AnyState) -> AnyState:
        state = await call(self, run, state)
        run.tool_search = None
        return state

    return patch.object(ModelCalls, "call", calls)


@mutant("HOOK-BA-10")
def loses_the_tool_search_at_an_interrupt() -> AbstractContextManager[object]:
    """Passes the tool search to no model call of a resumed run."""
    act = Agent._act

    # Any: passed on, in and out
    async def acts(self: AnyAgent, run: Run, start: _Start, state: AnyState, iteration: int, *rest: Any) -> Any:
        results, resumed = rest
        if resumed:
            run.tool_search = None
        return await act(self, run, start, state, iteration, results, resumed)

    return patch.object(Agent, "_act", acts)
