"""Realistic bugs about interrupted and resumed runs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.checkpoints import Checkpoint, Saved
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.kinds import Resumed
from loopspec_reference.values.errors import LoopError
from loopspec_reference.values.messages import AnyMessage, Json

from ..registry import bug

Acted = tuple[State[AnyMessage], bool]


def _acting(change: Any) -> AbstractContextManager[object]:  # Any: a coroutine function, which mypy checks where it is
    """Patch how the tool calls of an answer are made: `change` receives the original first."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:
        acted: Acted = await change(act, self, run, start, state, *rest)
        return acted

    return patch.object(Agent, "_act", acts)


def _reading(change: Any) -> AbstractContextManager[object]:  # Any: a function from what was saved to what is read
    """Patch what a checkpoint holds when it is read."""
    read = Checkpoint.read

    def reads(checkpoint: bytes, message_type: type[AnyMessage]) -> Saved[AnyMessage]:
        changed: Saved[AnyMessage] = change(read(checkpoint, message_type))
        return changed

    return patch.object(Checkpoint, "read", reads)


@bug("INTERRUPT-02")
def takes_unanswered_interrupts_for_done() -> AbstractContextManager[object]:
    """Takes every interrupted call of an answer for done as soon as the caller has answered one of them."""

    async def acts(act: Any, self: Any, run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:
        iteration, results, resumed = rest
        if any(one.data is not None for one in resumed.values()):
            calls = state.messages[-1].tool_calls
            for at in [at for at, one in resumed.items() if one.data is None]:
                results[at] = self.message_type.tool_result(calls[at], "")
                resumed = {key: one for key, one in resumed.items() if key != at}
        acted: Acted = await act(self, run, start, state, iteration, results, resumed)
        return acted

    return _acting(acts)


@bug("INTERRUPT-01")
def takes_the_first_calls_of_a_resumed_run_for_approved() -> AbstractContextManager[object]:
    """Takes every call of the first answer of a resumed run for a repeated one, whether or not it had interrupted."""
    continued = Agent._continued

    async def continues(self: Agent[AnyMessage], run: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        act = self._act

        async def acts(run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:  # Any: passed on
            iteration, results, resumed = rest
            if not run.iteration:
                calls = state.messages[-1].tool_calls
                resumed = {at: resumed.get(at, Resumed(None, None)) for at in range(len(calls)) if at not in results}
            return await act(run, start, state, iteration, results, resumed)

        with patch.object(self, "_act", acts):
            return await continued(self, run, checkpoint, data)

    return patch.object(Agent, "_continued", continues)


@bug("INTERRUPT-04")
def takes_a_resumed_sub_agent_for_finished() -> AbstractContextManager[object]:
    """Takes an interrupted sub-agent for finished when the outer run is resumed."""

    async def finished(self: Agent[AnyMessage], parent: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        return self.message_type.assistant("")

    return patch.object(Agent, "resume_within", finished)


@bug("INTERRUPT-09")
def appends_the_interrupted_answer_again() -> AbstractContextManager[object]:
    """Appends the interrupted answer to the conversation a second time when the run is resumed."""

    async def acts(act: Any, self: Any, run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:
        if rest[-1]:
            state = replace(state, messages=(*state.messages, state.messages[-1]))
        acted: Acted = await act(self, run, start, state, *rest)
        return acted

    return _acting(acts)


@bug("INTERRUPT-05")
def loses_results_next_to_an_interrupt() -> AbstractContextManager[object]:
    """Appends only the result of the interrupted call on resumption, and no result of the calls that had completed."""

    async def acts(act: Any, self: Any, run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:
        known = len(rest[1])
        acted: Acted = await act(self, run, start, state, *rest)
        if not rest[-1] or not known:
            return acted
        done, ended = acted
        calls = state.messages[-1].tool_calls
        kept = [message for at, message in enumerate(done.messages[-len(calls) :]) if at in rest[-1]]
        return replace(done, messages=(*state.messages, *kept)), ended

    return _acting(acts)


@bug("INTERRUPT-05")
def rejects_completed_calls_on_resumption() -> AbstractContextManager[object]:
    """Fails to resume a run if the interrupted answer also has a call that has completed."""

    def reads(saved: Saved[AnyMessage]) -> Saved[AnyMessage]:
        if saved.results and saved.interrupted:
            raise LoopError("results are expected for all interrupted calls and for no other call")
        return saved

    return _reading(reads)


@bug("INTERRUPT-15")
def ends_a_resumed_run_after_its_tool_calls() -> AbstractContextManager[object]:
    """Ends a resumed streaming run after the interrupted tool calls, without another model call."""

    async def acts(act: Any, self: Any, run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:
        acted: Acted = await act(self, run, start, state, *rest)
        return (acted[0], True) if rest[-1] and run.streaming else acted

    return _acting(acts)


@bug("INTERRUPT-09")
def sends_earlier_resumed_results_again() -> AbstractContextManager[object]:
    """Appends the result of the first resumed call again when the run is resumed a second time."""

    async def acts(act: Any, self: Any, run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Acted:
        acted: Acted = await act(self, run, start, state, *rest)
        earlier = run.local.get("resumed results", [])
        if not rest[-1]:
            return acted
        done, ended = acted
        new = done.messages[len(state.messages) :]
        again = [one for one in state.messages if one.role == "tool" and one.outcome in earlier]
        run.local["resumed results"] = [*earlier, *(one.outcome for one in new)]
        return replace(done, messages=(*done.messages, *again)), ended

    return _acting(acts)
