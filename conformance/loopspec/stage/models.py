"""The scripted models."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ..contract.agents import Model, Turn
from ..contract.calls import ModelRequest
from ..contract.doubles import CallbackPoint
from ..contract.observation import ModelCall
from ..contract.values import Error, Message
from .index import SceneIndex, scripted_failure
from .record import Record, current_context, current_run
from .system import joined


class LiveModels:
    """Answers as the scene says, one turn after another."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        self._index = index
        self._record = record

    async def generate(self, model: str, request: ModelRequest) -> Message | None:
        """Return the model's answer."""
        record, spec = self._record, self._index.model(model)
        with record.span(f"model {model}", self._index.owner(model), self._call_of(model)):
            turn = await self._turn(spec, request)
            if turn.error or turn.crash:
                raise scripted_failure(turn.error, turn.crash)
            self._report(spec, "model end")
        return _answer(turn)

    async def stream(self, model: str, request: ModelRequest) -> AsyncIterator[Message]:
        """Return the answer in chunks."""
        record, spec = self._record, self._index.model(model)
        with record.span(f"model {model}", self._index.owner(model), self._call_of(model)):
            turn = await self._turn(spec, request)
            fails = turn.error is not None or turn.crash
            chunks = _chunks(turn)
            for at, chunk in enumerate(chunks[: turn.breaks] if fails else chunks):
                if at in turn.waits:
                    await record.gates.wait(turn.waits[at], record.new_waiter)
                yield chunk
            if fails:
                raise scripted_failure(turn.error, turn.crash)
            self._report(spec, "model end")

    def called_back(self, what: CallbackPoint, name: str, call_id: str | None = None) -> None:
        """Record a callback around a real model, or around a real tool."""
        agent = self._index.owner(name)
        around = (current_run.get(), agent, call_id if what.startswith("tool") else "model")
        self._record.point(f"callback {what}", agent, around, "last" if what.endswith("end") else "first")

    def _call_of(self, model: str) -> tuple[str | None, str, str]:
        return current_run.get(), self._index.owner(model), "model"

    async def _turn(self, model: Model, request: ModelRequest) -> Turn:
        """Record the call; return the turn that answers it, when nothing holds the call any longer."""
        request = joined(request)
        record, run = self._record, current_run.get()
        record.unhandled.model_called(run)
        number = record.gates.called(f"model {model.name}", run)
        self._report(model, "model start")
        lineage = self._index.lineage(run)
        played = sum(call.model == model.name and call.run in lineage for call in record.of(ModelCall))
        spent = Turn(error=Error(kind="scripted", code="no more turns"))
        turns = self._index.turns(model, run)
        turn = turns[played] if played < len(turns) else spent
        context = dict(current_context.get({}))
        record.add(
            ModelCall(n=record.n, model=model.name, run=run, request=request, answer=_answer(turn), context=context)
        )
        await record.hold(f"model {model.name}", number)
        if turn.held:
            await record.gates.wait(turn.held, record.new_waiter)
        return turn

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
    last = len(turn.pieces) - 1
    return [
        Message(
            role="assistant",
            content=piece,
            tool_calls=turn.tool_calls if at == last else (),
            extra=extras.get(at, {}),
        )
        for at, piece in enumerate(turn.pieces)
    ]
