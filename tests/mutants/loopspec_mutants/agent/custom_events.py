"""Mutants about the events that handlers and tools send."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import loopspec_reference as ref
from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import run as runs
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.tools.kinds import ToolContext
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.events import CustomEvent, Event
from loopspec_reference.values.messages import AnyMessage, ToolCall

from ..registry import mutant
from .events import Emit, tool_events


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
    told = ToolCalls._with_callbacks

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

    return patch.object(ToolCalls, "_with_callbacks", marking)


@mutant(
    "EVENT-05",
    neighbors={
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


@mutant("EVENT-08", neighbors={"HOOK-WT-14": "its handler sends an event between two chunks of such a tool"})
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

    with patch.object(Toolbox, "__init__", fills), tool_events(shown), _refusing(refuses):
        yield


@mutant("EVENT-09")
def closes_the_stream_with_the_answer() -> AbstractContextManager[object]:
    """Tells nothing of what is sent after the agent in a synchronous run: the answer was the last event."""
    end = Agent._end

    async def closes(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if run.streaming:
            return await end(self, run, state)
        emit, run.emit = run.emit, runs.discard
        try:
            return await end(self, run, state)
        finally:
            run.emit = emit

    return patch.object(Agent, "_end", closes)


@mutant("EVENT-12")
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


@mutant("EVENT-13", neighbors={"ORDER-TOOL-03": "it, too, says that the result is told after all wrapping"})
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


@mutant("EVENT-14")
@contextmanager
def keeps_the_events_of_tools_until_the_result() -> Iterator[None]:
    """Emits the events that a tool sends after the tool's result."""
    inside: ContextVar[bool] = ContextVar("inside", default=False)
    call = ToolCalls.call
    held: list[Any] = []  # Any: payloads

    def mark(begins: bool) -> None:
        inside.set(begins)

    def send(payload: Any) -> None:  # Any: a payload
        run = current_run.get()
        if inside.get() and run is not None and not run.nested:
            held.append(payload)
        else:
            runs.send_event(payload)

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        message = await call(self, *rest)
        while held:
            runs.send_event(held.pop(0))
        return message

    with _around_tools(mark), _sending(send), patch.object(ToolCalls, "call", calls):
        yield


@mutant("EVENT-18")
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


@mutant("EVENT-19")
def leaves_out_who_is_above() -> AbstractContextManager[object]:
    """Names the agent that an event comes from, and not those above it."""
    init = Run.__init__

    def flat(self: Run, agent: str, *rest: Any, **options: Any) -> None:
        init(self, agent, *rest, **{**options, "path": ()})

    return patch.object(Run, "__init__", flat)
