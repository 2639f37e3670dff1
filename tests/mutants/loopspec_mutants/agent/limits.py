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


@mutant("MAXITER-01")
def allows_one_model_call_less() -> AbstractContextManager[object]:
    """Allows one model call less than it is told, if that is more than two."""

    def strict(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        limit = given.get("max_iterations", 0)
        build(self, **{**given, "max_iterations": limit - 1 if limit > 2 else limit})

    return built(strict)


_spent: ContextVar[list[object]] = ContextVar("spent")
_limit: ContextVar[int] = ContextVar("limit")


@contextmanager
def _counting() -> Iterator[None]:
    """Refuse a model call when enough is in a run's list of what counts."""
    fresh, call = Agent._fresh, ModelCalls.call

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        _spent.set([])
        _limit.set(self._max_iterations)
        return await fresh(self, run, messages)

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        if len(_spent.get([])) >= _limit.get(1):
            raise IterationLimitError("enough is enough")
        return await call(self, run, state)

    with patch.object(Agent, "_fresh", begins), patch.object(ModelCalls, "call", calls):
        yield


@mutant("MAXITER-02")
@contextmanager
def counts_tool_calls() -> Iterator[None]:
    """Counts tool calls, not model calls."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        _spent.get([]).append(self)
        return await call(self, *rest)

    with _counting(), patch.object(ToolCalls, "call", calls):
        yield


@mutant("MAXITER-07")
@contextmanager
def counts_attempts() -> Iterator[None]:
    """Counts every attempt to call a model."""
    attempt = ModelCalls._attempt

    async def attempts(self: ModelCalls[AnyMessage], run: Run, *rest: Any) -> Attempt[AnyMessage]:  # Any: handed on
        _spent.get([]).append(self)
        return await attempt(self, run, *rest)

    with _counting(), patch.object(ModelCalls, "_attempt", attempts):
        yield


@mutant(
    "MAXITER-03",
    neighbors={"INTERRUPT-10": "its second run ends at a limit"},
)
def is_content_with_what_it_has() -> AbstractContextManager[object]:
    """Lets a run end well at a limit that it was told, if that is more than one."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        try:
            return await loop(self, *rest)
        except IterationLimitError:
            if self._max_iterations in (1, 20):
                raise
            return self.message_type.assistant("")

    return patch.object(Agent, "_loop", loops)


@mutant("MAXITER-04", neighbors={"MAXITER-05": "it falls back on the same default"})
def has_another_default() -> AbstractContextManager[object]:
    """Allows 25 model calls, if nothing is said."""
    return patch.object(loops, "_DEFAULT_ITERATIONS", 25)


@mutant("MAXITER-05")
def takes_less_than_none_for_any_number() -> AbstractContextManager[object]:
    """Allows any number of model calls when the limit is negative."""

    def generous(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("max_iterations", 0) < 0:
            self._max_iterations = 1000

    return built(generous)


@mutant("MAXITER-01")
def counts_the_end_of_the_only_round() -> AbstractContextManager[object]:
    """Takes the one answer of an agent without tools for a round that needs another one."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> _Start:
        start = await begin(self, run)
        if self._max_iterations == 1 and not start.box.tools:
            raise IterationLimitError("one model call is not enough")
        return start

    return patch.object(Agent, "_begin", begins)


@mutant("MAXITER-08")
def looks_at_the_limit_first() -> AbstractContextManager[object]:
    """Looks at the limit after the tool calls, before it looks whether one of them returns directly."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: handed on
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, iteration, *rest)
        if iteration >= self._max_iterations:
            raise IterationLimitError("no model call is left")
        return state, ended

    return patch.object(Agent, "_act", acts)


@mutant("MAXITER-09")
@contextmanager
def has_one_limit_for_all_runs() -> Iterator[None]:
    """Counts the model calls of an agent, not those of its run."""
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
        "HOOK-AA-03": "one of its examples ends at the limit after a tool call",
        "CANCEL-20": "one of its examples ends at the limit after a tool call",
    },
)
def skips_the_last_tool_calls() -> AbstractContextManager[object]:
    """Ends the run at the iteration limit before the last tool calls, if none of them returns directly."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: handed on
    ) -> tuple[State[AnyMessage], bool]:
        direct = any(call.name in start.return_directly for call in state.messages[-1].tool_calls)
        if iteration >= self._max_iterations and not direct:
            raise IterationLimitError("no model call is left for the results")
        return await act(self, run, start, state, iteration, *rest)

    return patch.object(Agent, "_act", acts)


@mutant(
    "MAXITER-10",
    neighbors={
        "AGENTTOOL-08": "in one of its examples the error is that of the limit",
        "INTERRUPT-10": "its second run ends at a limit",
    },
)
def hides_the_reason_at_the_limit() -> AbstractContextManager[object]:
    """Ends a run at the iteration limit with an error that could mean anything."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        try:
            return await loop(self, *rest)
        except IterationLimitError:
            raise RuntimeError("the run has failed") from None

    return patch.object(Agent, "_loop", loops)


@mutant("MAXITER-12")
def prepares_a_call_it_cannot_make() -> AbstractContextManager[object]:
    """Calls the hooks before the model before it looks at the limit."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: handed on
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, iteration, *rest)
        if iteration >= self._max_iterations and not ended:
            await self._models._prepared(state)
        return state, ended

    return patch.object(Agent, "_act", acts)
