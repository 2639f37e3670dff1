"""The inside of a call for the harness's doubles: nested requests to the adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from ...contract.errors import Reported
from ...contract.values import Json, Message
from ...protocol import messages as m
from ...protocol.conversion import decode_value, encode_value
from ...protocol.methods import FROM_HARNESS, OF_INSIDE
from .peer import Peer

# returns the context values that were added since the last call
TakeAdded = Callable[[], Mapping[str, Json]]

_NEXT, _READ = FROM_HARNESS["next"], FROM_HARNESS["outcome/read"]


class OutcomeError(Reported):
    """The error of an outcome of the inner endpoint, by its number: a hook may raise it unchanged."""

    def __init__(self, outcome: int, reply: m.Outcome) -> None:
        assert reply.error is not None
        super().__init__(reply.error)
        self.outcome = outcome


class Inside:
    """The inside of a run in one scope; without a scope, outside any run. Each function of the contract's `Inner`."""

    def __init__(self, peer: Peer, case: int, scope: str | None = None) -> None:
        self._peer = peer
        self._where: dict[str, Any] = {"case": case, "scope": scope}  # Any: the fields of every nested request

    def __getattr__(self, attribute: str) -> Callable[..., Any]:  # Any: what the function of the contract returns
        method = OF_INSIDE.get(attribute)
        if method is None:
            raise AttributeError(attribute)

        def call(*args: object) -> object:
            given = dict(zip(method.names, args, strict=True))
            if "value" in given:
                given["value"] = encode_value(given["value"])
            reply: Any = self._peer.ask_now(method, method.params(**self._where, **given))
            if reply.error is not None:
                raise Reported(reply.error)
            return (decode_value(reply.value), reply.found) if isinstance(reply, m.Found) else None

        return call


class Begun:
    """An outcome of the inner endpoint, by its `number`. The contract's `BegunAnswer`."""

    def __init__(self, peer: Peer, where: Mapping[str, Any], number: int, wraps: str) -> None:
        self.number = number
        self._params = m.ReadOutcome(**where, outcome=number)
        self._peer = peer
        self._nothing = Message(role="assistant") if wraps == "model" else ToolAnswer()

    async def complete(self) -> Any:  # Any: a message, or the answer of a tool
        reply: Any = await self._peer.ask(_READ, self._params)
        if reply.error is not None:
            raise OutcomeError(self.number, reply)
        return reply.message or reply.answer or self._nothing


class Around(Inside):
    """The inside of an around-hook, with its inner endpoint."""

    def __init__(self, peer: Peer, case: int, scope: str, take_added: TakeAdded) -> None:
        super().__init__(peer, case, scope)
        self._take_added = take_added
        self._outcomes = 0

    async def _next(self, wraps: str, request: ModelRequest | ToolRequest | InvalidValue) -> Begun:
        number, self._outcomes = self._outcomes, self._outcomes + 1
        given: dict[str, Any] = {"invalid": True} if isinstance(request, InvalidValue) else {wraps: request}
        reply: Any = await self._peer.ask(_NEXT, m.Next(**self._where, **given, ctx=dict(self._take_added())))
        if reply.error is not None:
            raise OutcomeError(number, reply)
        return Begun(self._peer, self._where, number, wraps)

    async def model(self, request: ModelRequest | InvalidValue) -> Begun:
        return await self._next("model", request)

    async def tool(self, request: ToolRequest | InvalidValue) -> Begun:
        return await self._next("tool", request)
