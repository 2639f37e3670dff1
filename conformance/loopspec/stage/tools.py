"""The scripted tools."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from msgspec.structs import replace

from ..contract.agents import Tool
from ..contract.calls import ToolAnswer, ToolRequest
from ..contract.doubles import Inner, Interruption, ScriptedError, tool_info
from ..contract.interrupts import info_of
from ..contract.observation import ToolRun
from ..contract.values import Gate, ToolCall, ToolInfo
from .acting import Findings, act_all
from .index import SceneIndex, scripted_failure
from .record import Record, current_context, current_run


class LiveTools:
    """Runs the tools as the scene says, and records their calls."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        self._index = index
        self._record = record

    def info(self, tool: str) -> ToolInfo:
        """Return the information about a tool."""
        return tool_info(self._index.tool(tool))

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        """Return the tool's answer."""
        tool = self._index.tool(request.tool)
        with self._record.span(f"tool {request.tool}", self._index.owner(request.tool), self._tool_call(request)):
            number = await self._do(tool, request, inner)
            if tool.error or tool.crash:
                raise scripted_failure(tool.error, tool.crash)
            self._interrupt(tool, request)
        if tool.nothing:
            return None
        if "enhanced" in request.kind:
            return ToolAnswer(parts=tool.parts)
        return ToolAnswer(text=_text(tool, request, number), command=tool.command)

    async def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        """Return the answer in chunks."""
        tool = self._index.tool(request.tool)
        with self._record.span(f"tool {request.tool}", self._index.owner(request.tool), self._tool_call(request)):
            number = await self._do(tool, request, inner)
            fails = tool.error is not None or tool.crash
            chunks = _chunks(tool, request, number)
            for at, chunk in enumerate(chunks[: tool.breaks] if fails else chunks):
                if at in tool.waits:
                    await self._hold(tool.waits[at], tool.stubborn)
                yield chunk
            if fails:
                raise scripted_failure(tool.error, tool.crash)
            self._interrupt(tool, request)

    def _tool_call(self, request: ToolRequest) -> tuple[str | None, str, str]:
        return current_run.get(), self._index.owner(request.tool), request.call_id or ""

    async def _do(self, tool: Tool, request: ToolRequest, inner: Inner) -> int:
        """Record the call and do the actions of the body; return the number of the call in its run."""
        record, run = self._record, current_run.get()
        number = record.gates.called(f"tool {request.tool}", run)
        call = ToolCall(id=request.call_id or "", name=request.tool, args=request.args)
        entry = ToolRun(
            n=record.n,
            tool=request.tool,
            call=call,
            run=run,
            kind=request.kind,
            resumed=request.resumed,
            options=request.options,
            context=dict(current_context.get({})),
            has_no_id=request.call_id is None,
        )
        record.add(entry)
        await record.hold(f"tool {request.tool}", number)
        if tool.held:
            await self._hold(tool.held, tool.stubborn)
        findings = Findings()
        try:
            await act_all(tool.actions, inner, record, findings)
        finally:
            record.update(replace(entry, found=findings.found))
        if tool.parses:
            try:
                json.loads(request.args)
            except ValueError as error:
                raise ScriptedError("bad arguments") from error
        return number

    async def _hold(self, gate: Gate, stubborn: bool) -> None:
        while True:
            try:
                return await self._record.gates.wait(gate, self._record.new_waiter)
            except (Exception, GeneratorExit, KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # a cancellation, of whichever event loop
                if not stubborn:
                    raise

    @staticmethod
    def _interrupt(tool: Tool, request: ToolRequest) -> None:
        if tool.interrupts and request.resumed is None:
            call = request.call_id or ""
            raise Interruption(info_of(tool.name, call), {"left by": tool.name, "call": call})


def _text(tool: Tool, request: ToolRequest, number: int) -> str:
    if tool.echoes:
        return request.args
    return tool.texts[(number - 1) % len(tool.texts)] if tool.texts else tool.text


def _chunks(tool: Tool, request: ToolRequest, number: int) -> list[ToolAnswer]:
    if tool.nothing:
        return []
    if "enhanced" in request.kind:
        return [ToolAnswer(parts=(part,)) for part in tool.parts]
    return [ToolAnswer(text=chunk) for chunk in tool.chunks or (_text(tool, request, number),)]
