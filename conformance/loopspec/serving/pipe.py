"""This end of the pipe, for an adapter on an asyncio loop."""

from __future__ import annotations

import asyncio
import os
import select
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import TypeVar

from ..contract.faults import UsageError
from ..contract.values import Json, Value
from ..protocol import messages as m
from ..protocol import rpc
from ..protocol.rpc import Line

R = TypeVar("R", bound=m.Reply | m.FileReply)
P = TypeVar("P", bound=m.FromAdapter)

# The run that a double is called in, and the values that are carried along with it.
current_run: ContextVar[str | None] = ContextVar("loopspec_served_run", default=None)
current_bag: ContextVar[Mapping[str, Json]] = ContextVar("loopspec_served_bag")

# Serves what is asked for within a call: a method, its line, to a result.
Within = Callable[[Line], Awaitable[Value]]

_CHUNK = 1 << 16  # bytes


class BrokenHarness(Exception):
    """Raised where the other end answers with an error of JSON-RPC, or not at all."""


class _Call:
    """What has come for a call that is unanswered: requests within it, and in the end its answer."""

    __slots__ = ("_came", "_waiting")

    def __init__(self) -> None:
        self._came: deque[Line] = deque()
        self._waiting: asyncio.Future[None] | None = None

    def put(self, line: Line) -> None:
        self._came.append(line)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> Line:
        while not self._came:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._came.popleft()


class Pipe:
    """Lines in both directions. `on_line` takes what belongs to no call of ours; `on_end` is called at the end."""

    def __init__(self, source: int, sink: int) -> None:
        self.on_line: Callable[[Line], None] = lambda line: None
        self.on_end: Callable[[], None] = lambda: None
        self._source = source
        self._sink = sink
        self._asked = 0
        self._buffer = bytearray()
        self._lines: deque[Line] = deque()
        self._calls: dict[str, _Call] = {}
        self.ended = False
        os.set_blocking(source, False)

    # -- what goes out -------------------------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Write a line."""
        rest = memoryview(line + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._sink, rest) :]
            except BlockingIOError:
                select.select((), (self._sink,), ())

    def notify(self, method: str, params: Value) -> None:
        """Send a notification."""
        self.send(rpc.notification(method, params))

    async def ask(self, method: str, params: Value, kind: type[R], within: Within | None = None) -> R:
        """Ask the harness, and serve what it asks meanwhile in this very task.

        Raises `CancelledError` where the double has let itself be cancelled.
        """
        self._asked += 1
        id_ = f"a{self._asked}"
        call = self._calls[id_] = _Call()
        self.send(rpc.request(id_, method, params))
        line = await self._answer(id_, call, within)
        reply = self._read(line, method, kind)
        if reply.cancelled:
            raise asyncio.CancelledError
        if isinstance(reply, m.Reply) and reply.ctx:
            current_bag.set({**current_bag.get({}), **reply.ctx})
        return reply

    async def _answer(self, id_: str, call: _Call, within: Within | None) -> Line:
        """The answer to a call; one that is cancelled says so, and waits on: the double decides."""
        while True:
            try:
                line = await call.get()
                if line.method is None:
                    del self._calls[id_]
                    return line
                await self._serve_within(line, within)
            except asyncio.CancelledError:
                if self.ended:
                    raise
                self.notify("$/cancel", m.CancelCall(id=id_))

    async def _serve_within(self, line: Line, within: Within | None) -> None:
        if within is None:
            self.send(
                rpc.refusal(line.id, rpc.UNKNOWN_METHOD, f"nothing can be asked for within this call: {line.method}")
            )
            return
        self.send(rpc.reply(line.id, await within(line)))

    def ask_now(self, method: str, params: Value, kind: type[R], within: Callable[[Line], Value] | None = None) -> R:
        """Ask, and let nothing else happen until the answer is there, but for what is asked within."""
        self._asked += 1
        id_ = f"a{self._asked}"
        self.send(rpc.request(id_, method, params))
        while True:
            self._fill()
            for line in list(self._lines):
                if line.method is None and line.id == id_:
                    self._lines.remove(line)
                    asyncio.get_running_loop().call_soon(self._dispatch)
                    return self._read(line, method, kind)
                if within is not None and line.method is not None and _scope(line) == id_:
                    self._lines.remove(line)
                    self.send(rpc.reply(line.id, within(line)))
            if self.ended:
                raise BrokenHarness("the harness has gone")
            select.select((self._source,), (), ())

    @staticmethod
    def _read(line: Line, method: str, kind: type[R]) -> R:
        if line.error is not None:
            raise BrokenHarness(f"{method} was refused: {line.error.message}")
        return rpc.decoded(line.result, kind)

    # -- what comes in -------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Take lines as they come, on the running loop. Raises `UsageError` where none can come."""
        try:
            asyncio.get_running_loop().add_reader(self._source, self._readable)
        except PermissionError:  # of a file: nobody would answer there
            raise UsageError("an adapter talks to a harness over pipes: standard input is a file") from None

    def _readable(self) -> None:
        self._fill()
        self._dispatch()
        if self.ended:
            asyncio.get_running_loop().remove_reader(self._source)
            self.on_end()

    def _fill(self) -> None:
        """Read what is there, without waiting."""
        while True:
            try:
                chunk = os.read(self._source, _CHUNK)
            except BlockingIOError:
                return
            self.ended |= not chunk
            self._buffer += chunk
            end = self._buffer.rfind(b"\n")
            if end >= 0:
                lines = bytes(self._buffer[:end]).split(b"\n")
                del self._buffer[: end + 1]
                self._lines.extend(line for line in map(self._decoded, lines) if line is not None)
            if len(chunk) < _CHUNK:
                return

    def _decoded(self, line: bytes) -> Line | None:
        """A line that came; one that is no message is the harness's fault, and told."""
        try:
            return rpc.line_decoder.decode(line)
        except rpc.UNREADABLE as error:
            self.notify("adapter/fault", m.AdapterFault(message=f"this line is no message: {line[:200]!r}: {error}"))
            return None

    def _dispatch(self) -> None:
        while self._lines:
            line = self._lines.popleft()
            scope = str(line.id) if line.method is None else _scope(line)
            if scope is None:
                self.on_line(line)
            elif scope in self._calls:
                self._calls[scope].put(line)
            elif line.method is not None:
                self.send(rpc.refusal(line.id, rpc.CASE_OVER, f"{scope} is no unanswered call"))


def _scope(line: Line) -> str | None:
    """The call within which something is asked for."""
    if b'"in"' not in bytes(line.params):
        return None
    return rpc.decoded(line.params, _OfScope).scope


class _OfScope(m.Within, frozen=True, kw_only=True):
    """Anything that may be asked for within a call."""

    case: int = 0
