"""The scripted models and tools."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager

from msgspec.structs import replace

from ..contract.agents import Model, Tool, Turn
from ..contract.calls import ModelRequest, ToolAnswer, ToolRequest
from ..contract.doubles import CallbackPoint, Inner, Interruption, ScriptedError, info_of, tool_info
from ..contract.observation import ModelCall, ToolRun
from ..contract.values import Error, Gate, Message, ToolCall, ToolInfo
from .index import SceneIndex, fail_if_scripted
from .record import Record, current_context, current_run
from .scripts import Findings, act_all, joined


class SceneDoubles:
    """Doubles of one scene, over its index and its record."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        self._index = index
        self._record = record

    def _span(self, kind: str, name: str, call: str) -> AbstractContextManager[None]:
        """Mark everything done inside as a call of a double, about this model call or tool call of its agent."""
        agent = self._index.owner(name)
        return self._record.span(f"{kind} {name}", agent, (current_run.get(), agent, call))


class LiveModels(SceneDoubles):
    """Answers as the scene says, one turn after another."""

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        spec = self._index.model(model)
        with self._span("model", model, "model"):
            turn, _ = await self._turn(spec, request)
            fail_if_scripted(turn.error, turn.crash)
            self._report(spec, "model end")
        return _answer(turn)

    async def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        record, spec = self._record, self._index.model(model)
        with self._span("model", model, "model"):
            turn, entry = await self._turn(spec, request)
            fails = turn.error is not None or turn.crash
            chunks = _chunks(turn)
            for at, chunk in enumerate(chunks[: turn.breaks] if fails else chunks):
                if at in turn.waits:
                    await record.gates.wait(turn.waits[at], record.new_waiter)
                yield chunk
            still = current_context.get({})  # a wrapper's value is there until the stream ends
            record.update(replace(entry, context={key: one for key, one in entry.context.items() if key in still}))
            fail_if_scripted(turn.error, turn.crash)
            self._report(spec, "model end")

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        agent = self._index.owner(name)
        around = (current_run.get(), agent, call_id if what.startswith("tool") else "model")
        self._record.point(f"callback {what}", agent, around, "last" if what.endswith("end") else "first")

    async def _turn(self, model: Model, request: ModelRequest) -> tuple[Turn, ModelCall]:
        """Record the call; return the turn that answers it, when nothing holds the call any longer, and the entry."""
        request = joined(request)
        record, run = self._record, current_run.get()
        record.unhandled.model_called(run)
        number = record.gates.called(f"model {model.name}", run)
        self._report(model, "model start")
        lineage = self._index.lineage(run)
        played = sum([record.played[model.name, each] for each in lineage])
        spent = Turn(error=Error(kind="scripted", code="no more turns"))
        turns = self._index.turns(model, run)
        # what a dead process would have been answered next is for the process that continues
        turn = turns[played] if played < len(turns) and not record.has_died(run) else spent
        record.played[model.name, run] += not record.has_died(run)
        entry = record.enter(ModelCall, model=model.name, request=request, answer=_answer(turn))
        await record.hold(f"model {model.name}", number)
        if turn.held:
            await record.gates.wait(turn.held, record.new_waiter)
        return turn, entry

    def _report(self, model: Model, what: CallbackPoint) -> None:
        """Record a callback, of a model that reports its calls by itself."""
        if model.reports:
            self.called_back(what, model.name)


def _answer(turn: Turn) -> Message | None:
    if turn.error or turn.crash or turn.nothing:
        return None
    extra = {key: value for one in turn.extras for key, value in one.items()}
    return Message(role="assistant", content="".join(turn.pieces), tool_calls=turn.tool_calls, extra=extra)


def _chunks(turn: Turn) -> list[Message]:
    if turn.nothing:
        return []
    extras = dict(enumerate(turn.extras))
    pieces = enumerate(turn.pieces)
    chunks = [Message(role="assistant", content=piece, extra=extras.get(at, {})) for at, piece in pieces]
    calls = turn.tool_calls
    for at in reversed(range(1, len(chunks))):  # several calls come in several chunks, the last one in the last chunk
        chunks[at], calls = replace(chunks[at], tool_calls=calls[-1:]), calls[:-1]
    return [replace(chunks[0], tool_calls=calls), *chunks[1:]]


class LiveTools(SceneDoubles):
    """Runs the tools as the scene says, and records their calls."""

    def info(self, tool: str) -> ToolInfo:
        return tool_info(self._index.tool(tool))

    async def invoke(self, request: ToolRequest, inner: Inner) -> ToolAnswer | None:
        tool = self._index.tool(request.tool)
        with self._span("tool", request.tool, request.call_id or ""):
            number = await self._do(tool, request, inner)
            fail_if_scripted(tool.error, tool.crash)
            self._interrupt(tool, request)
        if tool.nothing:
            return None
        if "enhanced" in request.kind:
            return ToolAnswer(parts=tool.parts)
        return ToolAnswer(text=_result_text(tool, request, number), command=tool.command)

    async def invoke_streaming(self, request: ToolRequest, inner: Inner) -> AsyncIterator[ToolAnswer]:
        tool = self._index.tool(request.tool)
        with self._span("tool", request.tool, request.call_id or ""):
            number = await self._do(tool, request, inner)
            self._interrupt(tool, request)
            fails = tool.error is not None or tool.crash
            chunks = _result_chunks(tool, request, number)
            for at, chunk in enumerate(chunks[: tool.breaks] if fails else chunks):
                if at in tool.waits:
                    await self._hold(tool.waits[at], tool.stubborn)
                yield chunk
            fail_if_scripted(tool.error, tool.crash)

    async def _do(self, tool: Tool, request: ToolRequest, inner: Inner) -> int:
        """Record the call and do the actions of the body; return the number of the call in its run."""
        record = self._record
        number = record.gates.called(f"tool {request.tool}", current_run.get())
        call = ToolCall(id=request.call_id or "", name=request.tool, args=request.args)
        entry = record.enter(
            ToolRun,
            tool=request.tool,
            call=call,
            kind=request.kind,
            resumed=request.resumed,
            options=request.options,
            has_no_id=request.call_id is None,
        )
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


def _result_text(tool: Tool, request: ToolRequest, number: int) -> str:
    if tool.echoes:
        return request.args
    return tool.texts[(number - 1) % len(tool.texts)] if tool.texts else tool.text


def _result_chunks(tool: Tool, request: ToolRequest, number: int) -> list[ToolAnswer]:
    if tool.nothing:
        return []
    if "enhanced" in request.kind:
        return [ToolAnswer(parts=(part,)) for part in tool.parts]
    return [ToolAnswer(text=chunk) for chunk in tool.chunks or (_result_text(tool, request, number),)]
