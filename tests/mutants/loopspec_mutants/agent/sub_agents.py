"""Mutants about agents that are tools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    Agent,
    AgenticMessage,
    AgentTool,
    AnyMessage,
    ConfigError,
    CustomEvent,
    Event,
    InterruptRun,
    Message,
    MessageEvent,
    State,
    ToolCall,
    ToolContext,
    ToolRequest,
)
from loopspec_reference.loop import agent_tools
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import mutant

Invoke = Callable[[AgentTool[AnyMessage], ToolContext, ToolRequest[str]], Any]  # Any: something to await


def _made(change: Callable[[AgentTool[AnyMessage]], None]) -> AbstractContextManager[object]:
    """Change an agent when it is made a tool."""
    init = AgentTool.__init__

    def makes(self: AgentTool[AnyMessage], *args: Any) -> None:
        init(self, *args)
        change(self)

    return patch.object(AgentTool, "__init__", makes)


def _part(change: Callable[[Run, Run], None]) -> AbstractContextManager[object]:
    """Change the run of a sub-agent: told the run above and this one."""
    part_of = Agent._sub_run

    def makes(self: Agent[AnyMessage], parent: Run) -> Run:
        run = part_of(self, parent)
        change(parent, run)
        return run

    return patch.object(Agent, "_sub_run", makes)


@mutant("AGENTTOOL-01")
def offers_an_agent_by_its_instruction() -> AbstractContextManager[object]:
    """Offers an agent with its instruction in the place of its description."""

    def changes(tool: AgentTool[AnyMessage]) -> None:
        tool.info = replace(tool.info, description=tool._agent._context(frozenset()).instruction)

    return _made(changes)


@mutant("AGENTTOOL-02")
def calls_the_request_a_task() -> AbstractContextManager[object]:
    """Offers an agent with an argument that it does not look at."""
    schema = {"type": "object", "properties": {"task": {"type": "string"}}, "required": ["task"]}
    return patch.object(agent_tools, "_SCHEMA", schema)


@mutant(
    "AGENTTOOL-03",
    neighbors={
        "AGENTTOOL-05": "it looks at all events of a run with a sub-agent",
        "CFG-15": "it looks at all events of a run with a sub-agent",
    },
)
def always_shows_what_happens_inside() -> AbstractContextManager[object]:
    """Shows the events of sub-agents, whoever has asked for them."""

    def shows(parent: Run, run: Run) -> None:
        run.emit = parent.emit

    return _part(shows)


@mutant("AGENTTOOL-04")
def shows_afterwards_what_happened_inside() -> AbstractContextManager[object]:
    """Shows the events of a sub-agent when it has answered."""
    part_of, end = Agent._sub_run, Agent._end
    kept: dict[Run, tuple[Callable[[Event], None], list[Event]]] = {}

    def keeps(self: Agent[AnyMessage], parent: Run) -> Run:
        run = part_of(self, parent)
        kept[run] = run.emit, []
        run.emit = kept[run][1].append
        return run

    async def shows(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if run in kept:
            emit, events = kept[run]
            for event in events:
                emit(event)
        return answer

    return patch.multiple(Agent, _sub_run=keeps, _end=shows)


@mutant("AGENTTOOL-05")
def lets_sub_agents_work_silently() -> AbstractContextManager[object]:
    """Runs every sub-agent synchronously."""

    def silences(parent: Run, run: Run) -> None:
        run.streaming = False

    return _part(silences)


@mutant("AGENTTOOL-06")
def passes_on_what_the_user_said() -> AbstractContextManager[object]:
    """Gives a sub-agent no more of the conversation than the messages of the user."""
    retold = agent_tools._as_user_texts
    return patch.object(agent_tools, "_as_user_texts", lambda told: retold([one for one in told if one.role == "user"]))


@mutant("AGENTTOOL-07")
def offers_every_agent_alike() -> AbstractContextManager[object]:
    """Offers an agent that has an input schema of its own with the default one."""

    def changes(tool: AgentTool[AnyMessage]) -> None:
        if tool._own_schema:
            tool.info = replace(tool.info, parameters=agent_tools._SCHEMA)

    return _made(changes)


@mutant("AGENTTOOL-08")
def tells_of_failures_as_of_results() -> AbstractContextManager[object]:
    """Makes the error of a sub-agent the result of its call."""
    invoke = AgentTool.invoke

    async def tells(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        try:
            return await invoke(self, context, request)
        except InterruptRun:
            raise
        except Exception as error:
            return f"error: {error}"

    return patch.object(AgentTool, "invoke", tells)


@mutant("AGENTTOOL-10")
def makes_up_names_and_descriptions() -> AbstractContextManager[object]:
    """Gives an agent what it lacks to be a tool."""
    init = AgentTool.__init__

    def makes(self: AgentTool[AnyMessage], agent: Agent[AnyMessage], *args: Any) -> None:
        agent.name = agent.name or "agent_tool"
        agent.description = agent.description or f"The agent {agent.name}."
        init(self, agent, *args)

    return patch.object(AgentTool, "__init__", makes)


@mutant("AGENTTOOL-11")
def passes_an_exit_on() -> AbstractContextManager[object]:
    """Ends the run above when a sub-agent has called its exit tool."""
    act = Agent._act
    exited: list[ToolCall] = []

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        after, ended = await act(self, run, start, state, *rest)
        if run.nested:
            exited.extend(call for call in state.messages[-1].tool_calls if call.name == start.exits)
        return after, ended or bool(exited)

    return patch.object(Agent, "_act", acts)


@mutant("AGENTTOOL-12")
def goes_on_after_every_sub_agent() -> AbstractContextManager[object]:
    """Does not let agents return directly, only other tools."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:
        start = await begin(self, run)
        agents = {name for name, tool in start.box.tools.items() if isinstance(tool, AgentTool)}
        return replace(start, return_directly=start.return_directly - agents)

    return patch.object(Agent, "_begin", begins)


