"""Mutants about standing beside a handler that summarises."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, ModelContext, State, get_run_local_value
from loopspec_reference.agentsmd import MARKER, AgentsMD
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant


@mutant("AMD-ORDER-06", neighbors={"AMD-IDEMP-09": "it wants the one text in every call, after two summaries, too"})
def refers_to_what_has_been_summarised() -> AbstractContextManager[object]:
    """Puts back, into a conversation that has become shorter, a hint at the instructions in their place."""
    before_model = AgentsMD.before_model
    left: dict[tuple[AgentsMD[AnyMessage], Run | None], int] = {}

    async def refers(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        right = await before_model(self, state, context)
        if right is not state and run and len(state.messages) < left.get((self, run), 0):
            hint = self._message_type.user("The instructions still hold.", {MARKER: True})
            right = replace(state, messages=(hint, *state.messages))
        left[self, run] = len(right.messages)
        return right

    return patch.object(AgentsMD, "before_model", refers)


@mutant("AMD-ORDER-09")
def puts_the_instructions_back_at_the_end() -> AbstractContextManager[object]:
    """Appends its message when it has been in the conversation before."""
    before_model = AgentsMD.before_model

    async def appends(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        again = current_run.get() and get_run_local_value(self._cache_key)[1]
        right = await before_model(self, state, context)
        if right is state or not again:
            return right
        instructions = next(message for message in right.messages if MARKER in message.extra)
        return replace(state, messages=(*state.messages, instructions))

    return patch.object(AgentsMD, "before_model", appends)
