"""Realistic bugs about the end of a run: iteration limits, and tools that return directly."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.run import Run
from loopspec_reference.values.errors import IterationLimitError
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


@bug("MAXITER-01")
def stops_after_twenty_five_steps() -> AbstractContextManager[object]:
    """Ends a run after 25 steps, whatever the limit: each model call and each round of tool calls is one."""
    init = Agent.__init__

    def builds(self: Agent[AnyMessage], **options: Any) -> None:  # Any: passed on
        init(self, **options)
        self._max_iterations = min(self._max_iterations, 13)

    return patch.object(Agent, "__init__", builds)


@bug("MAXITER-09")
def begins_with_the_count_of_a_run_that_reached_the_limit() -> AbstractContextManager[object]:
    """Begins each run after one that reached the iteration limit with the count of that run."""
    loop = Agent._loop
    counts: dict[Agent[Any], int] = {}  # Any: an agent of whatever message type

    async def loops(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:  # Any: what a run starts with is the agent's own
        try:
            return await loop(self, run, start, state, max(iteration, counts.get(self, 0)))
        except IterationLimitError:
            counts[self] = run.iteration
            raise

    return patch.object(Agent, "_loop", loops)


@bug("RETDIR-01")
def calls_the_model_after_a_direct_return() -> AbstractContextManager[object]:
    """Calls the model again with the result of a tool that is configured to return directly."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        start = await begin(self, run)
        return replace(start, return_directly=frozenset([start.exits] if start.exits else []))

    return patch.object(Agent, "_begin", begins)
