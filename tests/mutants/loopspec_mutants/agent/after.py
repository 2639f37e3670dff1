"""Mutants about the after-agent hook."""

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


def _ending(change: Callable[[End, AnyAgent, Run, AnyState], Awaitable[AnyMessage]]) -> AbstractContextManager[object]:
    """Patch how runs end: `change` receives the original `_end` and its arguments."""
    end = Agent._end

    async def ends(self: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        return await change(end, self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("HOOK-AA-01")
def skips_the_after_agent_hook_at_the_last_allowed_call() -> AbstractContextManager[object]:
    """Does not call the after-agent hook when the final answer comes from the last model call that the limit allows."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        if sum(message.role == "assistant" for message in state.messages) >= agent._max_iterations:
            agent = copy(agent)
            agent._after = ()
        return await end(agent, run, state)

    return _ending(ends)


@mutant(
    "HOOK-AA-02",
    neighbors={
        "RETDIR-02": "the example reads the final output from the hook",
        "RETDIR-08": "the example reads the final output from the hook",
    },
)
def skips_the_after_agent_hook_after_a_direct_return() -> AbstractContextManager[object]:
    """Does not call the after-agent hook when a tool has returned directly in a streaming run."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        if run.streaming and state.messages[-1].role != "assistant":
            agent = copy(agent)
            agent._after = ()
        return await end(agent, run, state)

    return _ending(ends)


@mutant("HOOK-AA-03", neighbors={"MAXITER-12": "the rule is about all hooks at the iteration limit"})
def calls_the_after_agent_hook_at_the_iteration_limit() -> AbstractContextManager[object]:
    """Calls the after-agent hook when the iteration limit has ended the run."""
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
        "HANDLER-06": "the scenario compares the order of all hooks",
        "HOOK-AA-05": "the rule says that the handlers after the failing one are not called",
    },
)
def calls_after_agent_hooks_in_reverse() -> AbstractContextManager[object]:
    """Calls the after-agent hooks from the last handler to the first."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        agent = copy(agent)
        agent._after = agent._after[::-1]
        return await end(agent, run, state)

    return _ending(ends)


@mutant("HOOK-AA-05")
def calls_the_after_agent_hooks_after_a_failed_one() -> AbstractContextManager[object]:
    """Calls all after-agent hooks although one has failed, and then reports the first error."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        try:
            return await end(agent, run, state)
        except Exception:
            for handler in agent._after[1:]:
                await handler.after_agent(state)
            raise

    return _ending(ends)


@mutant("HOOK-AA-06")
def takes_the_state_of_an_after_agent_hook() -> AbstractContextManager[object]:
    """Takes a state that the after-agent hook returns for the final state of the run."""

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
    """Calls a function in place of the after-agent hook of a handler."""

    call: Callable[[AnyState], Awaitable[None]]

    async def after_agent(self, state: AnyState) -> None:
        await self.call(state)


@mutant("HOOK-AA-07")
def ignores_a_crash_in_an_after_agent_hook() -> AbstractContextManager[object]:
    """Ends the run with its answer when an after-agent hook crashes."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        try:
            return await end(agent, run, state)
        except ScriptedCrash:
            return state.messages[-1]

    return _ending(ends)


@mutant("HOOK-AA-08")
def calls_the_after_agent_hook_at_an_interrupt() -> AbstractContextManager[object]:
    """Calls the after-agent hook when the run stops at a checkpoint."""
    act = Agent._act

    # Any: passed on, in and out
    async def acts(self: AnyAgent, run: Run, start: _Start, state: AnyState, *rest: Any) -> Any:
        try:
            return await act(self, run, start, state, *rest)
        except Stop:
            for handler in self._after:
                await handler.after_agent(state)
            raise

    return patch.object(Agent, "_act", acts)


@mutant(
    "HOOK-AA-09",
    neighbors={
        "RETDIR-03": "the examples compare the conversation that the after-agent hook receives",
        "RETDIR-11": "the example compares the conversation that the after-agent hook receives",
    },
)
def hides_tool_results_from_the_after_agent_hook() -> AbstractContextManager[object]:
    """Passes the conversation to the after-agent hook without the tool results, except a final one."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        rest = tuple(message for message in state.messages[:-1] if message.role != "tool")
        return await end(agent, run, replace(state, messages=(*rest, *state.messages[-1:])))

    return _ending(ends)


@mutant("STATE-12")
def hides_the_system_message_from_the_after_agent_hook() -> AbstractContextManager[object]:
    """Passes the conversation to the after-agent hook without the system message."""

    async def ends(end: End, agent: AnyAgent, run: Run, state: AnyState) -> AnyMessage:
        rest = tuple(message for message in state.messages if message.role != "system")
        return await end(agent, run, replace(state, messages=rest))

    return _ending(ends)
