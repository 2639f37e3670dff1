"""Realistic bugs about agents that are tools of other agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

import msgspec
from msgspec.structs import replace

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agent_tools import AgentTool
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.checkpoints import SubInterrupt
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.kinds import ToolContext, ToolRequest
from loopspec_reference.values.errors import LoopError
from loopspec_reference.values.messages import AnyMessage, Json, ToolCall

from ..registry import bug


@bug("INTERRUPT-04")
def keeps_the_state_of_sub_agents_in_memory() -> AbstractContextManager[object]:
    """Keeps the state of an interrupted sub-agent with the tool, and not in the checkpoint of the outer run."""
    invoke = AgentTool.invoke
    kept: WeakKeyDictionary[AgentTool[Any], dict[str, Json]] = WeakKeyDictionary()

    async def invokes(self: AgentTool[Any], context: ToolContext, request: ToolRequest[str]) -> str:
        if context.resumed is not None:
            saved = kept.get(self, {}).get(context.call_id)
            if saved is None:
                raise LoopError(f"no interrupted run of {self.info.name!r} is known")
            context = msgspec.structs.replace(context, resumed=msgspec.structs.replace(context.resumed, state=saved))
        try:
            return await invoke(self, context, request)
        except SubInterrupt as interrupt:
            kept.setdefault(self, {})[context.call_id] = interrupt.state
            interrupt.state = None
            raise

    return patch.object(AgentTool, "invoke", invokes)


@bug("INTERRUPT-04")
def answers_interrupts_of_direct_sub_agents_only() -> AbstractContextManager[object]:
    """Passes the caller's answer to a sub-agent, but not to a sub-agent of the sub-agent."""
    answer = agents._answer

    def direct(call: ToolCall, data: Mapping[str, Json]) -> Json:
        found = answer(call, data)
        if isinstance(found, Mapping):
            return {key: value for key, value in found.items() if "/" not in key} or None
        return found

    return patch.object(agents, "_answer", direct)


@bug("STATE-10", "HANDLER-04")
def shares_the_conversation_among_concurrent_runs() -> AbstractContextManager[object]:
    """Begins a run with the messages of another run of the agent that has not ended."""
    loop = Agent._loop
    active: dict[int, tuple[Run, tuple[AnyMessage, ...]]] = {}

    async def loops(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], at: int) -> AnyMessage:
        earlier = active.get(id(self))
        if earlier is not None and not run.nested and earlier[0] is not run:
            state = msgspec.structs.replace(state, messages=(*earlier[1], *state.messages))
        active[id(self)] = (run, state.messages)
        try:
            return await loop(self, run, start, state, at)
        finally:
            active.pop(id(self), None)

    return patch.object(Agent, "_loop", loops)


@bug("CTX-08")
def keeps_the_session_of_the_last_sub_agent() -> AbstractContextManager[object]:
    """Runs each sub-agent with a copy of the session, which replaces the session when the sub-agent ends."""
    within = Agent.run_within

    async def runs(self: Agent[AnyMessage], parent: Run, messages: Any) -> AnyMessage:  # Any: passed on
        shared = parent.session
        copied = dict(shared)
        sub_run = self._sub_run

        def copying(parent: Run) -> Run:
            run = sub_run(parent)
            run.session = copied
            return run

        with patch.object(self, "_sub_run", copying):
            answer: AnyMessage = await within(self, parent, messages)
        shared.clear()
        shared.update(copied)
        return answer

    return patch.object(Agent, "run_within", runs)


@bug("LOOP-02")
def finds_tools_in_the_run_that_began_last() -> AbstractContextManager[object]:
    """Looks up called tools among those of the agent whose run began last, also if that is another agent."""
    begin, act = Agent._begin, Agent._act
    latest: list[Any] = []  # Any: of a private type

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:
        start = await begin(self, run)
        latest[:] = [start.box]
        return start

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, *rest: Any) -> tuple[State[AnyMessage], bool]:
        return await act(self, run, msgspec.structs.replace(start, box=latest[0]), *rest)

    @contextmanager
    def both() -> Iterator[None]:
        with patch.object(Agent, "_begin", begins), patch.object(Agent, "_act", acts):
            yield

    return both()


@bug("CTX-08")
def hides_the_session_from_sub_agents() -> AbstractContextManager[object]:
    """Begins the runs of sub-agents without any session values."""
    sub_run = Agent._sub_run

    def makes(self: Agent[AnyMessage], parent: Run) -> Run:
        run = sub_run(self, parent)
        run.session = {}
        return run

    return patch.object(Agent, "_sub_run", makes)


@bug("AGENTTOOL-17")
def replaces_the_conversation_of_the_outer_agent() -> AbstractContextManager[object]:
    """Replaces the conversation of the outer agent with the input of the sub-agent that it calls."""
    within, act = Agent.run_within, Agent._act
    inputs: dict[Run, tuple[AnyMessage, ...]] = {}

    async def runs(self: Agent[AnyMessage], parent: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        inputs[parent] = tuple(messages)
        return await within(self, parent, messages)

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:  # Any: passed on
        after, ended = await act(self, run, start, state, *rest)
        given = inputs.pop(run, None)
        if given is not None:
            after = replace(after, messages=(*given, *after.messages[len(state.messages) - 1 :]))
        return after, ended

    return patch.multiple(Agent, run_within=runs, _act=acts)


@bug("AGENTTOOL-21")
def fails_on_a_sub_agent_that_ends_with_a_tool_result() -> AbstractContextManager[object]:
    """Fails the outer run if the last message of a sub-agent is the result of a tool."""
    within = Agent.run_within

    async def runs(self: Agent[AnyMessage], parent: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        answer = await within(self, parent, messages)
        if answer.role == "tool":
            raise AttributeError(f"a message of role {answer.role!r} has no answer")
        return answer

    return patch.object(Agent, "run_within", runs)
