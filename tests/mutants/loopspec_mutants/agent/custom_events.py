"""Mutants about the custom events that handlers and tools send."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import loopspec_reference as ref
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import run as runs
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.tools.kinds import ToolContext
from loopspec_reference.values.events import CustomEvent, Event
from loopspec_reference.values.messages import AnyMessage

from ..registry import mutant


def _sending(send: Callable[[Any], None]) -> AbstractContextManager[object]:  # Any: a payload
    """Patch how handlers and tools send events."""
    return patch.object(ref, "send_event", send)


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
