"""The inside of a call that the adapter waits for, as the harness's doubles use it: nested requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from ...contract.errors import Reported
from ...contract.values import Json, Message
from ...protocol import messages as m
from ...protocol.conversion import something_of, value_of
from .peer import Peer

Added = Callable[[], Mapping[str, Json]]


class OutcomeError(Reported):
    """The error that a call further in came to, so that it can be handed on untouched."""

    def __init__(self, outcome: int, reply: m.Outcome) -> None:
        assert reply.error is not None
        super().__init__(reply.error)
        self.outcome = outcome


class Inside:
    """What a double can do in one scope; without one, outside any run. The contract's `Inner`."""

    def __init__(self, peer: Peer, case: int, scope: str | None = None) -> None:
        self._peer = peer
        self._case = case
        self._scope = scope

    def _done(self, method: str, params: m.Within) -> None:
        reply = self._peer.ask_now(method, params, m.Outcome)
        if reply.error is not None:
            raise Reported(reply.error)

    def _found(self, method: str, key: str) -> tuple[Json, bool]:
        reply = self._peer.ask_now(method, m.OfKey(case=self._case, scope=self._scope, key=key), m.Found)
        if reply.error is not None:
            raise Reported(reply.error)
        return value_of(reply.value), reply.found

    def set_local(self, key: str, value: object) -> None:
        """Keep a run-local value."""
        self._done("local/set", m.SetValue(case=self._case, scope=self._scope, key=key, value=something_of(value)))

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether it is there."""
        return self._found("local/get", key)

    def delete_local(self, key: str) -> None:
        """Forget a run-local value."""
        self._done("local/delete", m.OfKey(case=self._case, scope=self._scope, key=key))

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        said = m.Something(value=value)
        self._done("session/set", m.SetValue(case=self._case, scope=self._scope, key=key, value=said))

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is there."""
        return self._found("session/get", key)

    def send_event(self, payload: Json) -> None:
        """Put a custom event into the run's stream."""
        self._done("event/send", m.SendEvent(case=self._case, scope=self._scope, payload=payload))

    def assign(self, key: str, value: Json) -> None:
        """Change a value of the runtime context."""
        said = m.Something(value=value)
        self._done("context/assign", m.SetValue(case=self._case, scope=self._scope, key=key, value=said))


class BegunOf:
    """An outcome that has begun. The contract's `Begun`; `number` is what it is handed on by."""

    def __init__(self, peer: Peer, scope: str, case: int, number: int) -> None:
        self.number = number
        self._ask = m.WholeOf(case=case, scope=scope, outcome=number)
        self._peer = peer

    async def _whole(self) -> m.Whole:
        reply = await self._peer.ask("whole", self._ask, m.Whole)
        if reply.error is not None:
            raise OutcomeError(self.number, reply)
        return reply


class BegunMessage(BegunOf):
    """A model's."""

    async def whole(self) -> Message:
        """All of it."""
        return (await self._whole()).message or Message(role="assistant")


class BegunAnswer(BegunOf):
    """A tool's."""

    async def whole(self) -> ToolAnswer:
        """All of it."""
        return (await self._whole()).answer or ToolAnswer()


class Around(Inside):
    """The inside of an around-hook. `added` are the context values that are new since it was asked last."""

    def __init__(self, peer: Peer, case: int, scope: str, added: Added) -> None:
        super().__init__(peer, case, scope)
        self._around = scope
        self._added = added
        self._outcomes = 0

    async def _next(
        self, model: ModelRequest | None = None, tool: ToolRequest | None = None, invalid: bool = False
    ) -> int:
        number, self._outcomes = self._outcomes, self._outcomes + 1
        params = m.Next(
            case=self._case, scope=self._scope, model=model, tool=tool, invalid=invalid, ctx=dict(self._added())
        )
        reply = await self._peer.ask("next", params, m.Begun)
        if reply.error is not None:
            raise OutcomeError(number, reply)
        return number

    async def model(self, request: ModelRequest | InvalidValue) -> BegunMessage:
        """Call further in, around a model call."""
        given = {"invalid": True} if isinstance(request, InvalidValue) else {"model": request}
        return BegunMessage(self._peer, self._around, self._case, await self._next(**given))

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer:
        """Call further in, around a tool call."""
        given = {"invalid": True} if isinstance(request, InvalidValue) else {"tool": request}
        return BegunAnswer(self._peer, self._around, self._case, await self._next(**given))
