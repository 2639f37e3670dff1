"""Realistic bugs about how often something happens: rounds, retries, hooks and summaries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from loopspec_reference import Agent, AnyMessage, RetryConfig, State
from loopspec_reference.calls.attempts import Attempt, Caller
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.calls.retries import retrying
from loopspec_reference.loop import model_calls
from loopspec_reference.plugins.summarization import _Summarizer
from loopspec_reference.runs.run import Run

from ..registry import bug


@bug("MAXITER-01", "MAXITER-03")
@contextmanager
def counts_a_round_of_tool_calls_as_an_iteration() -> Iterator[None]:
    """Counts a model call and the tool calls of its answer as two iterations."""
    loop, act = Agent._loop, Agent._act

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        limit = self._max_iterations
        try:
            return await loop(self, *rest)
        finally:
            self._max_iterations = limit

    async def acts(self: Agent[AnyMessage], *rest: Any) -> Any:  # Any: passed on
        self._max_iterations -= 1
        return await act(self, *rest)

    with patch.multiple(Agent, _loop=loops, _act=acts):
        yield


@bug("MAXITER-01")
def ends_long_runs_at_an_inner_limit() -> AbstractContextManager[object]:
    """Ends a run after 25 model calls, although its configured limit allows more."""
    init = Agent.__init__

    def makes(self: Agent[AnyMessage], **options: Any) -> None:  # Any: passed on
        init(self, **options)
        self._max_iterations = min(self._max_iterations, 25)

    return patch.object(Agent, "__init__", makes)


@bug("RETRY-19")
def checks_failed_attempts_only() -> AbstractContextManager[object]:
    """Calls the answer check for failed attempts only, so that no answer is ever rejected."""
    rejects = RetryConfig.rejects

    def judges(
        self: RetryConfig[AnyMessage], attempt: Attempt[AnyMessage], number: int, request: ModelRequest[AnyMessage]
    ) -> bool:
        return attempt.error is not None and rejects(self, attempt, number, request)

    return patch.object(RetryConfig, "rejects", judges)


@bug("RETRY-12")
def replays_a_failed_stream() -> AbstractContextManager[object]:
    """Retries a failed streamed call by replaying the failure, without calling the model again."""

    async def retries(
        call: Caller[AnyMessage],
        config: RetryConfig[AnyMessage],
        model: Model[AnyMessage],
        request: ModelRequest[AnyMessage],
    ) -> Attempt[AnyMessage]:
        made: list[Attempt[AnyMessage]] = []

        async def once(model: Model[AnyMessage], request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
            if made and request.streaming:
                return Attempt(made[0].message, made[0].error, None)
            made.append(await call(model, request))
            return made[-1]

        return await retrying(once, config, model, request)

    return patch.object(model_calls, "retrying", retries)


@bug("HOOK-AA-01")
def calls_the_after_agent_hooks_twice() -> AbstractContextManager[object]:
    """Calls the after-agent hooks twice at the end of a run."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        for handler in self._after:
            await handler.after_agent(state)
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@bug("XP-SUM-08")
def forgets_the_earlier_summary() -> AbstractContextManager[object]:
    """Summarizes a conversation for the second time without the first summary."""
    summarize = _Summarizer._summary

    async def summarizes(self: _Summarizer, messages: tuple[AnyMessage, ...], agent: str) -> str | None:
        prefix = self.options.prefix
        later = tuple(one for one in messages if not (one.role == "user" and one.text.startswith(prefix)))
        return await summarize(self, later or messages, agent)

    return patch.object(_Summarizer, "_summary", summarizes)
