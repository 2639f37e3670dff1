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
    """Change an agent when it becomes a tool."""
    init = AgentTool.__init__

    def makes(self: AgentTool[AnyMessage], *args: Any) -> None:
        init(self, *args)
        change(self)

    return patch.object(AgentTool, "__init__", makes)


def _part(change: Callable[[Run, Run], None]) -> AbstractContextManager[object]:
    """Change the run of a sub-agent: `change` receives the outer run and the run of the sub-agent."""
    part_of = Agent._sub_run

    def makes(self: Agent[AnyMessage], parent: Run) -> Run:
        run = part_of(self, parent)
        change(parent, run)
        return run

    return patch.object(Agent, "_sub_run", makes)


@mutant("AGENTTOOL-01")
def describes_a_sub_agent_by_its_instruction() -> AbstractContextManager[object]:
    """Describes a sub-agent to the model with its instruction, not with its description."""

    def changes(tool: AgentTool[AnyMessage]) -> None:
        tool.info = replace(tool.info, description=tool._agent._context(frozenset()).instruction)

    return _made(changes)


@mutant("AGENTTOOL-02")
def renames_the_argument_of_a_sub_agent() -> AbstractContextManager[object]:
    """Describes a sub-agent with an argument name that the sub-agent does not read."""
    schema = {"type": "object", "properties": {"task": {"type": "string"}}, "required": ["task"]}
    return patch.object(agent_tools, "_SCHEMA", schema)


@mutant(
    "AGENTTOOL-03",
    neighbors={
        "AGENTTOOL-22": "the example compares all events of a run with a sub-agent",
        "CFG-15": "the example compares all events of a run with a sub-agent",
    },
)
def always_forwards_events() -> AbstractContextManager[object]:
    """Forwards the events of sub-agents even if forwarding is not configured."""

    def forwards(parent: Run, run: Run) -> None:
        run.emit = parent.emit

    return _part(forwards)


