"""Realistic bugs about the end of a run: iteration limits, and tools that return directly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import RetriesExhaustedError
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.agents import Agent, _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run
from loopspec_reference.values.errors import IterationLimitError
from loopspec_reference.values.messages import AnyMessage

from ..agent.configuration import Build, built
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


_INNER_STEPS = 25


@bug("MAXITER-09")
@contextmanager
def starts_with_the_count_of_the_run_before() -> Iterator[None]:
    """Resets the count of model calls only when a run succeeds: the run after one at its limit begins at the limit."""
    loop = Agent._loop
    reached: dict[Agent[AnyMessage], int] = {}

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        try:
            return await loop(self, run, start, state, max(iteration, reached.pop(self, 0)))
        except IterationLimitError:
            reached[self] = run.iteration
            raise

    with patch.object(Agent, "_loop", loops):
        yield


@bug("MAXITER-01")
def ends_runs_at_an_inner_limit() -> AbstractContextManager[object]:
    """Ends each run at an inner limit of 25 steps, also one with a larger iteration limit."""

    def limited(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        self._max_iterations = min(self._max_iterations, _INNER_STEPS)

    return built(limited)


@bug("RETRY-01")
def retries_five_times_at_most() -> AbstractContextManager[object]:
    """Retries a model call at most five times, whatever the configuration says."""
    init = ModelCalls.__init__

    def builds(self: ModelCalls[AnyMessage], *given: Any) -> None:  # Any: passed on
        init(self, *given)
        if self._retry is not None:
            self._retry = replace(self._retry, max_retries=min(self._retry.max_retries, 5))

    return patch.object(ModelCalls, "__init__", builds)


@bug("CFG-03")
@contextmanager
def offers_no_tools_in_the_last_round() -> Iterator[None]:
    """Calls the model without tools when the iteration limit allows no further model call."""
    loop, call = Agent._loop, ModelCalls.call
    limits: dict[Run, int] = {}

    async def loops(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        limits[run] = self._max_iterations
        return await loop(self, run, *rest)

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        if run.iteration + 1 < limits[run]:
            return await call(self, run, state)
        return replace(await call(self, run, replace(state, tools=())), tools=state.tools)

    with patch.object(Agent, "_loop", loops), patch.object(ModelCalls, "call", calls):
        yield


@bug("INTERRUPT-10")
@contextmanager
def counts_one_model_call_before_an_interrupt() -> Iterator[None]:
    """Stores in a checkpoint that one model call was made, however many there were."""
    of = Checkpoint.of

    def counted(run: Run, state: State[AnyMessage], iteration: int, *rest: Any) -> bytes:  # Any: passed on
        return of(run, state, min(iteration, 1), *rest)

    with patch.object(Checkpoint, "of", counted):
        yield


@bug("RETRY-09")
def keeps_the_spent_retries_for_the_next_run() -> AbstractContextManager[object]:
    """Leaves no retries to the next run after the retries of a model call are exhausted."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], *rest: Any) -> Attempt[AnyMessage]:  # Any: passed on
        attempt = await answered(self, *rest)
        if isinstance(attempt.error, RetriesExhaustedError) and self._retry is not None:
            self._retry = replace(self._retry, max_retries=0)
        return attempt

    return patch.object(ModelCalls, "_answered", answers)
