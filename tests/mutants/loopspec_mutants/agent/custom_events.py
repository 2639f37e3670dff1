"""Mutants about the custom events that handlers and tools send."""

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
    """Patch how handlers and tools send events."""
    return patch.object(ref, "send_event", send)


def _refusing(refused: ContextVar[bool]) -> AbstractContextManager[object]:
    """Reject events while the context variable is true."""

    def send(payload: Any) -> None:  # Any: a payload
        if refused.get():
            raise ref.OutsideRunError("no events here")
        runs.send_event(payload)

    return _sending(send)


def _around_tools(mark: Callable[[bool], None]) -> AbstractContextManager[object]:
    """Call `mark` directly before the tool itself and after it."""
    with_callbacks = ToolCalls._with_callbacks

    def marking(
        self: ToolCalls[AnyMessage], context: ToolContext, innermost: Callable[[Any], Awaitable[Any]]
    ) -> Callable[[Any], Awaitable[Any]]:  # Any: requests and results of two kinds
        next_handler = with_callbacks(self, context, innermost)

        async def around(request: Any) -> Any:  # Any: likewise
            mark(True)
            try:
                return await next_handler(request)
            finally:
                mark(False)

        return around

    return patch.object(ToolCalls, "_with_callbacks", marking)


@mutant(
    "EVENT-05",
    neighbors={
        "EVENT-13": "the compared events include one that is sent before the model call",
        "LOOP-20": "the compared events include one that is sent before the model call",
    },
)
@contextmanager
def emits_events_before_the_model_after_the_answer() -> Iterator[None]:
    """Emits the events that handlers send before a model call only after the model has answered."""
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


@mutant("EVENT-08", neighbors={"HOOK-WT-14": "the handler sends an event between two chunks of a streamable tool"})
@contextmanager
def rejects_events_of_streaming_tools() -> Iterator[None]:
    """Rejects the events that are sent during the call of a streamable tool."""
    refused: ContextVar[bool] = ContextVar("refused", default=False)
    streaming: set[str] = set()
    make = Toolbox.__init__

    def shown(run: Run, requested: ToolCall, emit: Emit) -> Emit:
        refused.set(requested.name in streaming)
        return emit

    def fills(self: Toolbox, tools: Any) -> None:  # Any: passed on
        make(self, tools)
        streaming.update(name for name, kinds in self.kinds.items() if "streaming" in kinds[1])

    with patch.object(Toolbox, "__init__", fills), tool_events(shown), _refusing(refused):
        yield


@mutant("EVENT-09")
def drops_events_after_the_answer() -> AbstractContextManager[object]:
    """Drops the events of after-agent hooks in a synchronous run, so that the answer is the last event."""
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
def ignores_events_outside_of_a_run() -> AbstractContextManager[object]:
    """Raises no error when an event is sent outside of a run."""

    def send(payload: Any) -> None:  # Any: a payload
        if current_run.get() is not None:
            runs.send_event(payload)

    return _sending(send)


@dataclass
class _Call:
    """A tool call in progress."""

    returned: bool = False
    sent: list[Event] = field(default_factory=list)


@mutant("EVENT-13", neighbors={"ORDER-TOOL-03": "the rule says that the result is emitted after all wrappers"})
@contextmanager
def emits_events_of_wrappers_after_the_result() -> Iterator[None]:
    """Emits the events that a tool wrapper sends after the tool has returned only after the result."""
    current: ContextVar[_Call | None] = ContextVar("current", default=None)
    make = ToolCalls.call

    async def call(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        current_call = _Call()
        token = current.set(current_call)
        try:
            return await make(self, run, *rest)
        finally:
            current.reset(token)
            for event in current_call.sent:
                run.emit(event)

    def mark(begins: bool) -> None:
        current_call = current.get()
        if current_call is not None:
            current_call.returned = not begins

    def send(payload: Any) -> None:  # Any: a payload
        current_call, run = current.get(), current_run.get()
        if run is not None and current_call is not None and current_call.returned:
            current_call.sent.append(CustomEvent(run.agent, run.path, payload))
        else:
            runs.send_event(payload)

    with patch.object(ToolCalls, "call", call), _around_tools(mark), _sending(send):
        yield


@mutant("EVENT-14")
@contextmanager
def emits_events_of_tools_after_the_result() -> Iterator[None]:
    """Emits the events that a tool sends only after the tool's result."""
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

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        message = await call(self, *rest)
        while held:
            runs.send_event(held.pop(0))
        return message

    with _around_tools(mark), _sending(send), patch.object(ToolCalls, "call", calls):
        yield


@mutant("EVENT-18")
@contextmanager
def rejects_events_of_before_agent_hooks() -> Iterator[None]:
    """Rejects the events of before-agent hooks, as if the run began after these hooks."""
    refused: ContextVar[bool] = ContextVar("refused", default=False)
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        token = refused.set(True)
        try:
            return await begin(self, run)
        finally:
            refused.reset(token)

    with patch.object(Agent, "_begin", begins), _refusing(refused):
        yield


@mutant("EVENT-19")
def omits_outer_agents_from_the_path() -> AbstractContextManager[object]:
    """Names the agent that an event comes from, but not the outer agents."""
    init = Run.__init__

    def flat(self: Run, agent: str, *rest: Any, **options: Any) -> None:
        init(self, agent, *rest, **{**options, "path": ()})

    return patch.object(Run, "__init__", flat)
