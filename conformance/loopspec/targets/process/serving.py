"""What the adapter asks for during a case, answered by the Stage's doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import copy_context
from typing import Any

import msgspec
from msgspec.structs import replace

from ...contract.doubles import Interruption
from ...contract.errors import describe
from ...contract.faults import AdapterError
from ...contract.scene import ReadRequest
from ...contract.stage import Stage
from ...contract.values import Message, Value
from ...protocol import messages as m
from ...protocol import rpc
from ...protocol.conversion import file_reply
from ...protocol.encoding import strategies_by_key
from ...protocol.methods import FROM_ADAPTER
from ...protocol.rpc import CASE_OVER, UNKNOWN_METHOD, Line
from .around import Arounds, new_in
from .coroutines import CallCancelled, Task, Tasks
from .events import Feed
from .inside import Inside
from .peer import Peer, own_fault, quoted

Answer = Callable[[Any, str], Awaitable[m.Reply | m.FileReply]]  # Any: the params of its method
Note = Callable[[Any], None]


class Serving:
    """Answers an adapter during one case. Raises `AdapterError` for what makes no sense."""

    def __init__(self, peer: Peer, tasks: Tasks, stage: Stage, case: int) -> None:
        self._peer = peer
        self._tasks = tasks
        self._stage = stage
        self._case = case
        self._feeds: dict[str, Feed] = {}
        self._streams: dict[str, AsyncIterator[Any]] = {}  # Any: messages, or answers of tools
        self._calls: dict[str, Task] = {}
        self._strategies = strategies_by_key(stage.scene.modules)
        self._over = False
        arounds = Arounds(peer, stage, case, self._strategies)
        self._answers: dict[str, Answer] = {
            "files/read": self._read,
            "model/generate": self._generate,
            "model/stream": self._stream_of_model,
            "tool/invoke": self._invoke,
            "tool/stream": self._stream_of_tool,
            "stream/next": self._next_of_stream,
            "clock/sleep": self._sleep,
            **arounds.answers,
        }
        self._notes: dict[str, Note] = {
            "warning": lambda params: stage.world.warn(params.path, params.message),
            "log": lambda params: stage.world.log(params.line),
            "stream/close": self._close_stream,
            "callback": lambda params: stage.doubles.called_back(params.what, params.name, params.call_id),
            "handler/handled": lambda params: stage.doubles.handled(
                params.hook, params.kept, params.returned, params.changes
            ),
            "execution": lambda params: stage.middlewares.executed(
                params.node, params.inputs, params.output, params.error
            ),
            "run/event": self._event,
            "run/chunk": self._event,
        }

    def feed(self, run: str) -> Feed:
        """The events of a run that begins."""
        self._feeds[run] = Feed(self._tasks, self._stage, run)
        return self._feeds[run]

    def end(self) -> None:
        """Take back all calls that are still held; what comes from here on belongs to nothing."""
        self._over = True
        for call in list(self._calls.values()):
            self._tasks.cancel(call)
        self._tasks.move()
        for id_ in list(self._calls):
            self._peer.reply(id_, m.Reply(cancelled=True))
        self._calls.clear()

    # -- dispatch ------------------------------------------------------------------------------------------------------

    def serve(self, message: Line) -> None:
        """Take a request or a notification."""
        method = FROM_ADAPTER.get(message.method or "")
        if method is None:
            if message.id is not None:
                self._peer.refuse(message.id, UNKNOWN_METHOD, f"there is no method {message.method!r}")
            return
        if method.params is m.AdapterFault:
            raise AdapterError(own_fault(message))
        params = self._params(method.params, message)
        if isinstance(params, m.CancelCall):
            if call := self._calls.get(params.id):
                self._tasks.cancel(call)
            return
        if (message.id is None) != (method.result is None):
            kind = "a request" if method.result is not None else "a notification"
            raise AdapterError(f"the adapter has sent {method.name} as what it is not: it is {kind}")
        if params.case != self._case or self._over:
            self._come_late(message, params)
            return
        self._peer.heard = True
        if message.id is None:
            copy_context().run(self._note, self._notes[method.name], params)
        else:
            id_ = str(message.id)
            if id_ in self._calls:
                raise AdapterError(f"the adapter has used the id {id_!r} again before it was answered")
            self._calls[id_] = self._tasks.start(self._answered(self._answers[method.name], params, id_))

    def _params(self, kind: type[Value], message: Line) -> Any:  # Any: the params of the message's method
        try:
            return rpc.decoded(message.params, kind)
        except msgspec.ValidationError as error:
            raise AdapterError(
                f"the adapter has sent {message.method} with {quoted(bytes(message.params))}: {error}"
            ) from None

    def _come_late(self, message: Line, params: m.FromAdapter) -> None:
        """Something of a case that is over is refused, and nobody's fault; of one that has not begun is a mistake."""
        if params.case > self._case:
            raise AdapterError(f"the adapter has sent {message.method} of case {params.case} during case {self._case}")
        if message.id is not None:
            self._peer.refuse(message.id, CASE_OVER, f"case {params.case} is over")

    def _note(self, note: Note, params: m.FromAdapter) -> None:
        self._stage.runs.carry(params.run, params.ctx)
        note(params)

    async def _answered(self, answer: Answer, params: m.FromAdapter, id_: str) -> None:
        runs = self._stage.runs
        runs.carry(params.run, params.ctx)
        reply: m.Reply | m.FileReply
        try:
            reply = await answer(params, id_)
        except CallCancelled:
            reply = m.Reply(cancelled=True)
        except AdapterError as error:
            self._peer.broke(error)
            return
        except Exception as error:
            reply = m.Reply(error=describe(error))
        if isinstance(reply, m.Reply) and (added := new_in(runs.carried(), params.ctx)):
            reply = replace(reply, ctx=added)
        if self._calls.pop(id_, None) is not None:
            self._peer.reply(id_, reply)

    # -- files, models, tools ------------------------------------------------------------------------------------------

    async def _read(self, params: m.ReadFile, id_: str) -> m.FileReply:
        request = ReadRequest(file_path=params.path, offset=params.offset, limit=params.limit)
        try:
            data = await self._stage.world.read(request)
        except Exception as error:
            content = getattr(error, "content", None)  # of a backend that fails and answers in one
            return replace(file_reply(content), error=describe(error), wrapped=error.__cause__ is not None)
        return m.FileReply(nothing=True) if data is None else file_reply(data)

    async def _generate(self, params: m.AskModel, id_: str) -> m.ModelReply:
        message = await self._stage.doubles.generate(params.model, params.request)
        return m.ModelReply(message=message, nothing=message is None)

    async def _invoke(self, params: m.CallTool, id_: str) -> m.ToolReply:
        inside = Inside(self._peer, self._case, id_)
        try:
            answer = await self._stage.doubles.invoke(params.request, inside)
        except Interruption as asked:
            return m.ToolReply(interrupt=m.Interrupt(info=asked.info, state=asked.state))
        return m.ToolReply(answer=answer, nothing=answer is None)

    async def _sleep(self, params: m.Sleep, id_: str) -> m.Reply:
        await self._stage.recovery.sleep(params.seconds)
        return m.Reply()

    # -- streams -------------------------------------------------------------------------------------------------------

    async def _stream_of_model(self, params: m.AskModel, id_: str) -> m.StreamItem:
        return await self._begin(self._stage.doubles.stream(params.model, params.request), id_)

    async def _stream_of_tool(self, params: m.CallTool, id_: str) -> m.StreamItem:
        inside = Inside(self._peer, self._case, id_)
        return await self._begin(self._stage.doubles.invoke_streaming(params.request, inside), id_)

    async def _begin(self, pieces: AsyncIterator[Any], id_: str) -> m.StreamItem:  # Any: messages or answers of tools
        name = f"s{id_}"
        self._streams[name] = pieces
        return replace(await self._pull(name), stream=name)

    async def _next_of_stream(self, params: m.OfStream, id_: str) -> m.StreamItem:
        if params.stream not in self._streams:
            raise AdapterError(
                f"the adapter wants more of the stream {params.stream!r}, which has ended or never began"
            )
        return await self._pull(params.stream)

    async def _pull(self, name: str) -> m.StreamItem:
        try:
            piece = await anext(self._streams[name])
        except StopAsyncIteration:
            del self._streams[name]
            return m.StreamItem(end=True)
        except Interruption as asked:
            del self._streams[name]
            return m.StreamItem(interrupt=m.Interrupt(info=asked.info, state=asked.state))
        except BaseException:
            self._streams.pop(name, None)
            raise
        return m.StreamItem(message=piece) if isinstance(piece, Message) else m.StreamItem(answer=piece)

    def _close_stream(self, params: m.OfStream) -> None:
        pieces = self._streams.pop(params.stream, None)
        if pieces is not None and hasattr(pieces, "aclose"):
            self._tasks.start(pieces.aclose())

    # -- runs ----------------------------------------------------------------------------------------------------------

    def _event(self, params: m.RunEvent | m.RunChunk) -> None:
        if params.run not in self._feeds:
            raise AdapterError(f"the adapter has sent an event of the run {params.run!r}, which has not begun")
        self._feeds[params.run].take(params)