@mutant("AGENTTOOL-04", neighbors={"LOOP-07": "an example forwards the events of a sub-agent"})
def forwards_events_after_the_answer() -> AbstractContextManager[object]:
    """Forwards the events of a sub-agent only after its final answer."""
    part_of, end = Agent._sub_run, Agent._end
    kept: dict[Run, tuple[Callable[[Event], None], list[Event]]] = {}

    def keeps(self: Agent[AnyMessage], parent: Run) -> Run:
        run = part_of(self, parent)
        kept[run] = run.emit, []
        run.emit = kept[run][1].append
        return run

    async def forwards(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if run in kept:
            emit, events = kept[run]
            for event in events:
                emit(event)
        return answer

    return patch.multiple(Agent, _sub_run=keeps, _end=forwards)


@mutant("AGENTTOOL-05")
def runs_sub_agents_synchronously() -> AbstractContextManager[object]:
    """Runs every sub-agent synchronously, also in a streaming run."""

    def stops_streaming(parent: Run, run: Run) -> None:
        run.streaming = False

    return _part(stops_streaming)


@mutant("AGENTTOOL-06")
def passes_user_messages_only() -> AbstractContextManager[object]:
    """Passes only the user messages of the full conversation to a sub-agent."""
    convert = agent_tools._as_user_texts
    return patch.object(
        agent_tools, "_as_user_texts", lambda messages: convert([one for one in messages if one.role == "user"])
    )


@mutant("AGENTTOOL-07")
def ignores_a_custom_input_schema() -> AbstractContextManager[object]:
    """Describes a sub-agent with a custom input schema by the default schema."""

    def changes(tool: AgentTool[AnyMessage]) -> None:
        if tool._own_schema:
            tool.info = replace(tool.info, parameters=agent_tools._SCHEMA)

    return _made(changes)


@mutant("AGENTTOOL-08")
def makes_a_result_of_a_failed_sub_agent() -> AbstractContextManager[object]:
    """Makes a tool result of the error of a sub-agent."""
    invoke = AgentTool.invoke

    async def invokes(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        try:
            return await invoke(self, context, request)
        except InterruptRun:
            raise
        except Exception as error:
            return f"error: {error}"

    return patch.object(AgentTool, "invoke", invokes)


@mutant("AGENTTOOL-10")
def invents_names_and_descriptions() -> AbstractContextManager[object]:
    """Invents a name and a description for a sub-agent that has none."""
    init = AgentTool.__init__

    def makes(self: AgentTool[AnyMessage], agent: Agent[AnyMessage], *args: Any) -> None:
        agent.name = agent.name or "agent_tool"
        agent.description = agent.description or f"The agent {agent.name}."
        init(self, agent, *args)

    return patch.object(AgentTool, "__init__", makes)


@mutant("AGENTTOOL-11")
def exits_the_outer_run() -> AbstractContextManager[object]:
    """Ends the outer run when a sub-agent has called its exit tool."""
    act = Agent._act
    exited: list[ToolCall] = []

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        after, ended = await act(self, run, start, state, *rest)
        if run.nested:
            exited.extend(call for call in state.messages[-1].tool_calls if call.name == start.exits)
        return after, ended or bool(exited)

    return patch.object(Agent, "_act", acts)


@mutant("AGENTTOOL-12")
def ignores_return_directly_for_sub_agents() -> AbstractContextManager[object]:
    """Ignores that a sub-agent is configured as a return-directly tool."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:
        start = await begin(self, run)
        agents = {name for name, tool in start.box.tools.items() if isinstance(tool, AgentTool)}
        return replace(start, return_directly=start.return_directly - agents)

    return patch.object(Agent, "_begin", begins)


@mutant("AGENTTOOL-15", neighbors={"AGENTTOOL-16": "the outer handler also wraps the call of a sub-agent"})
def calls_sub_agents_without_wrappers() -> AbstractContextManager[object]:
    """Calls a sub-agent without the tool wrappers."""
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
        tool = box.tools[requested.name]
        if not isinstance(tool, AgentTool):
            return await call(self, run, box, requested, context, emit, exits)
        message = self._message_type.tool_result(
            requested, await tool.invoke(context, ToolRequest(requested.arguments))
        )
        emit(MessageEvent(run.agent, run.path, message))
        return message

    return patch.object(ToolCalls, "call", calls)


@mutant("AGENTTOOL-16")
def calls_outer_hooks_in_sub_agents() -> AbstractContextManager[object]:
    """Calls the before-agent hooks of the outer agent also when a sub-agent begins."""
    init = Agent.__init__

    def makes(self: Agent[AnyMessage], **options: Any) -> None:
        init(self, **options)
        for tool in self._tools:
            if isinstance(tool, AgentTool):
                tool._agent._before = (*self._before, *tool._agent._before)

    return patch.object(Agent, "__init__", makes)


@mutant(
    "AGENTTOOL-17",
    neighbors={
        "MAXITER-09": "an example calls a sub-agent twice",
        "AGENTTOOL-02": "one of the examples calls the sub-agent twice",
    },
)
def calls_each_sub_agent_once() -> AbstractContextManager[object]:
    """Reuses the answer to the first call of a sub-agent for all its calls in one run."""
    invoke = AgentTool.invoke
    requested: dict[tuple[AgentTool[AnyMessage], Run | None], asyncio.Future[str]] = {}

    async def invokes(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        key = self, current_run.get()
        if key not in requested or context.resumed:
            requested[key] = asyncio.ensure_future(invoke(self, context, request))
        return await requested[key]

    return patch.object(AgentTool, "invoke", invokes)


@mutant("AGENTTOOL-18")
def takes_the_last_event_for_the_result() -> AbstractContextManager[object]:
    """Takes the text of a sub-agent's last event for its result, even if the event is a custom event without a text."""
    part_of, end = Agent._sub_run, Agent._end
    last: dict[Run, Event] = {}

    def records(self: Agent[AnyMessage], parent: Run) -> Run:
        run = part_of(self, parent)
        emit = run.emit

        def emits(event: Event) -> None:
            last[run] = event
            emit(event)

        run.emit = emits
        return run

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        return self.message_type.assistant("") if isinstance(last.get(run), CustomEvent) else answer

    return patch.multiple(Agent, _sub_run=records, _end=ends)


@mutant(
    "AGENTTOOL-19",
    neighbors={
        "LOOP-19": "the sub-agent of an example calls a tool first",
        "AGENTTOOL-03": "the sub-agent emits a text before its final answer",
        "AGENTTOOL-04": "the sub-agent emits a text before its final answer",
    },
)
def takes_the_first_text_for_the_result() -> AbstractContextManager[object]:
    """Takes the first text of a sub-agent for its result, not its final answer."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        answers = [one for one in state.messages if one.role == "assistant" and one.text]
        return answers[0] if run.nested and answers else answer

    return patch.object(Agent, "_end", ends)


@mutant(
    "AGENTTOOL-20",
    neighbors={
        "LOOP-19": "an example has a sub-agent",
        "INTERRUPT-04": "the messages of an example are agentic",
        "AGENTTOOL-06": "the messages of an example are agentic",
        "AGENTTOOL-21": "the messages of an example are agentic",
        "AGENTTOOL-04": "the messages of an example are agentic",
    },
)
def rejects_agentic_sub_agents() -> AbstractContextManager[object]:
    """Rejects calls of sub-agents whose messages are agentic."""
    invoke = AgentTool.invoke

    async def rejects(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        if self._agent.message_type is AgenticMessage:
            raise ConfigError("a sub-agent has plain messages")
        return await invoke(self, context, request)

    return patch.object(AgentTool, "invoke", rejects)


@mutant("AGENTTOOL-21")
def takes_the_first_part_for_the_answer() -> AbstractContextManager[object]:
    """Takes the first part of a sub-agent's final answer for the whole answer."""
    run_within: Any = Agent.run_within  # Any: generic in the messages

    async def runs(self: Agent[AnyMessage], parent: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        answer: AnyMessage = await run_within(self, parent, messages)
        return replace(answer, parts=answer.parts[:1]) if isinstance(answer, Message) else answer

    return patch.object(Agent, "run_within", runs)
