"""The adapter's requests and notifications during a case, answered by the stage's doubles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import copy_context
from typing import Any

import msgspec
from msgspec.structs import replace

from ...contract.doubles import Interruption
from ...contract.errors import describe
from ...contract.faults import AdapterError
from ...contract.harness import HarnessStage
from ...contract.scene import ReadRequest
from ...contract.values import Message, Value
from ...protocol import messages as m
from ...protocol import rpc
from ...protocol.conversion import file_reply
from ...protocol.encoding import strategies_by_key
from ...protocol.methods import FROM_ADAPTER
from ...protocol.rpc import CASE_OVER, UNKNOWN_METHOD, Line
from .coroutines import CallCancelled, Task, Tasks
from .events import Feed
from .handlers import HandlerRequests, added_values
from .inside import Inside
from .peer import Peer, own_fault, quoted

Answer = Callable[[Any, str], Awaitable[m.Reply | m.FileReply]]  # Any: the params of its method
Note = Callable[[Any], None]


class AdapterRequests:
    """Answers an adapter during one case. Raises `AdapterError` for a message that breaks the protocol."""

    def __init__(self, peer: Peer, tasks: Tasks, stage: HarnessStage, case: int) -> None:
        self._peer = peer
        self._tasks = tasks
        self._stage = stage
        self._case = case
        self._feeds: dict[str, Feed] = {}
        self._streams: dict[str, AsyncIterator[Any]] = {}  # Any: messages, or answers of tools
        self._calls: dict[str, Task] = {}
        self._over = False
        self._answers: dict[str, Answer] = {
            "files/read": self._read,
            "model/generate": self._generate,
            "model/stream": self._stream_of_model,
            "tool/invoke": self._invoke,
            "tool/stream": self._stream_of_tool,
            "stream/next": self._read_on,
            "clock/sleep": self._sleep,
            **HandlerRequests(peer, stage, case, strategies_by_key(stage.scene.modules)).answers,
        }
        self._notes: dict[str, Note] = {
            "warning": lambda params: stage.environment.warn(params.path, params.message),
            "log": lambda params: stage.environment.log(params.line),
            "stream/close": self._close_stream,
            "callback": lambda params: stage.doubles.called_back(params.what, params.name, params.call_id),
            "handler/report": lambda params: stage.doubles.handled(
                params.hook, params.input_kept, params.output_valid, params.changes_again
            ),
            "execution": lambda params: stage.middlewares.executed(
                params.node, params.inputs, params.output, params.error
            ),
            "run/event": self._event,
            "run/chunk": self._event,
            "run/final": self._final,
        }

    def feed(self, run: str) -> Feed:
        """Return the feed for the events of a new run."""
        self._feeds[run] = Feed(self._tasks, self._stage, run)
        return self._feeds[run]

    def end(self) -> None:
        """Cancel all held calls. Later messages belong to no case."""
        self._over = True
        for call in list(self._calls.values()):
            self._tasks.cancel(call)
        self._tasks.move()
        for id_ in list(self._calls):
            self._peer.reply(id_, m.Reply(cancelled=True))
        self._calls.clear()

    # -- dispatch ------------------------------------------------------------------------------------------------------

    def serve(self, message: Line) -> None:
        """Handle a request or a notification."""
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
            raise AdapterError(f"the adapter sent {method.name} in the wrong form: it is {kind}")
        if params.case != self._case or self._over:
            self._refuse_late(message, params)
            return
        self._peer.heard = True
        if message.id is None:
            copy_context().run(self._note, self._notes[method.name], params)
        else:
            id_ = str(message.id)
            if id_ in self._calls:
                raise AdapterError(f"the adapter used the id {id_!r} for two requests at the same time")
            self._calls[id_] = self._tasks.start(self._answered(self._answers[method.name], params, id_))

    def _params(self, kind: type[Value], message: Line) -> Any:  # Any: the params of the message's method
        try:
            return rpc.decoded(message.params, kind)
        except msgspec.ValidationError as error:
            raise AdapterError(
                f"the adapter sent {message.method} with the params {quoted(bytes(message.params))}: {error}"
            ) from None

    def _refuse_late(self, message: Line, params: m.AdapterMessage) -> None:
        """Reject a request of an earlier case. Raises `AdapterError` for a case that has not begun."""
        if params.case > self._case:
            raise AdapterError(f"the adapter sent {message.method} for case {params.case} during case {self._case}")
        if message.id is not None:
            self._peer.refuse(message.id, CASE_OVER, f"case {params.case} is over")

    def _note(self, note: Note, params: m.AdapterMessage) -> None:
        self._stage.runs.enter(params.run, params.ctx)
        note(params)

    async def _answered(self, answer: Answer, params: m.AdapterMessage, id_: str) -> None:
        runs = self._stage.runs
        runs.enter(params.run, params.ctx)
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
        if isinstance(reply, m.Reply) and (added := added_values(runs.context(), params.ctx)):
            reply = replace(reply, ctx=added)
        if self._calls.pop(id_, None) is not None:
            self._peer.reply(id_, reply)

    # -- files, models, tools ------------------------------------------------------------------------------------------

    async def _read(self, params: m.ReadFile, id_: str) -> m.FileReply:
        request = ReadRequest(file_path=params.path, offset=params.offset, limit=params.limit)
        try:
            data = await self._stage.environment.read(request)
        except Exception as error:
            content = getattr(error, "content", None)  # of a backend that fails with content
            return replace(file_reply(content), error=describe(error), wrapped=error.__cause__ is not None)
        return m.FileReply(nothing=True) if data is None else file_reply(data)

    async def _generate(self, params: m.CallModel, id_: str) -> m.ModelReply:
        message = await self._stage.doubles.generate(params.model, params.request)
        return m.ModelReply(message=message, nothing=message is None)

    async def _invoke(self, params: m.CallTool, id_: str) -> m.ToolReply:
        inside = Inside(self._peer, self._case, id_)
        try:
            answer = await self._stage.doubles.invoke(params.request, inside)
        except Interruption as interrupt:
            return m.ToolReply(interrupt=m.Interrupt(info=interrupt.info, state=interrupt.state))
        return m.ToolReply(answer=answer, nothing=answer is None)

    async def _sleep(self, params: m.Sleep, id_: str) -> m.Reply:
        await self._stage.recovery.sleep(params.seconds)
        return m.Reply()

    # -- streams -------------------------------------------------------------------------------------------------------

    async def _stream_of_model(self, params: m.CallModel, id_: str) -> m.StreamItem:
        return await self._begin(self._stage.doubles.stream(params.model, params.request), id_)

    async def _stream_of_tool(self, params: m.CallTool, id_: str) -> m.StreamItem:
        inside = Inside(self._peer, self._case, id_)
        return await self._begin(self._stage.doubles.invoke_streaming(params.request, inside), id_)

    async def _begin(self, chunks: AsyncIterator[Any], id_: str) -> m.StreamItem:  # Any: messages or answers of tools
        name = f"s{id_}"
        self._streams[name] = chunks
        return replace(await self._pull(name), stream=name)

    async def _read_on(self, params: m.StreamRequest, id_: str) -> m.StreamItem:
        if params.stream not in self._streams:
            raise AdapterError(
                f"the adapter asked for a chunk of the stream {params.stream!r}, which has ended or has never begun"
            )
        return await self._pull(params.stream)

    async def _pull(self, name: str) -> m.StreamItem:
        try:
            chunk = await anext(self._streams[name])
        except StopAsyncIteration:
            del self._streams[name]
            return m.StreamItem(end=True)
        except Interruption as interrupt:
            del self._streams[name]
            return m.StreamItem(interrupt=m.Interrupt(info=interrupt.info, state=interrupt.state))
        except BaseException:
            self._streams.pop(name, None)
            raise
        return m.StreamItem(message=chunk) if isinstance(chunk, Message) else m.StreamItem(answer=chunk)

    def _close_stream(self, params: m.StreamRequest) -> None:
        chunks = self._streams.pop(params.stream, None)
        if chunks is not None and hasattr(chunks, "aclose"):
            self._tasks.start(chunks.aclose())

    # -- runs ----------------------------------------------------------------------------------------------------------

    def _event(self, params: m.RunEvent | m.RunChunk) -> None:
        if params.run not in self._feeds:
            raise AdapterError(f"the adapter sent an event of the run {params.run!r}, which has not begun")
        self._feeds[params.run].take(params)

    def _final(self, params: m.RunFinal) -> None:
        if params.run not in self._feeds:
            raise AdapterError(f"the adapter sent the final answer of the run {params.run!r}, which has not begun")
        if self._feeds[params.run].closed:
            raise AdapterError(f"the adapter sent the final answer of run {params.run} after the run was over")
        self._stage.runs.enter(params.run, {})
        self._stage.runs.final(params.text)
