"""Realistic bugs about events: those of sub-agents, and those of tool results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AgenticMessage, AnyMessage, Event, MessageEvent, ToolCall, ToolContext
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run, discard
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import bug


def _sub_run(change: Callable[[Agent[AnyMessage], Run, Run], None]) -> AbstractContextManager[object]:
    """Change the run of a sub-agent: `change` receives the sub-agent, the outer run and the run of the sub-agent."""
    sub_run = Agent._sub_run

    def makes(self: Agent[AnyMessage], parent: Run) -> Run:
        run = sub_run(self, parent)
        change(self, parent, run)
        return run

    return patch.object(Agent, "_sub_run", makes)


@bug("AGENTTOOL-04", "LOOP-19")
def forwards_no_agentic_events() -> AbstractContextManager[object]:
    """Forwards no events of a sub-agent whose messages are agentic."""

    def keeps(agent: Agent[AnyMessage], parent: Run, run: Run) -> None:
        if agent.message_type is AgenticMessage:
            run.emit = discard

    return _sub_run(keeps)


@bug("AGENTTOOL-04", "LOOP-19")
def forwards_agentic_answers_without_their_role() -> AbstractContextManager[object]:
    """Forwards the answers of an agentic sub-agent as user messages, because the copy of an event loses the role."""

    def copies(agent: Agent[AnyMessage], parent: Run, run: Run) -> None:
        emit = run.emit

        def emits(event: Event) -> None:
            if isinstance(event, MessageEvent) and isinstance(event.message, AgenticMessage):
                event = replace(event, message=replace(event.message, role="user"))
            emit(event)

        run.emit = emits

    return _sub_run(copies)


@bug("AGENTTOOL-04")
def forwards_the_events_of_one_level() -> AbstractContextManager[object]:
    """Forwards the events of a sub-agent, but not those of a sub-agent inside it."""

    def keeps(agent: Agent[AnyMessage], parent: Run, run: Run) -> None:
        if parent.nested:
            run.emit = discard

    return _sub_run(keeps)


@bug("EVENT-01")
def emits_no_results_of_enhanced_tools() -> AbstractContextManager[object]:
    """Emits no event for the result of an enhanced invokable tool."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        requested: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        enhanced = box.kinds[requested.name][run.streaming] == "enhanced_tool"
        return await call(self, run, box, requested, context, discard if enhanced else emit, exits)

    return patch.object(ToolCalls, "call", calls)
