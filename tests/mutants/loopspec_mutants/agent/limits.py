"""Mutants about the iteration limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from loopspec_reference import (
    AnyMessage,
    IterationLimitError,
    State,
)
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.loop import agents as loops
from loopspec_reference.loop.agents import Agent, _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run

from ..registry import mutant
from .configuration import Build, built


@mutant(
    "MAXITER-01",
    neighbors={
        "MAXITER-09": "the examples have limits",
        "LOOP-05": "an example has a limit",
        "INTERRUPT-10": "an example has a limit of three",
        "CFG-03": "an example has a limit",
    },
)
def allows_one_model_call_less() -> AbstractContextManager[object]:
    """Allows one model call less than a configured limit of more than two."""

    def strict(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        limit = given.get("max_iterations", 0)
        build(self, **{**given, "max_iterations": limit - 1 if limit > 2 else limit})

    return built(strict)


_counted: ContextVar[list[object]] = ContextVar("spent")
_limit: ContextVar[int] = ContextVar("limit")


@contextmanager
def _counting() -> Iterator[None]:
    """Fail a model call when a run has counted up to its limit."""
    fresh, call = Agent._fresh, ModelCalls.call

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        _counted.set([])
        _limit.set(self._max_iterations)
        return await fresh(self, run, messages)

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        if len(_counted.get([])) >= _limit.get(1):
            raise IterationLimitError("the limit is reached")
        return await call(self, run, state)

    with patch.object(Agent, "_fresh", begins), patch.object(ModelCalls, "call", calls):
        yield


@mutant("MAXITER-02")
@contextmanager
def counts_tool_calls() -> Iterator[None]:
    """Counts tool calls, not model calls."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        _counted.get([]).append(self)
        return await call(self, *rest)

    with _counting(), patch.object(ToolCalls, "call", calls):
        yield


@mutant("MAXITER-07")
@contextmanager
def counts_attempts() -> Iterator[None]:
    """Counts each attempt of a model call."""
    attempt = ModelCalls._attempt

    async def attempts(self: ModelCalls[AnyMessage], run: Run, *rest: Any) -> Attempt[AnyMessage]:  # Any: passed on
        _counted.get([]).append(self)
        return await attempt(self, run, *rest)

    with _counting(), patch.object(ModelCalls, "_attempt", attempts):
        yield


@mutant(
    "MAXITER-03",
    neighbors={"INTERRUPT-10": "the second run of the example ends at a limit"},
)
def ends_with_an_empty_answer_at_the_limit() -> AbstractContextManager[object]:
    """Ends a run with an empty answer at a configured limit of more than one."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        try:
            return await loop(self, *rest)
        except IterationLimitError:
            if self._max_iterations in (1, 20):
                raise
            return self.message_type.assistant("")

    return patch.object(Agent, "_loop", loops)


@mutant("MAXITER-04", neighbors={"MAXITER-05": "the rule falls back on the same default"})
def has_another_default() -> AbstractContextManager[object]:
    """Allows 25 model calls by default."""
    return patch.object(loops, "_DEFAULT_ITERATIONS", 25)


@mutant("MAXITER-05")
def takes_a_negative_limit_for_unlimited() -> AbstractContextManager[object]:
    """Allows any number of model calls when the limit is negative."""

    def generous(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("max_iterations", 0) < 0:
            self._max_iterations = 1000

    return built(generous)


@mutant("MAXITER-01")
def rejects_a_limit_of_one_without_tools() -> AbstractContextManager[object]:
    """Ends a run with a limit of one before the only model call of an agent without tools."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> _Start:
        start = await begin(self, run)
        if self._max_iterations == 1 and not start.box.tools:
            raise IterationLimitError("one model call is not enough")
        return start

    return patch.object(Agent, "_begin", begins)


@mutant("MAXITER-08")
def checks_the_limit_before_a_direct_return() -> AbstractContextManager[object]:
    """Checks the limit after the tool calls, before it checks whether one of them returns directly."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: passed on
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, iteration, *rest)
        if iteration >= self._max_iterations:
            raise IterationLimitError("no model call is left")
        return state, ended

    return patch.object(Agent, "_act", acts)


@mutant("MAXITER-09")
@contextmanager
def has_one_limit_for_all_runs() -> Iterator[None]:
    """Counts the model calls of all runs of an agent together."""
    loop, call = Agent._loop, ModelCalls.call
    made: dict[ModelCalls[AnyMessage], int] = {}

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        made[self] = made.get(self, 0) + 1
        return await call(self, run, state)

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        return await loop(self, run, start, state, max(iteration, made.get(self._models, 0)))

    with patch.object(Agent, "_loop", loops), patch.object(ModelCalls, "call", calls):
        yield


@mutant(
    "MAXITER-11",
    neighbors={
        "INTERRUPT-10": "an example interrupts the run at its last model call",
        "HOOK-AA-03": "one of the examples ends at the limit after a tool call",
        "CANCEL-20": "one of the examples ends at the limit after a tool call",
    },
)
def skips_the_last_tool_calls() -> AbstractContextManager[object]:
    """Ends the run at the iteration limit before the last tool calls if none of them returns directly."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: passed on
    ) -> tuple[State[AnyMessage], bool]:
        direct = any(call.name in start.return_directly for call in state.messages[-1].tool_calls)
        if iteration >= self._max_iterations and not direct:
            raise IterationLimitError("no model call is left for the results")
        return await act(self, run, start, state, iteration, *rest)

    return patch.object(Agent, "_act", acts)


@mutant(
    "MAXITER-10",
    neighbors={
        "AGENTTOOL-08": "the error of one of the examples is that of the limit",
        "INTERRUPT-10": "the second run of the example ends at a limit",
    },
)
def hides_the_reason_at_the_limit() -> AbstractContextManager[object]:
    """Ends a run at the iteration limit with an error that does not name the limit."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        try:
            return await loop(self, *rest)
        except IterationLimitError:
            raise RuntimeError("the run has failed") from None

    return patch.object(Agent, "_loop", loops)


@mutant("MAXITER-12")
def calls_the_before_model_hooks_at_the_limit() -> AbstractContextManager[object]:
    """Calls the before-model hooks before it checks the limit."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: passed on
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, iteration, *rest)
        if iteration >= self._max_iterations and not ended:
            await self._models._prepared(state)
        return state, ended

    return patch.object(Agent, "_act", acts)
