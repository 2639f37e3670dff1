"""This end of the pipe, for an adapter on an asyncio loop."""

from __future__ import annotations

import asyncio
import os
import select
from collections import deque
from collections.abc import Callable

from ..contract.faults import UsageError
from ..contract.values import Value
from ..protocol import messages as m
from ..protocol import rpc
from ..protocol.methods import FROM_HARNESS, Method
from ..protocol.rpc import Line
from ..stage.record import current_context
from .inside import Inside

_CHUNK = 1 << 16  # bytes


class BrokenHarness(Exception):
    """Raised where the harness answers with an error of JSON-RPC, or not at all."""


class Pipe:
    """Lines in both directions. `on_line` takes lines that belong to no call of ours; `on_end` is called at the end.

    Lines to the harness are collected, and written by `flush` before this end waits for anything: a message for each
    system call would cost more than all else that a message needs.
    """

    def __init__(self, source: int, sink: int) -> None:
        self.on_line: Callable[[Line], None] = lambda line: None
        self.on_end: Callable[[], None] = lambda: None
        self.ended = False
        self._source = source
        self._sink = sink
        self._requests = 0
        self._to_write = bytearray()
        self._read = bytearray()
        self._lines: deque[Line] = deque()
        # the lines that have arrived for each unanswered call: requests within it, and in the end its answer
        self._calls: dict[str, asyncio.Queue[Line]] = {}
        os.set_blocking(source, False)

    def send(self, line: bytes) -> None:
        """Take a line to be written."""
        self._to_write += line
        self._to_write += b"\n"
        if len(self._to_write) > _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write all lines."""
        while self._to_write:
            try:
                written = os.write(self._sink, self._to_write)
            except BlockingIOError:
                select.select((), (self._sink,), ())
            else:
                del self._to_write[:written]

    def notify(self, method: str, params: Value) -> None:
        """Send a notification."""
        self.send(rpc.notification(method, params))

    def _request(self, method: str, params: Value) -> str:
        self._requests += 1
        id_ = f"a{self._requests}"
        self.send(rpc.request(id_, method, params))
        return id_

    async def ask(self, method: Method, params: Value, within: Inside | None = None) -> Value:
        """Send a request and return its result. Requests of the harness within this one are served in this very task.

        Raises `CancelledError` where the double accepts a cancellation.
        """
        id_ = self._request(method.name, params)
        self._calls[id_] = asyncio.Queue()
        reply = _decoded(await self._answer(id_, within), method)
        if isinstance(reply, m.Reply | m.FileReply) and reply.cancelled:
            raise asyncio.CancelledError
        if isinstance(reply, m.Reply) and reply.ctx:
            current_context.set({**current_context.get({}), **reply.ctx})
        return reply

    async def _answer(self, id_: str, within: Inside | None) -> Line:
        """Wait for the answer to a call. A cancellation goes to the harness, and the double decides."""
        while True:
            try:
                line = await self._calls[id_].get()
                if line.method is None:
                    del self._calls[id_]
                    return line
                if within is None:
                    why = f"nothing can be requested within this call: {line.method}"
                    self.send(rpc.refusal(line.id, rpc.UNKNOWN_METHOD, why))
                else:
                    self.send(rpc.reply(line.id, await within.serve(*nested(line))))
            except asyncio.CancelledError:
                if self.ended:
                    raise
                self.notify("$/cancel", m.CancelCall(id=id_))

    def ask_now(self, method: Method, params: Value, within: Inside | None = None) -> Value:
        """Send a request and return its result without awaiting. Only requests within this one are served meanwhile."""
        id_ = self._request(method.name, params)
        while True:
            self.flush()
            self._fill()
            for line in list(self._lines):
                if line.method is None and line.id == id_:
                    self._lines.remove(line)
                    asyncio.get_running_loop().call_soon(self._dispatch)
                    return _decoded(line, method)
                if within is not None and line.method is not None and _scope(line) == id_:
                    self._lines.remove(line)
                    self.send(rpc.reply(line.id, within.serve_now(*nested(line))))
            if self.ended:
                raise BrokenHarness("the harness has gone")
            self.flush()
            select.select((self._source,), (), ())

    def listen(self) -> None:
        """Take lines as they arrive, on the running loop. Raises `UsageError` where none can arrive."""
        try:
            asyncio.get_running_loop().add_reader(self._source, self._readable)
        except PermissionError:  # of a file, where no harness would answer
            raise UsageError("an adapter talks to a harness over pipes: standard input is a file") from None

    def _readable(self) -> None:
        self._fill()
        self._dispatch()
        if self.ended:
            asyncio.get_running_loop().remove_reader(self._source)
            self.on_end()

    def _fill(self) -> None:
        """Read what has arrived, without waiting."""
        while True:
            try:
                chunk = os.read(self._source, _CHUNK)
            except BlockingIOError:
                return
            self.ended |= not chunk
            *ends, rest = chunk.split(b"\n")
            if ends:
                ends[0] = bytes(self._read) + ends[0]
                self._read.clear()
                for line in ends:
                    self._take(line)
            self._read += rest
            if len(chunk) < _CHUNK:
                return

    def _take(self, line: bytes) -> None:
        """Decode a line; one that is no message is the harness's fault, and reported as such."""
        try:
            self._lines.append(rpc.line_decoder.decode(line))
        except rpc.UNREADABLE as error:
            self.notify("adapter/fault", m.AdapterFault(message=f"this line is no message: {line[:200]!r}: {error}"))

    def _dispatch(self) -> None:
        while self._lines:
            line = self._lines.popleft()
            scope = str(line.id) if line.method is None else _scope(line)
            if scope is None:
                self.on_line(line)
            elif scope in self._calls:
                self._calls[scope].put_nowait(line)
            elif line.method is not None:
                self.send(rpc.refusal(line.id, rpc.CASE_OVER, f"{scope} is no unanswered call"))


def _decoded(line: Line, method: Method) -> Value:
    if line.error is not None:
        raise BrokenHarness(f"{method.name} was refused: {line.error.message}")
    assert method.result is not None, "a notification has no result"
    return rpc.decoded(line.result, method.result)


def nested(line: Line) -> tuple[Method, Value]:
    """The method of a nested request, and its params."""
    method = FROM_HARNESS[line.method or ""]
    return method, rpc.decoded(line.params, method.params)


def _scope(line: Line) -> str | None:
    """The call within which the harness requests something."""
    method = FROM_HARNESS.get(line.method or "")
    if method is None or not method.nested:
        return None
    return rpc.decoded(line.params, m.NestedRequest).scope
