"""The inside of a call for the harness's doubles: nested requests to the adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from ...contract.errors import Reported
from ...contract.values import Json, Message
from ...protocol import messages as m
from ...protocol.conversion import decode_value, encode_value
from .peer import Peer

# returns the context values that were added since the last call
TakeAdded = Callable[[], Mapping[str, Json]]


class OutcomeError(Reported):
    """The error of an outcome of the inner endpoint, by its number: a hook may raise it unchanged."""

    def __init__(self, outcome: int, reply: m.Outcome) -> None:
        assert reply.error is not None
        super().__init__(reply.error)
        self.outcome = outcome


class Inside:
    """The inside of a run in one scope; without a scope, outside any run. The contract's `Inner`."""

    def __init__(self, peer: Peer, case: int, scope: str | None = None) -> None:
        self._peer = peer
        self._case = case
        self._scope = scope

    def _done(self, method: str, params: m.NestedRequest) -> None:
        reply = self._peer.ask_now(method, params, m.Outcome)
        if reply.error is not None:
            raise Reported(reply.error)

    def _found(self, method: str, key: str) -> tuple[Json, bool]:
        reply = self._peer.ask_now(method, m.KeyRequest(case=self._case, scope=self._scope, key=key), m.Found)
        if reply.error is not None:
            raise Reported(reply.error)
        return decode_value(reply.value), reply.found

    def set_local(self, key: str, value: object) -> None:
        """Set a run-local value."""
        self._done("local/set", m.SetValue(case=self._case, scope=self._scope, key=key, value=encode_value(value)))

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether it is there."""
        return self._found("local/get", key)

    def delete_local(self, key: str) -> None:
        """Delete a run-local value."""
        self._done("local/delete", m.KeyRequest(case=self._case, scope=self._scope, key=key))

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        sent = m.RunValue(value=value)
        self._done("session/set", m.SetValue(case=self._case, scope=self._scope, key=key, value=sent))

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is there."""
        return self._found("session/get", key)

    def send_event(self, payload: Json) -> None:
        """Emit a custom event into the run's stream."""
        self._done("event/send", m.SendEvent(case=self._case, scope=self._scope, payload=payload))

    def assign(self, key: str, value: Json) -> None:
        """Change a value of the runtime context."""
        sent = m.RunValue(value=value)
        self._done("context/assign", m.SetValue(case=self._case, scope=self._scope, key=key, value=sent))


class BegunOf:
    """An outcome of the inner endpoint, by its `number`. The contract's `BegunAnswer`."""

    def __init__(self, peer: Peer, scope: str, case: int, number: int) -> None:
        self.number = number
        self._params = m.ReadOutcome(case=case, scope=scope, outcome=number)
        self._peer = peer

    async def _whole(self) -> m.OutcomeReply:
        reply = await self._peer.ask("outcome/read", self._params, m.OutcomeReply)
        if reply.error is not None:
            raise OutcomeError(self.number, reply)
        return reply


class BegunMessage(BegunOf):
    """The answer of a model."""

    async def complete(self) -> Message:
        """Return the whole answer."""
        return (await self._whole()).message or Message(role="assistant")


class BegunToolAnswer(BegunOf):
    """The answer of a tool."""

    async def complete(self) -> ToolAnswer:
        """Return the whole answer."""
        return (await self._whole()).answer or ToolAnswer()


class Around(Inside):
    """The inside of an around-hook, with its inner endpoint."""

    def __init__(self, peer: Peer, case: int, scope: str, take_added: TakeAdded) -> None:
        super().__init__(peer, case, scope)
        self._around = scope
        self._take_added = take_added
        self._outcomes = 0

    async def _next(
        self, model: ModelRequest | None = None, tool: ToolRequest | None = None, invalid: bool = False
    ) -> int:
        number, self._outcomes = self._outcomes, self._outcomes + 1
        params = m.Next(
            case=self._case, scope=self._scope, model=model, tool=tool, invalid=invalid, ctx=dict(self._take_added())
        )
        reply = await self._peer.ask("next", params, m.NextReply)
        if reply.error is not None:
            raise OutcomeError(number, reply)
        return number

    async def model(self, request: ModelRequest | InvalidValue) -> BegunMessage:
        """Call the inner endpoint, around a model call."""
        given = {"invalid": True} if isinstance(request, InvalidValue) else {"model": request}
        return BegunMessage(self._peer, self._around, self._case, await self._next(**given))

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunToolAnswer:
        """Call the inner endpoint, around a tool call."""
        given = {"invalid": True} if isinstance(request, InvalidValue) else {"tool": request}
        return BegunToolAnswer(self._peer, self._around, self._case, await self._next(**given))
