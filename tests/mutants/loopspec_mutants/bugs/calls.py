"""Realistic bugs about tool calls, exits, attempts of model calls, and context values."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, ModelRequest
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.failovers import FailoverConfig
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run

from ..registry import bug


@bug("EXIT-01")
def exits_only_alone() -> AbstractContextManager[object]:
    """Ends a run with the exit tool only if the answer calls no other tool."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: Any, *rest: Any) -> Any:
        if len(state.messages[-1].tool_calls) > 1 and start.exits is not None:
            start = replace(start, return_directly=start.return_directly - {start.exits}, exits=None)
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@bug("CTX-13")
def shares_the_context_of_calls_in_turn() -> AbstractContextManager[object]:
    """Makes sequential tool calls in one context."""
    make_all = Agent._make_all

    async def makes(
        self: Agent[AnyMessage], make: Callable[[int], Coroutine[Any, Any, None]], opened: Sequence[int]
    ) -> None:
        if self._parallel:
            await make_all(self, make, opened)
        else:
            for at in opened:
                await make(at)

    return patch.object(Agent, "_make_all", makes)


def _repeating(change: Callable[[ModelRequest[AnyMessage], Run], Any]) -> AbstractContextManager[object]:
    """Change the request of each attempt after the first of one model call."""
    answered, attempt = ModelCalls._answered, ModelCalls._attempt
    made: dict[Run, int] = {}

    async def answers(self: ModelCalls[AnyMessage], run: Run, *rest: Any) -> Any:  # Any: passed on
        made[run] = 0
        return await answered(self, run, *rest)

    async def attempts(
        self: ModelCalls[AnyMessage], run: Run, model: Any, request: ModelRequest[AnyMessage]
    ) -> Attempt[AnyMessage]:
        made[run] += 1
        return await attempt(self, run, model, change(request, run) if made[run] > 1 else request)

    return patch.multiple(ModelCalls, _answered=answers, _attempt=attempts)


@bug("RETRY-02")
def repeats_a_stream_without_the_last_message() -> AbstractContextManager[object]:
    """Sends a retried streaming call without the last message."""
    return _repeating(
        lambda request, run: replace(request, messages=request.messages[:-1]) if run.streaming else request
    )


@bug("RETRY-02")
def repeats_without_deferred_tools() -> AbstractContextManager[object]:
    """Sends a retried call without the deferred tools and the tool search."""
    return _repeating(lambda request, run: replace(request, deferred_tools=(), tool_search=None))


@bug("RETRY-02")
def repeats_with_the_messages_of_the_caller() -> AbstractContextManager[object]:
    """Sends a retried call with the messages of the run up to the first answer only."""

    def first(request: ModelRequest[AnyMessage], run: Run) -> ModelRequest[AnyMessage]:
        answers = [at for at, one in enumerate(request.messages) if one.role == "assistant" and one.tool_calls]
        return replace(request, messages=request.messages[: answers[0]]) if answers else request

    return _repeating(first)


@bug("FAILOVER-12")
def fails_over_a_stream_without_tools() -> AbstractContextManager[object]:
    """Sends a streaming call that fails over without the tools."""
    choose = FailoverConfig.choose

    async def chooses(self: FailoverConfig[AnyMessage], context: Any, request: ModelRequest[AnyMessage]) -> Any:
        model, sent = await choose(self, context, request)
        return model, replace(sent, tools=()) if sent.streaming else sent

    return patch.object(FailoverConfig, "choose", chooses)


@bug("LOOP-02")
def makes_sixteen_calls_at_most() -> AbstractContextManager[object]:
    """Makes the first sixteen tool calls of an answer only."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: Any, *rest: Any) -> Any:
        last = state.messages[-1]
        if hasattr(last, "tool_calls") and len(last.tool_calls) > 16 and hasattr(last, "content"):
            last = replace(last, tool_calls=last.tool_calls[:16])
            state = replace(state, messages=(*state.messages[:-1], last))
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@bug("EVENT-15")
def drops_a_held_result_when_another_call_fails() -> AbstractContextManager[object]:
    """Emits no result of a return-directly tool if another call of the answer fails."""
    act, call = Agent._act, ToolCalls.call
    held: dict[Run, list[Any]] = {}

    async def calls(
        self: ToolCalls[AnyMessage], run: Run, box: Any, one: Any, context: Any, emit: Any, exits: bool
    ) -> AnyMessage:
        own = emit if emit == run.emit else held.setdefault(run, []).append
        return await call(self, run, box, one, context, own, exits)

    async def acts(self: Agent[AnyMessage], run: Run, *rest: Any) -> Any:  # Any: passed on
        found = await act(self, run, *rest)
        for event in held.pop(run, []):
            run.emit(event)
        return found

    from contextlib import contextmanager

    @contextmanager
    def both() -> Any:
        with patch.object(Agent, "_act", acts), patch.object(ToolCalls, "call", calls):
            yield

    return both()
