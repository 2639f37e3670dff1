"""The requests of the harness within a call: the inside of the run, and the inner endpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from ..contract.doubles import BegunAnswer, Inner
from ..contract.middlewares import Assign
from ..contract.values import Error, Message, Value
from ..protocol import messages as m
from ..protocol import rpc
from ..protocol.conversion import decode_value, encode_value
from ..protocol.rpc import Line
from .pipe import current_context

# Returns the contract's error for an exception of the implementation.
Described = Callable[[BaseException], Error]


class _ModelEndpoint(Protocol):
    async def model(self, request: Any) -> BegunAnswer[Message]: ...  # Any: of either layer


class _ToolEndpoint(Protocol):
    async def tool(self, request: Any) -> BegunAnswer[ToolAnswer]: ...  # Any: of either layer


class Inside:
    """Serves the actions of a double on the run that it is called in."""

    def __init__(self, described: Described, inner: Inner | None = None, assign: Assign | None = None) -> None:
        self.described = described
        self._inner = inner
        self._assign = assign

    async def __call__(self, line: Line) -> Value:
        """Serve one request."""
        return self.serve_now(line)

    def serve_now(self, line: Line) -> Value:
        """Serve one request without awaiting."""
        try:
            return self._served(line)
        except Exception as error:
            return m.Outcome(error=self.described(error))

    def _served(self, line: Line) -> Value:
        if line.method == "context/assign" and self._assign is not None:
            given = rpc.decoded(line.params, m.SetValue)
            self._assign(given.key, given.value.value)
            return m.Outcome()
        inner = self._inner
        if inner is None:
            raise RuntimeError(f"this is not available within the call: {line.method}")
        match line.method:
            case "local/set":
                given = rpc.decoded(line.params, m.SetValue)
                inner.set_local(given.key, decode_value(given.value))
            case "local/get":
                value, found = inner.get_local(rpc.decoded(line.params, m.KeyRequest).key)
                return m.Found(found=found, value=encode_value(value))
            case "local/delete":
                inner.delete_local(rpc.decoded(line.params, m.KeyRequest).key)
            case "session/set":
                given = rpc.decoded(line.params, m.SetValue)
                inner.set_session(given.key, given.value.value)
            case "session/get":
                value, found = inner.get_session(rpc.decoded(line.params, m.KeyRequest).key)
                return m.Found(found=found, value=encode_value(value))
            case "event/send":
                inner.send_event(rpc.decoded(line.params, m.SendEvent).payload)
            case _:
                raise RuntimeError(f"there is no method {line.method!r}")
        return m.Outcome()


class Around(Inside):
    """Also serves the calls of the inner endpoint, and keeps their outcomes for the result of the hook."""

    def __init__(
        self,
        described: Described,
        inner: Inner | None,
        model: _ModelEndpoint | None = None,
        tool: _ToolEndpoint | None = None,
    ) -> None:
        super().__init__(described, inner)
        self._model = model
        self._tool = tool
        self._outcomes: list[BegunAnswer[Any] | Exception] = []  # Any: messages, or answers of tools
        self._broken: dict[int, Exception] = {}

    async def __call__(self, line: Line) -> Value:
        """Serve one request."""
        match line.method:
            case "next":
                return await self._next(rpc.decoded(line.params, m.Next))
            case "outcome/read":
                return await self._read(rpc.decoded(line.params, m.ReadOutcome).outcome)
        return self.serve_now(line)

    async def _next(self, params: m.Next) -> m.NextReply:
        if params.ctx:
            current_context.set({**current_context.get({}), **params.ctx})
        try:
            self._outcomes.append(await self._begun(params))
        except Exception as error:
            self._outcomes.append(error)
            return m.NextReply(error=self.described(error))
        return m.NextReply()

    async def _begun(self, params: m.Next) -> BegunAnswer[Any]:  # Any: messages, or answers of tools
        if self._model is not None:
            return await self._model.model(InvalidValue() if params.invalid else params.model or ModelRequest())
        assert self._tool is not None, "a hook is around a model call or around a tool call"
        return await self._tool.tool(InvalidValue() if params.invalid else params.tool or ToolRequest(tool=""))

    async def _read(self, number: int) -> m.OutcomeReply:
        outcome = self._outcomes[number]
        try:
            if isinstance(outcome, Exception):
                raise outcome
            whole = await outcome.complete()
        except Exception as error:
            self._broken[number] = error
            return m.OutcomeReply(error=self.described(error))
        return m.OutcomeReply(message=whole) if isinstance(whole, Message) else m.OutcomeReply(answer=whole)

    def result(self, reply: m.AroundReply) -> Any:  # Any: what the framework's own wrapper has to return
        """Return the result of the hook. Raises the error of an outcome where the hook raises that."""
        number = reply.returned if reply.returned is not None else reply.raised
        if number is None:
            if reply.invalid:
                return InvalidValue()
            return reply.message if self._model is not None else reply.answer
        outcome = self._outcomes[number]
        if isinstance(outcome, Exception):
            raise outcome
        if reply.raised is not None:
            raise self._broken[number]
        return outcome
