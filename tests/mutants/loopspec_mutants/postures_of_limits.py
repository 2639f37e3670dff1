"""Postures of the iteration limit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, ConfigError, State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run

from .postures import posture

AnyAgent = Agent[AnyMessage]
AnyState = State[AnyMessage]
Calls = ModelCalls[AnyMessage]


_limit: ContextVar[int] = ContextVar("limit")


@posture("limit-ends", "last-answer")
@contextmanager
def ends_with_a_last_answer() -> Iterator[None]:
    """Call the model once more at the limit, without tools, and end the run."""
    loop, call = Agent._loop, ModelCalls.call

    async def loops(self: AnyAgent, run: Run, start: _Start, state: AnyState, iteration: int) -> AnyMessage:
        other = copy(self)
        other._max_iterations += 1
        token = _limit.set(self._max_iterations)
        try:
            return await loop(other, run, start, state, iteration)
        finally:
            _limit.reset(token)

    async def calls(self: Calls, run: Run, state: AnyState) -> AnyState:
        if run.iteration < _limit.get():
            return await call(self, run, state)
        run.local["__jump__"] = "model"  # which a call of the model deletes
        after = await call(self, run, replace(state, tools=(), deferred_tools=()))
        run.local["__jump__"] = "end"
        return after

    with patch.object(Agent, "_loop", loops), patch.object(ModelCalls, "call", calls):
        yield


def _limiting(change: Callable[[AnyAgent], None]) -> AbstractContextManager[object]:
    """Change the agents that are built with an iteration limit that is not positive."""
    build = Agent.__init__

    def builds(self: AnyAgent, **parts: Any) -> None:  # Any: the parts of an agent
        build(self, **parts)
        if parts.get("max_iterations", 1) <= 0:
            change(self)

    return patch.object(Agent, "__init__", builds)


@posture("limit-zero", "refused")
def refuses_a_limit_of_zero() -> AbstractContextManager[object]:
    """Build no agent with a limit of zero."""

    def refuses(agent: AnyAgent) -> None:
        raise ConfigError("the iteration limit must be positive")

    return _limiting(refuses)


@posture("limit-zero", "unlimited")
def takes_zero_for_no_limit() -> AbstractContextManager[object]:
    """Call the model as often as a run needs."""

    def frees(agent: AnyAgent) -> None:
        agent._max_iterations = sys.maxsize

    return _limiting(frees)


@posture("limit-zero", "no-call")
def calls_no_model_at_a_limit_of_zero() -> AbstractContextManager[object]:
    """Fail before the first model call."""

    def limits(agent: AnyAgent) -> None:
        agent._max_iterations = 0

    return _limiting(limits)


def _default_limit(limit: int) -> Callable[[], AbstractContextManager[object]]:
    """Return a patch of the default iteration limit."""
    return lambda: patch.object(agents, "_DEFAULT_ITERATIONS", limit)


for _number in (10, 40, 50, 500):
    posture("limit-default", str(_number))(_default_limit(_number))
posture("limit-default", "unlimited")(_default_limit(sys.maxsize))
