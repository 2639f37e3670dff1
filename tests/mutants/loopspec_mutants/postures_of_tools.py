"""Postures of tools and of their calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, ConfigError, InterruptRun, ToolCall
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import _Start
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools import toolboxes
from loopspec_reference.tools.kinds import AnyTool, ToolContext
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.events import Event, MessageEvent

from .postures import posture

AnyAgent = Agent[AnyMessage]
Make = Callable[[int], Coroutine[Any, Any, None]]  # Any: what a coroutine yields to its loop


@posture("tool-failure", "reported")
def reports_tool_failures() -> AbstractContextManager[object]:
    """Return the error of a failed tool call as its result."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        call_: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        try:
            return await call(self, run, box, call_, context, emit, exits)
        except InterruptRun:
            raise
        except Exception as error:
            message = self._message_type.tool_result(call_, f"failed: {error}")
            emit(MessageEvent(run.agent, run.path, message, exits))
            return message

    return patch.object(ToolCalls, "call", calls)


def _reporting_unknown(call: Any) -> Any:  # Any: the method of `ToolCalls`, without its self
    """Return a call that returns an error as the result of a call of an unknown tool."""

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        call_: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        if call_.name in box.tools:
            known: AnyMessage = await call(self, run, box, call_, context, emit, exits)
            return known
        message = self._message_type.tool_result(call_, f"there is no tool {call_.name!r}")
        emit(MessageEvent(run.agent, run.path, message, exits))
        return message

    return calls


@posture("unknown-tool", "reported")
@contextmanager
def reports_unknown_tools() -> Iterator[None]:
    """Return an error as the result of a call of an unknown tool."""

    def knows_all(self: AnyAgent, start: _Start, calls: Sequence[ToolCall]) -> None:
        """Accept every name."""

    with (
        patch.object(ToolCalls, "call", _reporting_unknown(ToolCalls.call)),
        patch.object(Agent, "_check_known", knows_all),
    ):
        yield


@posture("same-name", "accepted")
@contextmanager
def accepts_two_tools_of_one_name() -> Iterator[None]:
    """Build agents with two tools of one name; the last one is called."""

    def checks(tools: Sequence[AnyTool]) -> None:
        for tool in tools:
            try:
                name = tool.info.name
            except Exception:
                continue
            if not name:
                raise ConfigError(f"a tool has no name: {tool!r:.80}")

    with patch.object(agents, "check_names", checks), patch.object(toolboxes, "check_names", checks):
        yield


class _Tools(dict[str, AnyTool]):
    """The tools of an agent that acts as if it had some."""

    def __bool__(self) -> bool:
        return True


@posture("calls-without-tools", "reported")
@contextmanager
def reports_calls_of_an_agent_without_tools() -> Iterator[None]:
    """Return an error as the result of a call if the agent has no tools."""
    begin, call, check = Agent._begin, ToolCalls.call, Agent._check_known

    async def begins(self: AnyAgent, run: Run) -> _Start:
        start = await begin(self, run)
        if start.box.tools:
            return start
        box = copy(start.box)
        box.tools = _Tools()
        return replace(start, box=box)

    def knows_all(self: AnyAgent, start: _Start, calls: Sequence[ToolCall]) -> None:
        if len(start.box.tools):
            check(self, start, calls)

    with (
        patch.object(Agent, "_begin", begins),
        patch.object(ToolCalls, "call", _reporting_unknown(call)),
        patch.object(Agent, "_check_known", knows_all),
    ):
        yield


_siblings: ContextVar[list[asyncio.Task[None]]] = ContextVar("siblings")


@posture("failed-sibling", "cancelled")
@contextmanager
def cancels_the_siblings_of_a_failed_call() -> Iterator[None]:
    """Cancel the other calls of an answer when one fails."""
    make_all, call = Agent._make_all, ToolCalls.call

    async def makes(self: AnyAgent, make: Make, opened: Sequence[int]) -> None:
        if len(opened) < 2 or not self._parallel:
            _siblings.set([])
            return await make_all(self, make, opened)
        tasks: list[asyncio.Task[None]] = []
        _siblings.set(tasks)
        tasks += [asyncio.ensure_future(make(at)) for at in opened]
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            raise

    async def calls(self: ToolCalls[AnyMessage], *parts: Any) -> AnyMessage:  # Any: the parts of a call
        try:
            return await call(self, *parts)
        except InterruptRun:
            raise
        except Exception:
            for task in _siblings.get():
                if task is not asyncio.current_task():
                    task.cancel()
            raise

    with patch.object(Agent, "_make_all", makes), patch.object(ToolCalls, "call", calls):
        yield


@posture("tool-information", "at-build")
def reads_the_information_of_tools_at_the_build() -> AbstractContextManager[object]:
    """Build no agent with a tool whose information cannot be read."""
    check = toolboxes.check_names

    def checks(tools: Sequence[AnyTool]) -> None:
        for tool in tools:
            try:
                _ = tool.info
            except Exception as error:
                raise ConfigError("a tool provides no information about itself") from error
        check(tools)

    return patch.object(agents, "check_names", checks)
