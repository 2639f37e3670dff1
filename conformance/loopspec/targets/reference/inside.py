"""The inside of a run of the reference, for the harness's doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import loopspec_reference as ref

from ...contract.calls import ModelRequest, ToolAnswer, ToolRequest
from ...contract.doubles import Ticket
from ...contract.values import Json, Message
from .wire import from_wire, info_from_wire, to_wire

ref.register_type("loopspec.Ticket", Ticket)


class Inside:
    """What a double can do with the run it is called in."""

    def set_local(self, key: str, value: object) -> None:
        """Keep a run-local value."""
        ref.set_run_local_value(key, value)

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether it is there."""
        return ref.get_run_local_value(key)

    def delete_local(self, key: str) -> None:
        """Forget a run-local value."""
        ref.delete_run_local_value(key)

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        ref.set_session_value(key, value)

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is there."""
        return ref.get_session_value(key)

    def send_event(self, payload: Json) -> None:
        """Put a custom event into the run's stream."""
        ref.send_event(payload)


class BegunModel:
    """A model's answer that has begun."""

    def __init__(self, output: ref.Output[ref.AnyMessage]) -> None:
        self.output = output

    async def whole(self) -> Message:
        """All of it."""
        return to_wire(await self.output.message())


class InsideModel(Inside):
    """Around a model call."""

    def __init__(
        self,
        endpoint: ref.ModelEndpoint[ref.AnyMessage],
        request: ref.ModelRequest[ref.AnyMessage],
        message_type: type[ref.AnyMessage],
    ) -> None:
        self._endpoint = endpoint
        self._streaming = request.streaming
        self._type = message_type

    async def model(self, request: ModelRequest) -> BegunModel:
        """Call further in."""
        given: ref.ModelRequest[ref.AnyMessage] = ref.ModelRequest(
            messages=[from_wire(message, self._type) for message in request.messages],
            tools=tuple(info_from_wire(info) for info in request.tools),
            deferred_tools=tuple(info_from_wire(info) for info in request.deferred_tools),
            tool_search=info_from_wire(request.tool_search) if request.tool_search else None,
            streaming=self._streaming,
        )
        return BegunModel(await self._endpoint(given))


class BegunTool:
    """A tool's answer that has begun: the pieces that have come, and those that will."""

    def __init__(self, *pieces: ToolAnswer, rest: AsyncIterator[ToolAnswer] | None = None) -> None:
        self._pieces = list(pieces)
        self._rest = rest

    @classmethod
    async def reading(cls, pieces: AsyncIterator[ToolAnswer]) -> BegunTool:
        """Wait for the first piece."""
        try:
            return cls(await anext(pieces), rest=pieces)
        except StopAsyncIteration:
            return cls()

    async def pieces(self) -> AsyncIterator[ToolAnswer]:
        """One piece after the other."""
        for piece in self._pieces:
            yield piece
        if self._rest is not None:
            async for piece in self._rest:
                self._pieces.append(piece)
                yield piece
            self._rest = None

    async def whole(self) -> ToolAnswer:
        """All of it."""
        read = [piece async for piece in self.pieces()]
        return ToolAnswer(
            text="".join(piece.text for piece in read), parts=tuple(part for piece in read for part in piece.parts)
        )


class InsideTool(Inside):
    """Around a tool call."""

    def __init__(self, begin: Callable[[ToolRequest], Awaitable[BegunTool]]) -> None:
        self._begin = begin

    async def tool(self, request: ToolRequest) -> BegunTool:
        """Call further in."""
        return await self._begin(request)
