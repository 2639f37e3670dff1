"""Realistic bugs about resumed runs."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from loopspec_reference import AnyMessage, Event, Json, Message, State
from loopspec_reference.calls.chains import in_context
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.cancels import Canceller
from loopspec_reference.runs.checkpoints import Checkpoint, Stop
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.kinds import ToolContext
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.messages import ToolCall

from ..registry import bug

Answered = tuple[State[AnyMessage], bool]


def _acting(change: Callable[[Agent[AnyMessage], Run, Any], None]) -> AbstractContextManager[object]:
    """Change the agent before it repeats the calls of a resumed run."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, *rest: Any) -> Answered:  # Any: passed on
        if rest[-1]:
            change(self, run, start)
        return await act(self, run, start, *rest)

    return patch.object(Agent, "_act", acts)


@bug("TOOLS-01")
@contextmanager
def repeats_a_call_without_wrappers() -> Iterator[None]:
    """Calls the tool itself, without its wrappers, when an interrupted call is repeated."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage], run: Run, box: Toolbox, one: ToolCall, context: ToolContext, *rest: Any
    ) -> AnyMessage:  # Any: passed on
        bare = ToolCalls(self._message_type, (), self._callbacks) if context.resumed is not None else self
        return await call(bare, run, box, one, context, *rest)

    with patch.object(ToolCalls, "call", calls):
        yield


@bug("ORDER-MODEL-01")
@contextmanager
def resumes_without_legacy_middlewares() -> Iterator[None]:
    """Builds the model calls of a resumed run without the legacy middlewares."""
    continued = Agent._continued

    async def continues(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        self._models._legacy_before = []
        self._models._legacy_after = []
        return await continued(self, run, *rest)

    with patch.object(Agent, "_continued", continues):
        yield


@bug("RETRY-01")
def resumes_without_retries() -> AbstractContextManager[object]:
    """Builds the model calls of a resumed run without the retry configuration."""

    def change(self: Agent[AnyMessage], run: Run, start: Any) -> None:
        if not run.nested:
            self._models._retry = None

    return _acting(change)


@bug("FAILOVER-01")
def resumes_without_failover() -> AbstractContextManager[object]:
    """Builds the model calls of a resumed run without the failover configuration."""

    def change(self: Agent[AnyMessage], run: Run, start: Any) -> None:
        self._models._failover = None

    return _acting(change)


@bug("OUTKEY-01")
def resumes_without_the_output_key() -> AbstractContextManager[object]:
    """Stores the final answer of a resumed run under no session key."""

    def change(self: Agent[AnyMessage], run: Run, start: Any) -> None:
        self._output_key = None

    return _acting(change)


@bug("RETDIR-01")
def calls_the_model_after_a_repeated_direct_return() -> AbstractContextManager[object]:
    """Calls the model after an interrupted call of a return-directly tool was repeated."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], *rest: Any) -> Answered:  # Any: passed on
        state, ended = await act(self, *rest)
        return state, ended and not rest[-1]

    return patch.object(Agent, "_act", acts)


@bug("LOOP-07")
def calls_the_tools_of_a_resumed_run_one_by_one() -> AbstractContextManager[object]:
    """Runs the tool calls of a resumed run one after the other."""

    def change(self: Agent[AnyMessage], run: Run, start: Any) -> None:
        self._parallel = False

    return _acting(change)


