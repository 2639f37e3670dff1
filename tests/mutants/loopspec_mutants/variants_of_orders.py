"""Mutants that are wrong in one order of concurrent calls only: each passes every plain case."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, InterruptRun, State, ToolCall
from loopspec_reference.loop import agents
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run
from loopspec_reference.values.instructions import render

from .registry import mutant

Loop = Agent[AnyMessage]
Make = Callable[[int], Coroutine[Any, Any, None]]  # Any: what a coroutine yields to its loop


@mutant("VARIANT-30")
def appends_three_results_in_the_order_of_return() -> AbstractContextManager[object]:
    """Appends the results of three or more calls in the order of return if the last call returns first."""

    def order(values: Any, **rest: Any) -> list[Any]:  # Any: what `sorted` takes
        three = isinstance(values, dict) and len(values) > 2
        return list(values) if three and next(iter(values)) == max(values) else sorted(values, **rest)

    return patch.object(agents, "sorted", order, create=True)


@mutant("VARIANT-30")
def cancels_the_calls_before_the_last_one() -> AbstractContextManager[object]:
    """Cancels the other calls of an answer when the last of three or more calls returns first."""
    make_all = Agent._make_all

    async def makes(self: Loop, make: Make, opened: Sequence[int]) -> None:
        tasks: dict[int, asyncio.Task[None]] = {}

        async def first(at: int) -> None:
            await make(at)
            if at == opened[-1] and not any(task.done() for task in tasks.values()):
                for other in tasks.keys() - {at}:
                    tasks[other].cancel()

        if len(opened) > 2:
            tasks |= {at: asyncio.ensure_future(first(at)) for at in opened}
            await asyncio.gather(*tasks.values())
        else:
            await make_all(self, make, opened)

    return patch.object(Agent, "_make_all", makes)


@mutant("VARIANT-30", neighbors={"LOOP-19": "an example has two interrupts and a result"})
@contextmanager
def saves_no_result_after_two_interrupts() -> Iterator[None]:
    """Saves no result of a call that returns after two other calls of the run have interrupted the run."""
    call, of = ToolCalls.call, Checkpoint.of
    interrupted: list[int] = []
    late: set[str] = set()

    async def calls(self: ToolCalls[AnyMessage], run: Run, box: Any, called: ToolCall, *rest: Any) -> AnyMessage:
        try:
            result = await call(self, run, box, called, *rest)
        except InterruptRun:
            interrupted.append(id(run))
            raise
        if interrupted.count(id(run)) > 1:
            late.add(called.id)
        return result

    def saved(run: Run, state: Any, iteration: int, results: Mapping[int, Any] | None = None, *rest: Any) -> bytes:
        kept = results and {at: result for at, result in results.items() if result.call_id not in late}
        return of(run, state, iteration, kept, *rest)

    with patch.object(ToolCalls, "call", calls), patch.object(Checkpoint, "of", saved):
        yield


@mutant("VARIANT-30")
@contextmanager
def drops_an_event_that_is_two_calls_late() -> Iterator[None]:
    """Emits no event of a call if the event of the call two places after it has been emitted."""
    call = ToolCalls.call
    emitted: set[tuple[int, int]] = set()

    async def calls(
        self: ToolCalls[AnyMessage], run: Run, box: Any, called: ToolCall, context: Any, emit: Any, exits: bool
    ) -> AnyMessage:
        asked = run.conversation[-1].tool_calls
        place = next(at for at, one in enumerate(asked) if one is called)

        def emits(event: Any) -> None:
            if (id(asked), place + 2) not in emitted:
                emit(event)
            emitted.add((id(asked), place))

        return await call(self, run, box, called, context, emits, exits)

    with patch.object(ToolCalls, "call", calls):
        yield


@mutant("VARIANT-31")
@contextmanager
def continues_the_conversation_of_the_last_answer() -> Iterator[None]:
    """Appends results to the conversation whose model has answered last, if the conversation of the run is as long."""
    call, act = ModelCalls.call, Agent._act
    latest: dict[int, State[AnyMessage]] = {}

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = latest[id(self)] = await call(self, run, state)
        return state

    async def acts(self: Loop, run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        acted, ended = await act(self, run, start, state, *rest)
        found = latest.get(id(self._models), state)
        if len(found.messages) != len(state.messages):
            return acted, ended
        return replace(acted, messages=(*found.messages, *acted.messages[len(state.messages) :])), ended

    with patch.object(ModelCalls, "call", calls), patch.object(Agent, "_act", acts):
        yield


@mutant("VARIANT-31")
@contextmanager
def renders_with_the_values_of_the_last_run() -> Iterator[None]:
    """Renders the instruction with the session values of the run that began last."""
    begin = Agent._begin
    latest: list[Mapping[str, Any]] = []

    async def begins(self: Loop, run: Run) -> Any:
        latest.append(run.session)
        return await begin(self, run)

    def renders(text: str, session: Mapping[str, Any]) -> str:
        return render(text, latest[-1])

    with patch.object(Agent, "_begin", begins), patch.object(agents, "render", renders):
        yield
