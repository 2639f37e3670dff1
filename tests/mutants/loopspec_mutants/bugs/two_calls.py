"""Realistic bugs about two calls of one tool, and two resumptions from one checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run
from loopspec_reference.values.messages import AnyMessage, Json, ToolCall

from ..registry import bug


@bug("INTERRUPT-03")
def answers_interrupts_by_tool() -> AbstractContextManager[object]:
    """Names an interrupted call by its tool, so that the last answer for the tool reaches all of its calls."""
    continued = Agent._continued

    async def continues(self: Agent[AnyMessage], run: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        calls = [call for call, _ in Checkpoint.read(checkpoint, self.message_type).interrupted.values()]
        by_tool = {call.name: data[call.id] for call in calls if call.id in data}
        named = {call.id: by_tool[call.name] for call in calls if call.name in by_tool}
        return await continued(self, run, checkpoint, {**data, **named})

    return patch.object(Agent, "_continued", continues)


@bug("INTERRUPT-02")
def saves_states_by_tool() -> AbstractContextManager[object]:
    """Saves the state of an interrupted call under its tool, so that the last state reaches all calls of the tool."""
    of = Checkpoint.of

    def saved(
        run: Run,
        state: State[AnyMessage],
        iteration: int,
        results: Any = None,
        states: Mapping[int, Json] | None = None,
    ) -> bytes:  # Any: passed on
        calls = state.messages[-1].tool_calls if states else ()
        by_tool = {calls[at].name: left for at, left in (states or {}).items()}
        return of(run, state, iteration, results, states and {at: by_tool[calls[at].name] for at in states})

    return patch.object(Checkpoint, "of", saved)


@bug("INTERRUPT-18")
def remembers_answers_to_interrupts() -> AbstractContextManager[object]:
    """Remembers the answers to interrupts with the agent: a second resumption receives those of the first."""
    continued = Agent._continued
    remembered: dict[Agent[AnyMessage], dict[str, Json]] = {}

    async def continues(self: Agent[AnyMessage], run: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        known = remembered.setdefault(self, {})
        for call, answer in data.items():
            known.setdefault(call, answer)
        return await continued(self, run, checkpoint, dict(known))

    return patch.object(Agent, "_continued", continues)


@bug("INTERRUPT-03")
def takes_a_falsy_answer_for_none() -> AbstractContextManager[object]:
    """Takes an empty or false answer of the caller to an interrupt for no answer."""
    answer = agents._answer

    def found(call: ToolCall, data: Mapping[str, Json]) -> Json:
        return answer(call, data) or None

    return patch.object(agents, "_answer", found)


@bug("INTERRUPT-03")
def answers_calls_whose_ids_begin_alike() -> AbstractContextManager[object]:
    """Finds the answer to an interrupt by the beginning of the call's id."""
    answer = agents._answer

    def found(call: ToolCall, data: Mapping[str, Json]) -> Json:
        alike = [value for key, value in data.items() if call.id.startswith(key)]
        return alike[0] if alike else answer(call, data)

    return patch.object(agents, "_answer", found)