@bug("INTERRUPT-03")
def takes_unanswered_calls_for_done() -> AbstractContextManager[object]:
    """Repeats only the interrupted calls that the caller has answered, if there is one; the others count as done."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any
    ) -> Answered:  # Any: passed on
        iteration, results, resumed = rest
        if any(one.data is not None for one in resumed.values()):
            calls = state.messages[-1].tool_calls
            left = {at: one for at, one in resumed.items() if one.data is not None}
            done = {at: self.message_type.tool_result(calls[at], "") for at in resumed if at not in left}
            results, resumed = {**results, **done}, left
        return await act(self, run, start, state, iteration, results, resumed)

    return patch.object(Agent, "_act", acts)


@bug("INTERRUPT-03")
def takes_an_empty_answer_for_none() -> AbstractContextManager[object]:
    """Drops an empty answer of the caller: `data.get(id) or None`."""
    answer = agents._answer

    def kept(call: ToolCall, data: Mapping[str, Json]) -> Json:
        return answer(call, data) or None

    return patch.object(agents, "_answer", kept)


@bug("CANCEL-13")
def asks_the_outer_model_again() -> AbstractContextManager[object]:
    """Stores a run that was cancelled inside a sub-agent as one that stopped before its last model call."""
    last = lifecycle._last

    def stored(run: Run, stop: Stop) -> Event:
        saved = msgspec.json.decode(stop.checkpoint)
        cancelled = run.canceller is not None and run.canceller.active
        if cancelled and any("phase" in (state or {}) for state in saved["states"].values()):
            saved |= {"phase": "model", "messages": saved["messages"][:-1], "states": {}, "results": {}}
            stop = Stop(msgspec.json.encode(saved))
        return last(run, stop)

    return patch.object(lifecycle, "_last", stored)


@bug("CANCEL-13")
def restarts_a_cancelled_sub_agent() -> AbstractContextManager[object]:
    """Restarts a sub-agent whose run was cancelled immediately."""

    async def inner_step(self: Canceller, work: Coroutine[Any, Any, Any]) -> Any:  # Any: passed on
        return await in_context(copy_context(), work)

    return patch.object(Canceller, "inner_step", inner_step)


@bug("INTERRUPT-15")
def loses_the_parts_of_finished_results() -> AbstractContextManager[object]:
    """Stores only the texts of finished results in a checkpoint, and not their images."""
    finished = Checkpoint.finished

    def texts(self: Checkpoint, message_type: type[AnyMessage]) -> dict[int, AnyMessage]:
        found = finished(self, message_type)
        return {
            at: Message(role="tool", content=one.outcome, call_id=one.call_id, tool_name=one.tool_name)
            if isinstance(one, Message)
            else one
            for at, one in found.items()
        }

    return patch.object(Checkpoint, "finished", texts)


def _restoring(keeps: Callable[[Json], bool], which: Sequence[str]) -> AbstractContextManager[object]:
    """Restore only the values from a checkpoint that `keeps` accepts, of the named kinds."""
    values = Checkpoint.values

    def kept(self: Checkpoint) -> tuple[dict[str, Json], dict[str, Json]]:
        local, session = (
            {key: value for key, value in found.items() if name not in which or keeps(value)}
            for name, found in zip(("local", "session"), values(self), strict=True)
        )
        return local, session

    return patch.object(Checkpoint, "values", kept)


@bug("RUNLOCAL-14")
def loses_null_at_an_interrupt() -> AbstractContextManager[object]:
    """Restores no run-local value that is null: `if value is not None`."""
    return _restoring(lambda value: value is not None, ["local"])


@bug("RUNLOCAL-14")
def loses_falsy_values_at_an_interrupt() -> AbstractContextManager[object]:
    """Restores no run-local value that is false, zero or empty: `if value`."""
    return _restoring(lambda value: value is None or bool(value), ["local"])


@bug("HOOK-BM-08")
def shows_a_resumed_hook_the_new_messages_only() -> AbstractContextManager[object]:
    """Calls the before-model hooks of a resumed run with the messages since the interrupt."""
    continued = Agent._continued

    async def continues(self: Agent[AnyMessage], run: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        known = len(Checkpoint.read(checkpoint, self.message_type).state.messages) - 1
        prepared = self._models._prepared

        async def prepares(state: State[AnyMessage]) -> State[AnyMessage]:
            found = await prepared(replace(state, messages=state.messages[known:]))
            return replace(found, messages=(*state.messages[:known], *found.messages))

        with patch.object(self._models, "_prepared", prepares):
            return await continued(self, run, checkpoint, data)

    return patch.object(Agent, "_continued", continues)


@bug("INTERRUPT-05")
def forgets_finished_empty_results() -> AbstractContextManager[object]:
    """Repeats a finished call whose result is empty: `if result.text`."""
    finished = Checkpoint.finished

    def filled(self: Checkpoint, message_type: type[AnyMessage]) -> dict[int, AnyMessage]:
        return {at: one for at, one in finished(self, message_type).items() if one.outcome}

    return patch.object(Checkpoint, "finished", filled)
