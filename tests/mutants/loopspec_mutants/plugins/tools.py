"""Mutants about the tools that middlewares provide."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from copy import copy
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AgentContext, AnyMessage, ToolCall
from loopspec_reference.plugins import Middleware, ToolOutcome, stack
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.plugins.middleware import ToolHandler
from loopspec_reference.plugins.stack import Stack
from loopspec_reference.plugins.tool_wrapping import wrapped_tool_call
from loopspec_reference.runs.run import Run

from ..registry import mutant
from .hooks import HOOKS

AnyStack = Stack[AnyMessage]
Layers = Sequence[Layer]


@mutant(
    "XP-TOOLS-01",
    neighbors={
        "XP-REG-12": "a factory may make a middleware with nothing but tools",
        "XP-WRAP-20": "the command comes from a tool of a middleware without hooks",
    },
)
def skips_middlewares_without_hooks() -> AbstractContextManager[object]:
    """Skips middlewares without hooks, and their tools."""
    init = Stack.__init__

    def builds(self: AnyStack, middlewares: Sequence[Middleware], *rest: Any) -> None:  # Any: passed on
        init(self, [one for one in middlewares if any(getattr(one, part) is not None for part in HOOKS)], *rest)

    return patch.object(Stack, "__init__", builds)


@mutant(
    "XP-TOOLS-02",
    neighbors={
        "PLUGIN-11": "the names of the other middlewares are not compared",
        "PLUGIN-12": "only one of the two tools with the same name is added",
    },
)
def adds_the_tools_of_one_middleware() -> AbstractContextManager[object]:
    """Adds only the tools of the first middleware that provides any."""
    tools = stack._tools

    def first(layers: Sequence[Layer]) -> object:
        return tools([layer for layer in layers if layer.middleware.tools][:1])

    return patch.object(stack, "_tools", first)


@mutant("XP-TOOLS-03")
def replaces_a_tool_of_the_agent() -> AbstractContextManager[object]:
    """Replaces a tool of the agent with a middleware's tool of the same name."""

    before_agent = AnyStack.before_agent

    async def starts(self: AnyStack, context: AgentContext) -> AgentContext:
        started = await before_agent(self, context)
        provided = {tool.info.name for tool in self._tools}
        own = [tool for tool in context.tools if tool.info.name not in provided]
        return replace(started, tools=(*own, *self._tools))

    return patch.object(Stack, "before_agent", starts)


@mutant("XP-TOOLS-09", neighbors={"PLUGIN-25": "the rule also has tools that a middleware provides"})
def calls_tools_of_middlewares_without_wrappers() -> AbstractContextManager[object]:
    """Calls the tools of middlewares without any wrappers."""
    original = wrapped_tool_call

    def bare(layer: Layer) -> Layer:
        other = copy(layer)
        other.middleware = replace(layer.middleware, wrap_tool_call=None)
        return other

    async def calls(layers: Layers, run: Run, call: ToolCall, innermost: ToolHandler) -> ToolOutcome:
        if any(tool.info.name == call.name for layer in layers for tool in layer.middleware.tools):
            layers = [bare(layer) for layer in layers]
        return await original(layers, run, call, innermost)

    return patch.object(stack, "wrapped_tool_call", calls)
