"""Mutants about never inserting twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from loopspec_reference import AnyMessage, Checkpoint, ModelContext, State, delete_run_local_value
from loopspec_reference.agentsmd import MARKER, AgentsMD
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant


def _marked(message: AnyMessage) -> bool:
    return MARKER in message.extra


def _with_extra(message: AnyMessage, extra: dict[str, object]) -> AnyMessage:
    assert isinstance(message, msgspec.Struct)
    return replace(message, extra=extra)


def _heeds(heeded: Callable[[AnyMessage], bool]) -> AbstractContextManager[object]:
    """Heed other messages than those that are marked."""
    before_model = AgentsMD.before_model

    async def looks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if any(map(heeded, state.messages)):
            return state
        bare = replace(state, messages=tuple(_with_extra(m, {}) if _marked(m) else m for m in state.messages))
        right = await before_model(self, bare, context)
        return state if right is bare else right

    return patch.object(AgentsMD, "before_model", looks)


@mutant("AMD-IDEMP-01")
def throws_out_what_is_no_reminder() -> AbstractContextManager[object]:
    """Takes marked messages out of the conversation whose text is no reminder."""
    before_model = AgentsMD.before_model

    async def throws_out(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        right = await before_model(self, state, context)
        kept = (m for m in right.messages if not _marked(m) or m.text.startswith("<system-reminder>"))
        return replace(right, messages=tuple(kept))

    return patch.object(AgentsMD, "before_model", throws_out)


@mutant("AMD-IDEMP-02", neighbors={"AMD-CACHE-10": "the stored conversation has a marked message, too"})
def loads_before_it_looks() -> AbstractContextManager[object]:
    """Loads the files before it looks for a marked message."""
    before_model = AgentsMD.before_model

    async def loads(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if current_run.get():  # elsewhere there is no cache that would spare the second load
            await self._text()
        return await before_model(self, state, context)

    return patch.object(AgentsMD, "before_model", loads)


@mutant("AMD-IDEMP-03")
def heeds_marks_of_user_messages_only() -> AbstractContextManager[object]:
    """Looks for the mark on user messages only."""
    return _heeds(lambda message: _marked(message) and message.role == "user")


@mutant("AMD-IDEMP-04")
def wants_a_true_mark() -> AbstractContextManager[object]:
    """Asks for the value of the mark: `extra.get(key)` for `key in extra`."""
    return _heeds(lambda message: bool(message.extra.get(MARKER)))


@mutant(
    "AMD-IDEMP-05",
    neighbors={"AMD-IDEMP-07": "without their marks, the stored instructions are words that look like instructions"},
)
def goes_by_the_opening_tag() -> AbstractContextManager[object]:
    """Takes a message that begins with the opening tag for its own."""
    return _heeds(lambda message: _marked(message) or message.text.startswith("<system-reminder>"))


@mutant("AMD-IDEMP-06")
def saves_no_extra_data() -> AbstractContextManager[object]:
    """Leaves the extra data out when it saves the conversation of an interrupted run."""
    of = Checkpoint.of

    def saves(run: Run, state: State[AnyMessage], *rest: Any) -> bytes:  # Any: handed on
        bare = (_with_extra(message, {}) for message in state.messages)
        return of(run, replace(state, messages=tuple(bare)), *rest)

    return patch.object(Checkpoint, "of", saves)


@mutant(
    "AMD-IDEMP-08",
    neighbors={
        "AMD-CACHE-05": "the instructions that a handler removes are not put back",
        "AMD-CACHE-07": "likewise",
    },
)
def trusts_a_growing_conversation() -> AbstractContextManager[object]:
    """Does not look again as long as the conversation has grown since it looked."""
    before_model = AgentsMD.before_model
    left: dict[Run | None, int] = {}

    async def trusts(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        if run in left and len(state.messages) > left[run]:
            return state
        right = await before_model(self, state, context)
        left[run] = len(right.messages)
        return right

    return patch.object(AgentsMD, "before_model", trusts)


@mutant("AMD-IDEMP-09")
def takes_a_shortened_conversation_for_a_new_one() -> AbstractContextManager[object]:
    """Loads anew when the conversation has become shorter."""
    before_model = AgentsMD.before_model
    left: dict[Run | None, int] = {}

    async def forgets(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        if run and len(state.messages) < left.get(run, 0):
            delete_run_local_value(self._cache_key)
        right = await before_model(self, state, context)
        left[run] = len(right.messages)
        return right

    return patch.object(AgentsMD, "before_model", forgets)


@mutant("AMD-IDEMP-11")
def heeds_its_own_mark_only() -> AbstractContextManager[object]:
    """Writes its files into the mark, and does not heed a mark with other files in it."""
    before_model = AgentsMD.before_model

    async def marks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        own = list(self._config.files)
        others = [m for m in state.messages if isinstance(m.extra.get(MARKER), list) and m.extra[MARKER] != own]
        rest = replace(state, messages=tuple(m for m in state.messages if m not in others))
        right = await before_model(self, rest, context)
        if right is rest:
            return state
        signed = (_with_extra(m, {MARKER: own}) if _marked(m) else m for m in right.messages)
        return replace(right, messages=(*others, *signed))

    return patch.object(AgentsMD, "before_model", marks)


@mutant(
    "AMD-IDEMP-12",
    neighbors={
        "AMD-IDEMP-10": "put back before each call, the instructions stand before whatever is first by then",
        "AMD-ORDER-10": "between two calls the conversation is a message shorter for handlers that count",
    },
)
def takes_the_instructions_out_after_each_call() -> AbstractContextManager[object]:
    """Takes its message out of the state after each model call, and puts it back before the next one."""

    async def takes_out(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        return replace(state, messages=tuple(message for message in state.messages if not _marked(message)))

    return patch.object(AgentsMD, "after_model", takes_out)


@mutant(
    "AMD-IDEMP-13",
    neighbors={"AMD-I18N-05": "its run has three model calls, and it compares the one text in each"},
)
def looks_for_the_mark_in_the_last_four_messages() -> AbstractContextManager[object]:
    """Overlooks a mark that has more than three messages behind it."""
    before_model = AgentsMD.before_model

    async def overlooks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        head, tail = state.messages[:-4], state.messages[-4:]
        if not any(map(_marked, head)):
            return await before_model(self, state, context)
        right = await before_model(self, replace(state, messages=tail), context)
        return replace(right, messages=(*head, *right.messages))

    return patch.object(AgentsMD, "before_model", overlooks)
