"""The requests of the harness within a call: the inside of the run, and the inner endpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..contract.calls import InvalidValue, ModelRequest
from ..contract.doubles import BegunAnswer
from ..contract.values import Error, Message, Value
from ..protocol import messages as m
from ..protocol.conversion import decode_value, encode_value
from ..protocol.methods import Method
from ..stage.record import current_context

# Returns the contract's error for an exception of the implementation.
Described = Callable[[BaseException], Error]


class Inside:
    """Serves the actions of a double on the run that it is called in: `inner` is the adapter's `Inner`."""

    def __init__(self, described: Described, inner: Any) -> None:  # Any: an adapter's own, whose methods are looked up
        self._described = described
        self._inner = inner

    async def serve(self, method: Method, params: Any) -> Value:  # Any: the params of the method
        """Serve one request."""
        return self.serve_now(method, params)

    def serve_now(self, method: Method, params: Any) -> Value:  # Any: the params of the method
        """Serve one request without awaiting."""
        try:
            given = (getattr(params, name) for name in method.names)
            result = getattr(self._inner, method.attribute)(
                *(decode_value(one) if isinstance(one, m.RunValue) else one for one in given)
            )
        except Exception as error:
            return m.Outcome(error=self._described(error))
        if method.result is not m.Found:
            return m.Outcome()
        value, found = result
        return m.Found(found=found, value=encode_value(value))


class Around(Inside):
    """Also serves the calls of the inner endpoint, and keeps their outcomes for the result of the hook."""

    def __init__(self, described: Described, inner: Any, wraps: str) -> None:  # Any: as above
        super().__init__(described, inner)
        self._wraps = wraps
        self._outcomes: list[BegunAnswer[Any] | Exception] = []  # Any: messages, or answers of tools
        self._broken: dict[int, Exception] = {}

    async def serve(self, method: Method, params: Any) -> Value:  # Any: the params of the method
        """Serve one request."""
        match params:
            case m.Next():
                return await self._next(params)
            case m.ReadOutcome():
                return await self._read(params.outcome)
        return self.serve_now(method, params)

    async def _next(self, params: m.Next) -> m.NextReply:
        if params.ctx:
            current_context.set({**current_context.get({}), **params.ctx})
        request = InvalidValue() if params.invalid else params.model or params.tool or ModelRequest()
        try:
            self._outcomes.append(await getattr(self._inner, self._wraps)(request))
        except Exception as error:
            self._outcomes.append(error)
            return m.NextReply(error=self._described(error))
        return m.NextReply()

    async def _read(self, number: int) -> m.OutcomeReply:
        outcome = self._outcomes[number]
        try:
            if isinstance(outcome, Exception):
                raise outcome
            whole = await outcome.complete()
        except Exception as error:
            self._broken[number] = error
            return m.OutcomeReply(error=self._described(error))
        return m.OutcomeReply(message=whole) if isinstance(whole, Message) else m.OutcomeReply(answer=whole)

    def result(self, reply: Any) -> Any:  # Any: an `AroundReply` with its value; what a wrapper returns
        """Return the result of the hook. Raises the error of an outcome where the hook raises that."""
        number = reply.returned if reply.returned is not None else reply.raised
        if number is None:
            return InvalidValue() if reply.invalid else reply.value
        outcome = self._outcomes[number]
        if isinstance(outcome, Exception):
            raise outcome
        if reply.raised is not None:
            raise self._broken[number]
        return outcome
