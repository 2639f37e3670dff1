"""Realistic bugs about agents that are tools of other agents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.run import Run

from ..registry import bug


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
