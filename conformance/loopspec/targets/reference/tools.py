"""The harness's tools, as the reference's: each has exactly the methods of its kinds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager

import loopspec_reference as ref

from ...contract.calls import Resumed, ToolAnswer, ToolRequest
from ...contract.doubles import Doubles, Interruption
from ...contract.values import ToolKind
from .inside import Inside
from .wire import info_from_wire, parts_from_wire


class _Tool:
    def __init__(self, name: str, doubles: Doubles) -> None:
        self._name = name
        self._doubles = doubles

    @property
    def info(self) -> ref.ToolInfo:
        return info_from_wire(self._doubles.info(self._name))

    def _request(
        self, context: ref.ToolContext, args: str, request: ref.ToolRequest[str] | ref.ToolRequest[ref.ToolArgument]
    ) -> ToolRequest:
        again = context.resumed
        return ToolRequest(
            tool=context.name,
            call_id=context.call_id,
            args=args,
            options=dict(request.options),
            resumed=Resumed(state=again.state, data=again.data) if again else None,
        )


class _Invokable(_Tool):
    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        with _interrupts():
            answer = await self._doubles.invoke(self._request(context, request.arguments, request), Inside())
        return None if answer is None else answer.text  # type: ignore[return-value]  # a tool's mistake


class _Streamable(_Tool):
    async def stream(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> AsyncIterator[str]:
        with _interrupts():
            async for answer in self._streamed(self._request(context, request.arguments, request), "streamable"):
                yield answer.text

    def _streamed(self, request: ToolRequest, kind: ToolKind) -> AsyncIterator[ToolAnswer]:
        return self._doubles.invoke_streaming(of_kind(request, kind), Inside())


class _Enhanced(_Tool):
    async def invoke_enhanced(
        self, context: ref.ToolContext, request: ref.ToolRequest[ref.ToolArgument]
    ) -> ref.ToolResult:
        wire = of_kind(self._request(context, request.arguments.text, request), "enhanced invokable")
        with _interrupts():
            answer = await self._doubles.invoke(wire, Inside())
        return None if answer is None else ref.ToolResult(parts_from_wire(answer.parts))  # type: ignore[return-value]  # likewise


class _EnhancedStreamable(_Streamable):
    async def stream_enhanced(
        self, context: ref.ToolContext, request: ref.ToolRequest[ref.ToolArgument]
    ) -> AsyncIterator[ref.ToolResult]:
        wire = self._request(context, request.arguments.text, request)
        with _interrupts():
            async for answer in self._streamed(wire, "enhanced streamable"):
                yield ref.ToolResult(parts_from_wire(answer.parts))


_METHODS: dict[ToolKind, tuple[str, type[_Tool]]] = {
    "invokable": ("invoke", _Invokable),
    "streamable": ("stream", _Streamable),
    "enhanced invokable": ("invoke_enhanced", _Enhanced),
    "enhanced streamable": ("stream_enhanced", _EnhancedStreamable),
}


def tool_of(name: str, kinds: Sequence[ToolKind], doubles: Doubles) -> ref.AnyTool:
    """Build a tool that can be called in these ways, and in no others."""
    methods = {method: vars(owner)[method] for method, owner in (_METHODS[kind] for kind in kinds)}
    made = type("ScriptedTool", (_Tool,), {"_streamed": _Streamable._streamed, **methods})
    return made(name, doubles)  # type: ignore[no-any-return]  # a class made at runtime


def of_kind(request: ToolRequest, kind: ToolKind) -> ToolRequest:
    """The request to a tool by this of its interfaces."""
    return ToolRequest(
        tool=request.tool,
        call_id=request.call_id,
        args=request.args,
        kind=kind,
        options=request.options,
        resumed=request.resumed,
    )


@contextmanager
def _interrupts() -> Iterator[None]:
    """Say it in the reference's own words when a tool interrupts."""
    try:
        yield
    except Interruption as interruption:
        raise ref.InterruptRun(interruption.info, interruption.state) from None
