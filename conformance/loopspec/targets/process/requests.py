"""The adapter's requests and notifications during a case, answered by the stage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextvars import copy_context
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from ...contract.calls import InvalidValue
from ...contract.doubles import Interruption
from ...contract.errors import Reported, describe
from ...contract.faults import AdapterError
from ...contract.harness import HarnessStage
from ...contract.plugins import strategies_by_key
from ...contract.values import Error, Json, Message, Value
from ...protocol import messages as m
from ...protocol import rpc
from ...protocol.conversion import as_sent, failed_read, file_reply
from ...protocol.methods import FROM_ADAPTER, Method
from ...protocol.rpc import CASE_OVER, UNKNOWN_METHOD, Line
from .coroutines import CallCancelled, Task, Tasks
from .events import Feed
from .inside import Around, Begun, Inside, OutcomeError
from .peer import Peer, own_fault, quoted


class AdapterRequests:
    """Answers an adapter during one case. Raises `AdapterError` for a message that breaks the protocol."""

    def __init__(self, peer: Peer, tasks: Tasks, stage: HarnessStage, case: int) -> None:
        self._peer = peer
        self._tasks = tasks
        self._stage = stage
        self._case = case
        self._feeds: dict[str, Feed] = {}
        self._streams: dict[str, AsyncIterator[Any]] = {}  # Any: messages, or answers of tools
        self._calls: dict[str, Task[None]] = {}
        self._over = False
        self._strategies = strategies_by_key(stage.scene.modules)

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
            self._peer.send(rpc.reply(id_, m.Reply(cancelled=True)))
        self._calls.clear()

    def serve(self, message: Line) -> None:
        """Handle a request or a notification."""
        method = FROM_ADAPTER.get(message.method or "")
        if method is None:
            if message.id is not None:
                self._peer.send(rpc.refusal(message.id, UNKNOWN_METHOD, f"there is no method {message.method!r}"))
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
            copy_context().run(self._note, method, params)
        else:
            id_ = str(message.id)
            if id_ in self._calls:
                raise AdapterError(f"the adapter used the id {id_!r} for two requests at the same time")
            self._calls[id_] = self._tasks.start(self._answered(method, params, id_))

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
            self._peer.send(rpc.refusal(message.id, CASE_OVER, f"case {params.case} is over"))

    def _note(self, method: Method, params: Any) -> None:  # Any: the params of the method
        self._stage.runs.enter(params.run, params.ctx)
        match params:
            case m.StreamRequest():
                chunks = self._streams.pop(params.stream, None)
                if chunks is not None and hasattr(chunks, "aclose"):
                    self._tasks.start(chunks.aclose())
            case m.RunEvent() | m.RunChunk() | m.RunFinal():
                self._take(params)
            case m.RunSaved():
                self._stage.runs.saved(params.checkpoint)
            case _:
                self._called(method, params, "")

    def _take(self, params: m.RunEvent | m.RunChunk | m.RunFinal) -> None:
        what = "the final answer" if isinstance(params, m.RunFinal) else "an event"
        if params.run not in self._feeds:
            raise AdapterError(f"the adapter sent {what} of the run {params.run!r}, which has not begun")
        feed = self._feeds[params.run]
        if feed.closed:
            raise AdapterError(f"the adapter sent {what} of run {params.run} after the run was over")
        if isinstance(params, m.RunFinal):
            self._stage.runs.final(params.text)
        else:
            feed.take(params)

    async def _answered(self, method: Method, params: m.AdapterMessage, id_: str) -> None:
        runs = self._stage.runs
        runs.enter(params.run, params.ctx)
        reply: m.Reply | m.FileReply
        try:
            reply = await self._answer(method, params, id_)
        except CallCancelled:
            reply = m.Reply(cancelled=True)
        except Interruption as interrupt:
            reply = m.Reply(interrupt=m.Interrupt(info=interrupt.info, state=interrupt.state))
        except OutcomeError as error:
            reply = m.AroundReply(raised=error.outcome)
        except AdapterError as error:
            self._peer.broke(error)
            return
        except Exception as error:
            described = describe(error)
            reply = failed_read(error, described) if method.result is m.FileReply else m.Reply(error=described)
        if isinstance(reply, m.Reply) and (added := added_values(runs.context(), params.ctx)):
            reply = replace(reply, ctx=added)
        if self._calls.pop(id_, None) is not None:
            self._peer.send(rpc.reply(id_, reply))

    async def _answer(self, method: Method, params: m.AdapterMessage, id_: str) -> m.Reply | m.FileReply:
        """The answer to a request. Raises what the double raises."""
        if isinstance(params, m.StreamRequest):
            return await self._next_chunk(params.stream)
        result: Any = self._called(method, params, id_)
        if method.streams:
            name = f"s{id_}"
            self._streams[name] = result
            return replace(await self._next_chunk(name), stream=name)
        if method.awaits:
            result = await result
        match result:
            case Begun():
                return m.AroundReply(returned=result.number)
            case InvalidValue():
                return m.Reply(invalid=True)
        if method.result is m.FileReply:
            return file_reply(result)
        reply: Any = method.result
        return cast("m.Reply", reply() if reply is m.Reply else reply(value=as_sent(result)))

    def _called(self, method: Method, params: Any, id_: str) -> Any:  # Any: params of the method, and what it returns
        """What the function of the stage returns for a call."""
        given = {name: self._received(method, name, params, id_) for name in method.names}
        return getattr(getattr(self._stage, method.part), method.attribute)(*given.values())

    def _received(self, method: Method, name: str, params: Any, id_: str) -> object:  # Any: params of the method
        """A parameter of the function: errors are raised as those of an adapter, and strategies come by their keys."""
        if name == method.inner:
            return self._around(params, id_) if method.wraps else Inside(self._peer, self._case, id_)
        value = getattr(params, name)
        if isinstance(value, Error):
            return Reported(value)
        if name == "strategy" and value not in self._strategies:
            raise AdapterError(f"the adapter called the factory of the strategy {value!r}, which is unknown")
        return self._strategies[value] if name == "strategy" else value

    def _around(self, params: m.AdapterMessage, id_: str) -> Around:
        known = dict(params.ctx)

        def take_added() -> Mapping[str, Json]:
            added = added_values(self._stage.runs.context(), known)
            known.update(added)
            return added

        return Around(self._peer, self._case, id_, take_added)

    async def _next_chunk(self, name: str) -> m.StreamReply:
        if name not in self._streams:
            raise AdapterError(
                f"the adapter asked for a chunk of the stream {name!r}, which has ended or has never begun"
            )
        try:
            chunk = await anext(self._streams[name])
        except StopAsyncIteration:
            del self._streams[name]
            return m.StreamReply(end=True)
        except BaseException:
            self._streams.pop(name, None)
            raise
        return m.StreamReply(message=chunk) if isinstance(chunk, Message) else m.StreamReply(answer=chunk)


def added_values(now: Mapping[str, Json], before: Mapping[str, Json]) -> dict[str, Json]:
    """The context values that were added or changed."""
    if now is before:
        return {}
    return {key: value for key, value in now.items() if key not in before or before[key] != value}
