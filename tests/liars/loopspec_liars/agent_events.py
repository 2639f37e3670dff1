"""Liars about the events of a run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import msgspec

import loopspec_reference as ref
from loopspec_reference import model_calls, runs
from loopspec_reference.agents import Agent
from loopspec_reference.attempts import Attempt
from loopspec_reference.events import CustomEvent, ErrorEvent, Event, MessageEvent, StreamEvent
from loopspec_reference.handlers import State
from loopspec_reference.messages import AnyMessage, ToolCall
from loopspec_reference.model_calls import ModelCalls
from loopspec_reference.models import Model, ModelRequest
from loopspec_reference.outputs import Output, ToldStream
from loopspec_reference.runs import Run, current_run
from loopspec_reference.tool_calls import ToolCalls
from loopspec_reference.toolboxes import Toolbox
from loopspec_reference.tools import ToolContext

from .registry import liar

Emit = Callable[[Event], None]


def _tool_events(shown: Callable[[Run, ToolCall, Emit], Emit]) -> AbstractContextManager[object]:
    """Let the events of tools pass something first."""
    make = ToolCalls.call

    async def call(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        asked: ToolCall,
        context: ToolContext,
        emit: Emit,
        exits: bool,
    ) -> AnyMessage:
        return await make(self, run, box, asked, context, shown(run, asked, emit), exits)

    return patch.object(ToolCalls, "call", call)


def _sending(send: Callable[[Any], None]) -> AbstractContextManager[object]:  # Any: a payload
    """Let handlers and tools send events in another way."""
    return patch.object(ref, "send_event", send)


def _refusing(refuses: ContextVar[bool]) -> AbstractContextManager[object]:
    """Refuse events at some places."""

    def send(payload: Any) -> None:  # Any: a payload
        if refuses.get():
            raise ref.OutsideRunError("no events here")
        runs.send_event(payload)

    return _sending(send)


def _around_tools(mark: Callable[[bool], None]) -> AbstractContextManager[object]:
    """Do something directly before the tool itself, and after it."""
    told = ToolCalls._told

    def marking(
        self: ToolCalls[AnyMessage], context: ToolContext, innermost: Callable[[Any], Awaitable[Any]]
    ) -> Callable[[Any], Awaitable[Any]]:  # Any: requests and results of two kinds
        further_in = told(self, context, innermost)

        async def around(request: Any) -> Any:  # Any: likewise
            mark(True)
            try:
                return await further_in(request)
            finally:
                mark(False)

        return around

    return patch.object(ToolCalls, "_told", marking)


@liar("EVENT-01", neighbours={"LOOP-20": "it compares all events of two runs"})
def takes_an_equal_result_for_told() -> AbstractContextManager[object]:
    """Tells of a tool's result only if the tool has not returned the same before."""
    known: set[tuple[Run, str, str]] = set()

    def shown(run: Run, asked: ToolCall, emit: Emit) -> Emit:
        def once(event: Event) -> None:
            if isinstance(event, MessageEvent):
                result = (run, asked.name, event.message.outcome)
                if result in known:
                    return
                known.add(result)
            emit(event)

        return once

    return _tool_events(shown)


class _Short(ToldStream[AnyMessage]):
    """A stream that shows no more than two chunks."""

    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        number = 0
        async for chunk in super().__aiter__():
            number += 1
            if number <= 2:
                yield chunk


@liar("EVENT-02")
def shows_two_chunks_at_most() -> AbstractContextManager[object]:
    """Leaves out what comes after the second chunk of an event's stream."""
    return patch.object(model_calls, "ToldStream", _Short)


@liar(
    "EVENT-03",
    neighbours={
        "AGENTTOOL-05": "it looks at the kind of each event",
        "BASE-01": "it looks at the kind of each event",
        "RETRY-12": "it looks at the kind of each event",
    },
)
def shows_every_result_as_a_stream() -> AbstractContextManager[object]:
    """Makes a stream of each tool's result in a streaming run."""

    def shown(run: Run, asked: ToolCall, emit: Emit) -> Emit:
        def streamed(event: Event) -> None:
            if run.streaming and isinstance(event, MessageEvent):
                event = StreamEvent(event.agent, event.path, Output.of(event.message), event.exits)
            emit(event)

        return streamed

    return _tool_events(shown)


