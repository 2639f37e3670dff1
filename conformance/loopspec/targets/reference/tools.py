"""The harness's tools, as the reference's: each has exactly the methods of its kinds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec_reference.plugins import Command, CommandTool, ToolOutcome

from ...contract.agents import Tool
from ...contract.doubles import Doubles, Interruption
from ...contract.values import ToolKind
from .inside import Inside
from .wire import call_to_wire, info_from_wire, parts_from_wire


class _Tool:
    def __init__(self, name: str, doubles: Doubles) -> None:
        self._name = name
        self._doubles = doubles

    @property
    def info(self) -> ref.ToolInfo:
        return info_from_wire(self._doubles.info(self._name))


class _InAllWays(_Tool):
    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        wire = call_to_wire(context, request.arguments, request.options, "invokable")
        with _interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        return None if answer is None else answer.text  # type: ignore[return-value]  # a tool's mistake

    async def stream(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> AsyncIterator[str]:
        wire = call_to_wire(context, request.arguments, request.options, "streamable")
        with _interrupts():
            async for answer in self._doubles.invoke_streaming(wire, Inside()):
                yield answer.text

    async def invoke_enhanced(
        self, context: ref.ToolContext, request: ref.ToolRequest[ref.ToolArgument]
    ) -> ref.ToolResult:
        wire = call_to_wire(context, request.arguments.text, request.options, "enhanced invokable")
        with _interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        return None if answer is None else ref.ToolResult(parts_from_wire(answer.parts))  # type: ignore[return-value]  # likewise

    async def stream_enhanced(
        self, context: ref.ToolContext, request: ref.ToolRequest[ref.ToolArgument]
    ) -> AsyncIterator[ref.ToolResult]:
        wire = call_to_wire(context, request.arguments.text, request.options, "enhanced streamable")
        with _interrupts():
            async for answer in self._doubles.invoke_streaming(wire, Inside()):
                yield ref.ToolResult(parts_from_wire(answer.parts))


_METHODS: dict[ToolKind, str] = {
    "invokable": "invoke",
    "streamable": "stream",
    "enhanced invokable": "invoke_enhanced",
    "enhanced streamable": "stream_enhanced",
}


def tool_of(name: str, kinds: Sequence[ToolKind], doubles: Doubles) -> ref.AnyTool:
    """Build a tool that can be called in these ways, and in no others."""
    methods = {method: vars(_InAllWays)[method] for method in (_METHODS[kind] for kind in kinds)}
    made = type("ScriptedTool", (_Tool,), methods)
    return made(name, doubles)  # type: ignore[no-any-return]  # a class made at runtime


@contextmanager
def _interrupts() -> Iterator[None]:
    """Say it in the reference's own words when a tool interrupts."""
    try:
        yield
    except Interruption as interruption:
        raise ref.InterruptRun(interruption.info, interruption.state) from None


class _PluginTool(_Tool):
    """A tool that a middleware of the plugin layer brings: it may answer with a command."""

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str | Command:
        wire = call_to_wire(replace(context, name=self._name), request.arguments, request.options, "invokable")
        with _interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        if answer is None or answer.command is None:
            return None if answer is None else answer.text  # type: ignore[return-value]  # a tool's mistake
        return Command(dict(answer.command.state), answer.command.goto, ToolOutcome(answer.text))


def plugin_tool_of(tool: Tool, doubles: Doubles) -> ref.AnyTool | CommandTool:
    """Build a tool of a middleware."""
    return _PluginTool(tool.name, doubles) if tool.kinds == ("invokable",) else tool_of(tool.name, tool.kinds, doubles)