@mutant("AGENTTOOL-15", neighbors={"AGENTTOOL-16": "the handler above is around the call of a sub-agent there, too"})
def calls_sub_agents_without_ado() -> AbstractContextManager[object]:
    """Calls an agent that is a tool past all that is around tool calls."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        asked: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        tool = box.tools[asked.name]
        if not isinstance(tool, AgentTool):
            return await call(self, run, box, asked, context, emit, exits)
        message = self._message_type.tool_result(asked, await tool.invoke(context, ToolRequest(asked.arguments)))
        emit(MessageEvent(run.agent, run.path, message))
        return message

    return patch.object(ToolCalls, "call", calls)


@mutant("AGENTTOOL-16")
def bequeaths_its_handlers() -> AbstractContextManager[object]:
    """Calls the hooks before the agent of the agent above at the beginning of its sub-agents, too."""
    init = Agent.__init__

    def makes(self: Agent[AnyMessage], **options: Any) -> None:
        init(self, **options)
        for tool in self._tools:
            if isinstance(tool, AgentTool):
                tool._agent._before = (*self._before, *tool._agent._before)

    return patch.object(Agent, "__init__", makes)


@mutant("AGENTTOOL-17", neighbors={"AGENTTOOL-02": "one of its examples calls the sub-agent twice"})
def asks_each_agent_once() -> AbstractContextManager[object]:
    """Gives all calls of an agent in one run the answer of the first."""
    invoke = AgentTool.invoke
    asked: dict[tuple[AgentTool[AnyMessage], Run | None], asyncio.Future[str]] = {}

    async def asks(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        key = self, current_run.get()
        if key not in asked or context.resumed:
            asked[key] = asyncio.ensure_future(invoke(self, context, request))
        return await asked[key]

    return patch.object(AgentTool, "invoke", asks)


@mutant("AGENTTOOL-18")
def looks_at_the_last_event() -> AbstractContextManager[object]:
    """Takes the text of a sub-agent's last event for the result, and there is none in a custom event."""
    part_of, end = Agent._sub_run, Agent._end
    last: dict[Run, Event] = {}

    def listens(self: Agent[AnyMessage], parent: Run) -> Run:
        run = part_of(self, parent)
        emit = run.emit

        def hears(event: Event) -> None:
            last[run] = event
            emit(event)

        run.emit = hears
        return run

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        return self.message_type.assistant("") if isinstance(last.get(run), CustomEvent) else answer

    return patch.multiple(Agent, _sub_run=listens, _end=ends)


@mutant(
    "AGENTTOOL-19",
    neighbors={
        "AGENTTOOL-03": "its sub-agent says something before it answers",
        "AGENTTOOL-04": "its sub-agent says something before it answers",
    },
)
def takes_the_first_word_for_the_last() -> AbstractContextManager[object]:
    """Makes the first text of a sub-agent the result, not its final answer."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        said = [one for one in state.messages if one.role == "assistant" and one.text]
        return said[0] if run.nested and said else answer

    return patch.object(Agent, "_end", ends)


@mutant("AGENTTOOL-20")
def serves_plain_sub_agents_only() -> AbstractContextManager[object]:
    """Refuses calls of agents whose messages are agentic."""
    invoke = AgentTool.invoke

    async def refuses(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        if self._agent.message_type is AgenticMessage:
            raise ConfigError("an agent that is a tool has plain messages")
        return await invoke(self, context, request)

    return patch.object(AgentTool, "invoke", refuses)


@mutant("AGENTTOOL-21")
def takes_the_first_part_for_the_answer() -> AbstractContextManager[object]:
    """Takes the first part of a sub-agent's final answer for the whole answer."""
    run_within: Any = Agent.run_within  # Any: generic in the messages

    async def runs(self: Agent[AnyMessage], parent: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        answer: AnyMessage = await run_within(self, parent, messages)
        return replace(answer, parts=answer.parts[:1]) if isinstance(answer, Message) else answer

    return patch.object(Agent, "run_within", runs)
