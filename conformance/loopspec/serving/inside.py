"""What the harness asks for within a call: the run from inside, and the way further in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from ..contract.doubles import Begun, Inner
from ..contract.errors import describe
from ..contract.middlewares import Assign
from ..contract.values import Error, ErrorKind, Message, Value
from ..protocol import messages as m
from ..protocol import rpc
from ..protocol.conversion import something_of, value_of
from ..protocol.rpc import Line
from .pipe import current_bag

Kinds = Mapping[type[BaseException], ErrorKind]


class _ToModel(Protocol):
    async def model(self, request: Any) -> Begun[Message]: ...  # Any: of either layer


class _ToTool(Protocol):
    async def tool(self, request: Any) -> Begun[ToolAnswer]: ...  # Any: likewise


class Inside:
    """Serves what a double does with the run that it is called in."""

    def __init__(self, kinds: Kinds, inner: Inner | None = None, assign: Assign | None = None) -> None:
        self._kinds = kinds
        self._inner = inner
        self._assign = assign

    async def __call__(self, line: Line) -> Value:
        """Serve one request."""
        return self.at_once(line)

    def at_once(self, line: Line) -> Value:
        """Serve one that needs no waiting."""
        try:
            return self._served(line)
        except Exception as error:
            return m.Outcome(error=self.described(error))

    def described(self, error: BaseException) -> Error:
        """An exception of the implementation in the contract's words."""
        return describe(error, self._kinds)

    def _served(self, line: Line) -> Value:
        if line.method == "context/assign" and self._assign is not None:
            given = rpc.decoded(line.params, m.SetValue)
            self._assign(given.key, given.value.value)
            return m.Outcome()
        inner = self._inner
        if inner is None:
            raise RuntimeError(f"nothing of the kind is there: {line.method}")
        match line.method:
            case "local/set":
                given = rpc.decoded(line.params, m.SetValue)
                inner.set_local(given.key, value_of(given.value))
            case "local/get":
                value, there = inner.get_local(rpc.decoded(line.params, m.OfKey).key)
                return m.Found(found=there, value=something_of(value))
            case "local/delete":
                inner.delete_local(rpc.decoded(line.params, m.OfKey).key)
            case "session/set":
                given = rpc.decoded(line.params, m.SetValue)
                inner.set_session(given.key, given.value.value)
            case "session/get":
                value, there = inner.get_session(rpc.decoded(line.params, m.OfKey).key)
                return m.Found(found=there, value=something_of(value))
            case "event/send":
                inner.send_event(rpc.decoded(line.params, m.SendEvent).payload)
            case _:
                raise RuntimeError(f"there is no method {line.method!r}")
        return m.Outcome()


class Around(Inside):
    """Serves the calls further in besides; what they came to is kept, to be handed on."""

    def __init__(
        self, kinds: Kinds, inner: Inner | None, model: _ToModel | None = None, tool: _ToTool | None = None
    ) -> None:
        super().__init__(kinds, inner)
        self._model = model
        self._tool = tool
        self._outcomes: list[Begun[Any] | Exception] = []  # Any: messages, or answers of tools
        self._broken: dict[int, Exception] = {}

    async def __call__(self, line: Line) -> Value:
        """Serve one request."""
        match line.method:
            case "next":
                return await self._next(rpc.decoded(line.params, m.Next))
            case "whole":
                return await self._whole(rpc.decoded(line.params, m.WholeOf).outcome)
        return self.at_once(line)

    async def _next(self, asked: m.Next) -> m.Begun:
        if asked.ctx:
            current_bag.set({**current_bag.get({}), **asked.ctx})
        try:
            if self._model is not None:
                self._outcomes.append(
                    await self._model.model(InvalidValue() if asked.invalid else asked.model or ModelRequest())
                )
            elif self._tool is not None:
                self._outcomes.append(
                    await self._tool.tool(InvalidValue() if asked.invalid else asked.tool or ToolRequest(tool=""))
                )
        except Exception as error:
            self._outcomes.append(error)
            return m.Begun(error=self.described(error))
        return m.Begun()

    async def _whole(self, number: int) -> m.Whole:
        outcome = self._outcomes[number]
        try:
            if isinstance(outcome, Exception):
                raise outcome
            whole = await outcome.whole()
        except Exception as error:
            self._broken[number] = error
            return m.Whole(error=self.described(error))
        return m.Whole(message=whole) if isinstance(whole, Message) else m.Whole(answer=whole)

    def handed_on(self, reply: m.AroundReply) -> Any:  # Any: what the framework's own wrapper has to return
        """What comes out of the hook. Raises what came out of a call further in, where that is handed on."""
        if reply.returned is not None or reply.raised is not None:
            number = reply.returned if reply.returned is not None else reply.raised
            assert number is not None
            outcome = self._outcomes[number]
            if isinstance(outcome, Exception):
                raise outcome
            if reply.raised is not None:
                raise self._broken[number]
            return outcome
        if reply.invalid:
            return InvalidValue()
        return reply.message if self._model is not None else reply.answer
