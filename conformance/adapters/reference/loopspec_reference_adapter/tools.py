"""The harness's tools as tools of the reference: each has exactly the methods of its kinds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import cache
from typing import Any

import loopspec_reference as ref
from loopspec.contract.doubles import Doubles
from loopspec.contract.values import ToolKind

from .inside import Inside, interrupts
from .wire import call_to_wire, info_from_wire, parts_from_wire


class ScriptedTool:
    """A tool of the scene, without a method to call it."""

    def __init__(self, name: str, doubles: Doubles) -> None:
        self._name = name
        self._doubles = doubles

    @property
    def info(self) -> ref.ToolInfo:
        return info_from_wire(self._doubles.info(self._name))


class _OfAllKinds(ScriptedTool):
    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        wire = call_to_wire(context, request.arguments, request.options, "invokable")
        with interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        return None if answer is None else answer.text  # type: ignore[return-value]  # a tool's mistake

    async def stream(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> AsyncIterator[str]:
        wire = call_to_wire(context, request.arguments, request.options, "streamable")
        with interrupts():
            async for answer in self._doubles.invoke_streaming(wire, Inside()):
                yield answer.text

    async def invoke_enhanced(
        self, context: ref.ToolContext, request: ref.ToolRequest[ref.ToolArgument]
    ) -> ref.ToolResult:
        wire = call_to_wire(context, request.arguments.text, request.options, "enhanced invokable")
        with interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        return None if answer is None else ref.ToolResult(parts_from_wire(answer.parts))  # type: ignore[return-value]  # likewise

    async def stream_enhanced(
        self, context: ref.ToolContext, request: ref.ToolRequest[ref.ToolArgument]
    ) -> AsyncIterator[ref.ToolResult]:
        wire = call_to_wire(context, request.arguments.text, request.options, "enhanced streamable")
        with interrupts():
            async for answer in self._doubles.invoke_streaming(wire, Inside()):
                yield ref.ToolResult(parts_from_wire(answer.parts))


_METHODS: dict[ToolKind, str] = {
    "invokable": "invoke",
    "streamable": "stream",
    "enhanced invokable": "invoke_enhanced",
    "enhanced streamable": "stream_enhanced",
}


def tool_of(name: str, kinds: Sequence[ToolKind], doubles: Doubles) -> ref.AnyTool:
    """Build a tool of exactly these kinds."""
    return _class_of(tuple(kinds))(name, doubles)  # type: ignore[no-any-return]  # a class made at runtime


@cache
def _class_of(kinds: tuple[ToolKind, ...]) -> Any:
    methods = {method: vars(_OfAllKinds)[method] for method in (_METHODS[kind] for kind in kinds)}
    return type("ScriptedTool", (ScriptedTool,), methods)
