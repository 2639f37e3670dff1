"""Mutants about the AgentsMD middleware alongside a handler that summarizes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, ModelContext, State, get_run_local_value
from loopspec_reference.agentsmd import MARKER, AgentsMD
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant


@mutant("AMD-ORDER-06", neighbors={"AMD-IDEMP-09": "every call contains the same text, also after two summaries"})
def inserts_a_hint_after_a_summary() -> AbstractContextManager[object]:
    """Inserts a hint at the instructions, not the instructions, into a conversation that has become shorter."""
    before_model = AgentsMD.before_model
    left: dict[tuple[AgentsMD[AnyMessage], Run | None], int] = {}

    async def inserts_hint(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        correct = await before_model(self, state, context)
        if correct is not state and run and len(state.messages) < left.get((self, run), 0):
            hint = self._message_type.user("The instructions still apply.", {MARKER: True})
            correct = replace(state, messages=(hint, *state.messages))
        left[self, run] = len(correct.messages)
        return correct

    return patch.object(AgentsMD, "before_model", inserts_hint)


@mutant("AMD-ORDER-09")
def appends_removed_instructions() -> AbstractContextManager[object]:
    """Appends the instructions when they were removed from the conversation."""
    before_model = AgentsMD.before_model

    async def appends(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        again = current_run.get() and get_run_local_value(self._cache_key)[1]
        correct = await before_model(self, state, context)
        if correct is state or not again:
            return correct
        instructions = next(message for message in correct.messages if MARKER in message.extra)
        return replace(state, messages=(*state.messages, instructions))

    return patch.object(AgentsMD, "before_model", appends)
