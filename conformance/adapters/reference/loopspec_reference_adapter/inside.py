"""The functions that the harness's doubles call within a run of the reference."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec.contract.calls import ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.doubles import Interruption, NoInside, RegisteredValue
from loopspec.contract.values import Json, Message

from .wire import from_wire, info_from_wire, to_wire

ref.register_type("loopspec.RegisteredValue", RegisteredValue)


class Inside(NoInside):
    """What a double can do within the run that calls it."""

    def set_local(self, key: str, value: object) -> None:
        """Set a run-local value."""
        ref.set_run_local_value(key, value)

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a run-local value, and whether the run has it."""
        return ref.get_run_local_value(key)

    def delete_local(self, key: str) -> None:
        """Delete a run-local value."""
        ref.delete_run_local_value(key)

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        ref.set_session_value(key, value)

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether the session has it."""
        return ref.get_session_value(key)

    def send_event(self, payload: Json) -> None:
        """Emit a custom event."""
        ref.send_event(payload)

    def send_message(self, text: str) -> None:
        """Send the run a user message."""
        ref.send_message(text)


class InnerModelAnswer:
    """The answer of the inner model call; it may still be a stream."""

    def __init__(self, output: ref.Output[ref.AnyMessage]) -> None:
        self.output = output

    async def complete(self) -> Message:
        """Return the whole answer."""
        return to_wire(await self.output.message())


class InsideModel(Inside):
    """The inside of a model wrapper."""

    def __init__(
        self,
        endpoint: ref.ModelEndpoint[ref.AnyMessage],
        request: ref.ModelRequest[ref.AnyMessage],
        message_type: type[ref.AnyMessage],
    ) -> None:
        self._endpoint = endpoint
        self._received = request
        self._type = message_type

    async def model(self, request: ModelRequest) -> InnerModelAnswer:
        """Call the inner endpoint."""
        converted = replace(
            self._received,  # with the model that a wrapper outside may have chosen
            messages=[from_wire(message, self._type) for message in request.messages],
            tools=tuple(info_from_wire(info) for info in request.tools),
            deferred_tools=tuple(info_from_wire(info) for info in request.deferred_tools),
            tool_search=info_from_wire(request.tool_search) if request.tool_search else None,
        )
        return InnerModelAnswer(await self._endpoint(converted))


class InnerToolAnswer:
    """The answer of the inner tool call: the chunks received, and those to come."""

    def __init__(self, *pieces: ToolAnswer, rest: AsyncIterator[ToolAnswer] | None = None) -> None:
        self._pieces = list(pieces)
        self._rest = rest

    @classmethod
    async def reading(cls, pieces: AsyncIterator[ToolAnswer]) -> InnerToolAnswer:
        """Wait for the first chunk."""
        try:
            return cls(await anext(pieces), rest=pieces)
        except StopAsyncIteration:
            return cls()

    async def pieces(self) -> AsyncIterator[ToolAnswer]:
        """Yield the chunks."""
        for piece in self._pieces:
            yield piece
        if self._rest is not None:
            async for piece in self._rest:
                self._pieces.append(piece)
                yield piece
            self._rest = None

    async def complete(self) -> ToolAnswer:
        """Return the whole answer."""
        read = [piece async for piece in self.pieces()]
        return ToolAnswer(
            text="".join(piece.text for piece in read), parts=tuple(part for piece in read for part in piece.parts)
        )


class InsideTool(Inside):
    """The inside of a tool wrapper."""

    def __init__(self, endpoint: Callable[[ToolRequest], Awaitable[InnerToolAnswer]]) -> None:
        self._endpoint = endpoint

    async def tool(self, request: ToolRequest) -> InnerToolAnswer:
        """Call the inner endpoint."""
        return await self._endpoint(request)


@contextmanager
def interrupts() -> Iterator[None]:
    """Convert the scene's interrupt to that of the reference."""
    try:
        yield
    except Interruption as interruption:
        raise ref.InterruptRun(interruption.info, interruption.state) from None