class _Calm(ToldStream[AnyMessage]):
    """A stream that ends as if nothing had happened when a model has failed."""

    async def __aiter__(self) -> AsyncIterator[AnyMessage]:
        try:
            async for chunk in super().__aiter__():
                yield chunk
        except ref.LoopError:
            raise
        except Exception:
            return


@liar(
    "EVENT-04",
    neighbours={
        "RETRY-14": "the stream of an attempt that is not repeated ends with its own error",
        "RETRY-15": "the stream of the last attempt ends with its own error",
    },
)
def ends_broken_streams_as_if_whole() -> AbstractContextManager[object]:
    """Keeps the error of a broken stream for the end of the run."""
    return patch.object(model_calls, "ToldStream", _Calm)


@liar(
    "EVENT-05",
    neighbours={
        "EVENT-13": "what is sent before the model is among what it orders",
        "LOOP-20": "what is sent before the model is among what it orders",
    },
)
@contextmanager
def lets_events_wait_for_the_answer() -> Iterator[None]:
    """Tells what handlers send before a model call only when the model has answered."""
    prepared, call = ModelCalls._prepared, ModelCalls.call
    waiting: dict[Run, list[Event]] = {}

    async def collects(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        run = current_run.get()
        assert run is not None
        emit, run.emit = run.emit, waiting.setdefault(run, []).append
        try:
            return await prepared(self, state)
        finally:
            run.emit = emit

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        try:
            return await call(self, run, state)
        finally:
            for event in waiting.pop(run, []):
                run.emit(event)

    with patch.multiple(ModelCalls, _prepared=collects, call=calls):
        yield


@liar(
    "EVENT-06",
    neighbours={
        "ORDER-MODEL-05": "it says the same, and where the event stands",
        "HOOK-WM-03": "it reads what a wrapper has answered from the event",
    },
)
@contextmanager
def shows_what_the_model_said() -> Iterator[None]:
    """Tells of a model's answer as the model gave it, whatever wrappers made of it."""
    call = ModelCalls._call
    said: dict[Run, AnyMessage] = {}

    async def listens(
        self: ModelCalls[AnyMessage], model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Output[AnyMessage]:
        output = await call(self, model, request)
        run = current_run.get()
        if run is not None and not request.streaming:
            said[run] = await output.message()
        return output

    def event(agent: str, path: tuple[str, ...], message: AnyMessage) -> MessageEvent:
        run = current_run.get()
        return MessageEvent(agent, path, said.get(run, message) if run else message)

    with patch.object(ModelCalls, "_call", listens), patch.object(model_calls, "MessageEvent", event):
        yield


@liar(
    "EVENT-07",
    neighbours={
        "ORDER-TOOL-03": "it says the same",
        "HOOK-WT-05": "it reads what a wrapper has answered from the event",
    },
)
@contextmanager
def shows_what_the_tool_returned() -> Iterator[None]:
    """Tells of a tool's result as the tool gave it, whatever wrappers made of it."""
    told = ToolCalls._told
    returned: dict[tuple[Run | None, str], str] = {}

    def listening(
        self: ToolCalls[AnyMessage], context: ToolContext, innermost: Callable[[Any], Awaitable[Any]]
    ) -> Callable[[Any], Awaitable[Any]]:  # Any: requests and results of two kinds
        further_in = told(self, context, innermost)

        async def around(request: Any) -> Any:  # Any: likewise
            result = await further_in(request)
            if isinstance(result, str):
                returned[current_run.get(), context.call_id] = result
            return result

        return around

    def shown(run: Run, asked: ToolCall, emit: Emit) -> Emit:
        def raw(event: Event) -> None:
            text = returned.get((run, asked.id))
            if text is not None and isinstance(event, MessageEvent):
                message = type(event.message).tool_result(asked, text)
                event = msgspec.structs.replace(event, message=message)
            emit(event)

        return raw

    with patch.object(ToolCalls, "_told", listening), _tool_events(shown):
        yield


@liar("EVENT-08")
@contextmanager
def refuses_events_around_streaming_tools() -> Iterator[None]:
    """Knows nothing of its run around a tool that streams, when it comes to events."""
    refuses: ContextVar[bool] = ContextVar("refuses", default=False)
    streaming: set[str] = set()
    make = Toolbox.__init__

    def shown(run: Run, asked: ToolCall, emit: Emit) -> Emit:
        refuses.set(asked.name in streaming)
        return emit

    def fills(self: Toolbox, tools: Any) -> None:  # Any: handed on
        make(self, tools)
        streaming.update(name for name, kinds in self.kinds.items() if "streaming" in kinds[1])

    with patch.object(Toolbox, "__init__", fills), _tool_events(shown), _refusing(refuses):
        yield


@liar("EVENT-09")
def closes_the_stream_with_the_answer() -> AbstractContextManager[object]:
    """Tells nothing of what is sent after the agent in a synchronous run: the answer was the last event."""
    end = Agent._end

    async def closes(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if run.streaming:
            return await end(self, run, state)
        emit, run.emit = run.emit, runs.unheard
        try:
            return await end(self, run, state)
        finally:
            run.emit = emit

    return patch.object(Agent, "_end", closes)


@liar("EVENT-12")
def sends_events_into_the_void() -> AbstractContextManager[object]:
    """Says nothing when an event is sent outside of a run."""

    def send(payload: Any) -> None:  # Any: a payload
        if current_run.get() is not None:
            runs.send_event(payload)

    return _sending(send)


@dataclass
class _Call:
    """A tool call under way."""

    returned: bool = False
    sent: list[Event] = field(default_factory=list)


@liar("EVENT-13", neighbours={"ORDER-TOOL-03": "it, too, says that the result is told after all wrapping"})
@contextmanager
def puts_the_wrappers_last_words_behind() -> Iterator[None]:
    """Tells what a wrapper sends after its tool has returned only behind the result."""
    current: ContextVar[_Call | None] = ContextVar("current", default=None)
    make = ToolCalls.call

    async def call(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: handed on
        mine = _Call()
        token = current.set(mine)
        try:
            return await make(self, run, *rest)
        finally:
            current.reset(token)
            for event in mine.sent:
                run.emit(event)

    def mark(begins: bool) -> None:
        mine = current.get()
        if mine is not None:
            mine.returned = not begins

    def send(payload: Any) -> None:  # Any: a payload
        mine, run = current.get(), current_run.get()
        if run is not None and mine is not None and mine.returned:
            mine.sent.append(CustomEvent(run.agent, run.path, payload))
        else:
            runs.send_event(payload)

    with patch.object(ToolCalls, "call", call), _around_tools(mark), _sending(send):
        yield


@liar("EVENT-14")
@contextmanager
def refuses_events_from_tools() -> Iterator[None]:
    """Lets handlers send events, and tools not."""
    refuses: ContextVar[bool] = ContextVar("refuses", default=False)

    def mark(begins: bool) -> None:
        refuses.set(begins)

    with _around_tools(mark), _refusing(refuses):
        yield


@liar(
    "EVENT-15",
    neighbours={
        "RETDIR-03": "the final answer there is the last event",
        "RETDIR-04": "the final answer there is the last event",
    },
)
def tells_every_result_at_once() -> AbstractContextManager[object]:
    """Tells of each result when it is there, that of a tool that returns directly, too."""
    return _tool_events(lambda run, asked, emit: run.emit)


@liar("EVENT-16")
def tells_an_error_where_it_happens() -> AbstractContextManager[object]:
    """Tells an error from the wrappers around the model at once, and again at the end of the run."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        attempt = await answered(self, run, request)
        if attempt.error is not None and self._wraps and not run.streaming:
            run.emit(ErrorEvent(run.agent, run.path, attempt.error))
        return attempt

    return patch.object(ModelCalls, "_answered", answers)


@liar("EVENT-18")
@contextmanager
def refuses_events_before_the_agent() -> Iterator[None]:
    """Begins the run only after the hooks before the agent, as far as events go."""
    refuses: ContextVar[bool] = ContextVar("refuses", default=False)
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        token = refuses.set(True)
        try:
            return await begin(self, run)
        finally:
            refuses.reset(token)

    with patch.object(Agent, "_begin", begins), _refusing(refuses):
        yield
