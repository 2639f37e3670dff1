"""Mutants about the hook after the agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.contract.doubles import ScriptedCrash
from loopspec_reference import Agent, AnyMessage, Handler, IterationLimitError, State
from loopspec_reference.loop.agents import _Start
from loopspec_reference.runs.checkpoints import Stop
from loopspec_reference.runs.run import Run

from ..registry import mutant

AnyAgent = Agent[AnyMessage]
AnyHandler = Handler[AnyMessage]
AnyState = State[AnyMessage]
End = Callable[[AnyAgent, Run, AnyState], Awaitable[AnyMessage]]


def _ending(lie: Callable[[End, AnyAgent, Run, AnyState], Awaitable[AnyMessage]]) -> AbstractContextManager[object]:
    """End runs in another way, given the right one."""
    end = Agent._end

    async def ends(self: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        return await lie(end, self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("HOOK-AA-01")
def takes_the_last_chance_for_a_failure() -> AbstractContextManager[object]:
    """Does not call the hook when the answer has come with the last model call that was allowed."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        if sum(message.role == "assistant" for message in state.messages) >= agent._max_iterations:
            agent = copy(agent)
            agent._after = ()
        return await end(agent, run, state)

    return _ending(ends)


@mutant(
    "HOOK-AA-02",
    neighbors={
        "RETDIR-02": "what the final output is shows in the hook",
        "RETDIR-08": "what the final output is shows in the hook",
    },
)
def leaves_directly() -> AbstractContextManager[object]:
    """Leaves without calling the hook when a tool has returned directly in a run that streams."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        if run.streaming and state.messages[-1].role != "assistant":
            agent = copy(agent)
            agent._after = ()
        return await end(agent, run, state)

    return _ending(ends)


@mutant("HOOK-AA-03", neighbors={"MAXITER-10": "it says so of all hooks when the model calls are used up"})
def takes_the_limit_for_an_end() -> AbstractContextManager[object]:
    """Calls the hook when the iteration limit has ended the run."""
    loop = Agent._loop

    async def loops(self: AnyAgent, run: Run, start: _Start, state: AnyState, iteration: int) -> AnyMessage:
        try:
            return await loop(self, run, start, state, iteration)
        except IterationLimitError:
            for handler in self._after:
                await handler.after_agent(state)
            raise

    return patch.object(Agent, "_loop", loops)


@mutant(
    "HOOK-AA-04",
    neighbors={
        "HANDLER-06": "its scenario looks at the order of all hooks",
        "HOOK-AA-05": "it says that the handlers behind one that fails are not called",
    },
)
def ends_from_behind() -> AbstractContextManager[object]:
    """Calls the handlers after the agent from the last to the first."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        agent = copy(agent)
        agent._after = agent._after[::-1]
        return await end(agent, run, state)

    return _ending(ends)


@mutant("HOOK-AA-05")
def lets_everybody_end() -> AbstractContextManager[object]:
    """Calls all handlers after the agent, and then reports the first error."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        try:
            return await end(agent, run, state)
        except Exception:
            for handler in agent._after[1:]:
                await handler.after_agent(state)
            raise

    return _ending(ends)


@mutant("HOOK-AA-06")
def believes_the_last_handler() -> AbstractContextManager[object]:
    """Takes a state that the hook after agent returns for the final one."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        async def after(handler: AnyHandler, seen: AnyState) -> None:
            nonlocal state
            wanted: AnyState | None = await handler.after_agent(seen)  # type: ignore[func-returns-value]  # the bug
            state = seen if wanted is None else wanted

        other = copy(agent)
        other._after = [cast("AnyHandler", _End(partial(after, handler))) for handler in agent._after]
        other._output_key = None
        await end(other, run, state)
        agent = copy(agent)
        agent._after = ()
        return await end(agent, run, state)

    return _ending(ends)


@dataclass
class _End:
    """Stands between an agent and a handler, at the end."""

    tell: Callable[[AnyState], Awaitable[None]]

    async def after_agent(self, state: AnyState) -> None:
        await self.tell(state)


@mutant("HOOK-AA-07")
def ends_well_all_the_same() -> AbstractContextManager[object]:
    """Takes no notice of a handler that has failed after the agent in a way that nobody foresaw."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        try:
            return await end(agent, run, state)
        except ScriptedCrash:
            return state.messages[-1]

    return _ending(ends)


@mutant("HOOK-AA-08")
def takes_a_stop_for_an_end() -> AbstractContextManager[object]:
    """Calls the hook when the run stops to be resumed."""
    act = Agent._act

    # Any: handed on, in and out
    async def acts(self: AnyAgent, run: Run, start: _Start, state: AnyState, *rest: Any) -> Any:
        try:
            return await act(self, run, start, state, *rest)
        except Stop:
            for handler in self._after:
                await handler.after_agent(state)
            raise

    return patch.object(Agent, "_act", acts)


@mutant("HOOK-AA-09")
def hides_the_tool_results_at_the_end() -> AbstractContextManager[object]:
    """Shows the hook the conversation without the tool results, except one that is the answer."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        rest = tuple(message for message in state.messages[:-1] if message.role != "tool")
        return await end(agent, run, replace(state, messages=(*rest, *state.messages[-1:])))

    return _ending(ends)


@mutant("STATE-12")
def keeps_the_instruction_to_itself() -> AbstractContextManager[object]:
    """Shows the hook the conversation without the system message."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        rest = tuple(message for message in state.messages if message.role != "system")
        return await end(agent, run, replace(state, messages=rest))

    return _ending(ends)
