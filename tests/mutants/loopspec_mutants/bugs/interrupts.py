"""Realistic bugs about interrupted runs, and about how they are resumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agent_tools import AgentTool
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.checkpoints import Stop, SubInterrupt
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.kinds import InterruptRun, ToolContext, ToolRequest
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.events import Event, MessageEvent
from loopspec_reference.values.messages import AnyMessage, Json, ToolCall

from ..registry import bug


@bug("INTERRUPT-06")
def reports_interrupts_of_streaming_runs_only() -> AbstractContextManager[object]:
    """Reports the interrupts of a streaming run, and none in a synchronous run."""
    last = lifecycle._last

    def hides(run: Run, stop: Stop) -> Event:
        if not run.streaming:
            stop.interrupts = ()
        return last(run, stop)

    return patch.object(lifecycle, "_last", hides)


@bug("INTERRUPT-03")
def passes_one_answer_to_all_interrupted_calls() -> AbstractContextManager[object]:
    """Passes the caller's first answer to all interrupted calls, which share one id."""

    def first(call: ToolCall, data: Mapping[str, Json]) -> Json:
        return next(iter(data.values()), None)

    return patch.object(agents, "_answer", first)


@bug("INTERRUPT-04")
def hides_the_callers_answer_from_sub_agents() -> AbstractContextManager[object]:
    """Repeats an interrupted call inside a sub-agent without the data that the caller has passed to the call."""

    def own(call: ToolCall, data: Mapping[str, Json]) -> Json:
        return data.get(call.id)

    return patch.object(agents, "_answer", own)


@bug("INTERRUPT-17")
def fails_at_an_interrupt_of_a_sub_agent() -> AbstractContextManager[object]:
    """Fails the outer run when a tool of a sub-agent interrupts."""
    invoke = AgentTool.invoke

    async def invokes(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        try:
            return await invoke(self, context, request)
        except SubInterrupt:
            raise TypeError(f"the run of {context.name!r} has returned nothing") from None

    return patch.object(AgentTool, "invoke", invokes)


@bug("INTERRUPT-01")
def makes_a_result_of_an_interrupt_inside_a_wrapper() -> AbstractContextManager[object]:
    """Makes a tool result of an interrupt if the call has tool wrappers."""
    make = ToolCalls.call

    async def call(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        call: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        try:
            return await make(self, run, box, call, context, emit, exits)
        except InterruptRun as interrupt:
            if not self._plain:
                raise
            message = self._message_type.tool_result(call, f"error: {interrupt!r}")
            emit(MessageEvent(run.agent, run.path, message, exits))
            return message

    return patch.object(ToolCalls, "call", call)


@bug("LOOP-07")
def holds_results_back_until_all_interrupts_are_answered() -> AbstractContextManager[object]:
    """Emits the results of an interrupted answer only when all its interrupts have been answered."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        emit, held, known = run.emit, list[Event](), tuple(rest[1].values())
        run.emit = held.append
        try:
            done = await act(self, run, start, state, *rest)
        except Stop as stop:
            held = [] if stop.interrupts else held
            raise
        else:
            held[:0] = [MessageEvent(run.agent, run.path, message) for message in known]
            return done
        finally:
            run.emit = emit
            for event in held:
                emit(event)

    return patch.object(Agent, "_act", acts)
