"""Mutants about inserting the instructions only once."""

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


def _detecting(detected: Callable[[AnyMessage], bool]) -> AbstractContextManager[object]:
    """Patch which messages count as inserted instructions."""
    before_model = AgentsMD.before_model

    async def detects(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if any(map(detected, state.messages)):
            return state
        bare = replace(state, messages=tuple(_with_extra(m, {}) if _marked(m) else m for m in state.messages))
        correct = await before_model(self, bare, context)
        return state if correct is bare else correct

    return patch.object(AgentsMD, "before_model", detects)


@mutant("AMD-IDEMP-01")
def removes_other_marked_messages() -> AbstractContextManager[object]:
    """Removes marked messages from the conversation whose text is not a reminder."""
    before_model = AgentsMD.before_model

    async def removes(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        correct = await before_model(self, state, context)
        kept = (m for m in correct.messages if not _marked(m) or m.text.startswith("<system-reminder>"))
        return replace(correct, messages=tuple(kept))

    return patch.object(AgentsMD, "before_model", removes)


@mutant("AMD-IDEMP-02", neighbors={"AMD-CACHE-10": "the stored conversation also has a marked message"})
def loads_before_it_checks_the_marker() -> AbstractContextManager[object]:
    """Loads the files before it looks for a marked message."""
    before_model = AgentsMD.before_model

    async def loads(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if current_run.get():  # outside a run, no cache would prevent a second load
            await self._text()
        return await before_model(self, state, context)

    return patch.object(AgentsMD, "before_model", loads)


@mutant("AMD-IDEMP-03")
def checks_user_messages_only() -> AbstractContextManager[object]:
    """Looks for the marker on user messages only."""
    return _detecting(lambda message: _marked(message) and message.role == "user")


@mutant("AMD-IDEMP-04")
def checks_the_value_of_the_marker() -> AbstractContextManager[object]:
    """Checks the value of the marker: `extra.get(key)` for `key in extra`."""
    return _detecting(lambda message: bool(message.extra.get(MARKER)))


@mutant(
    "AMD-IDEMP-05",
    neighbors={"AMD-IDEMP-07": "without their markers, the stored instructions only look like instructions"},
)
def detects_instructions_by_the_opening_tag() -> AbstractContextManager[object]:
    """Takes a message that begins with the opening tag for the instructions."""
    return _detecting(lambda message: _marked(message) or message.text.startswith("<system-reminder>"))


@mutant("AMD-IDEMP-06")
def saves_no_extra_data() -> AbstractContextManager[object]:
    """Omits the extra data of messages when it saves the conversation of an interrupted run."""
    of = Checkpoint.of

    def saves(run: Run, state: State[AnyMessage], *rest: Any) -> bytes:  # Any: passed on
        bare = (_with_extra(message, {}) for message in state.messages)
        return of(run, replace(state, messages=tuple(bare)), *rest)

    return patch.object(Checkpoint, "of", saves)


@mutant(
    "AMD-IDEMP-08",
    neighbors={
        "AMD-CACHE-05": "instructions that a handler has removed are not inserted again",
        "AMD-CACHE-07": "instructions that a handler has removed are not inserted again",
    },
)
def skips_the_check_for_a_longer_conversation() -> AbstractContextManager[object]:
    """Does not look for the marker while the conversation becomes longer."""
    before_model = AgentsMD.before_model
    left: dict[Run | None, int] = {}

    async def skips(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        if run in left and len(state.messages) > left[run]:
            return state
        correct = await before_model(self, state, context)
        left[run] = len(correct.messages)
        return correct

    return patch.object(AgentsMD, "before_model", skips)


@mutant("AMD-IDEMP-09")
def loads_again_for_a_shorter_conversation() -> AbstractContextManager[object]:
    """Loads the files again when the conversation has become shorter."""
    before_model = AgentsMD.before_model
    left: dict[Run | None, int] = {}

    async def reloads(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        run = current_run.get()
        if run and len(state.messages) < left.get(run, 0):
            delete_run_local_value(self._cache_key)
        correct = await before_model(self, state, context)
        left[run] = len(correct.messages)
        return correct

    return patch.object(AgentsMD, "before_model", reloads)


@mutant("AMD-IDEMP-11")
def detects_its_own_marker_only() -> AbstractContextManager[object]:
    """Writes its list of files into the marker, and ignores a marker with other files."""
    before_model = AgentsMD.before_model

    async def marks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        own = list(self._config.files)
        others = [m for m in state.messages if isinstance(m.extra.get(MARKER), list) and m.extra[MARKER] != own]
        rest = replace(state, messages=tuple(m for m in state.messages if m not in others))
        correct = await before_model(self, rest, context)
        if correct is rest:
            return state
        own_marked = (_with_extra(m, {MARKER: own}) if _marked(m) else m for m in correct.messages)
        return replace(correct, messages=(*others, *own_marked))

    return patch.object(AgentsMD, "before_model", marks)


@mutant(
    "AMD-IDEMP-12",
    neighbors={
        "AMD-IDEMP-10": "the instructions are inserted again before the user message that is then the first",
        "AMD-ORDER-10": "the conversation is one message shorter between two calls",
    },
)
def removes_the_instructions_after_each_call() -> AbstractContextManager[object]:
    """Removes the instructions from the state after each model call, and inserts them again before the next one."""

    async def removes(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        return replace(state, messages=tuple(message for message in state.messages if not _marked(message)))

    return patch.object(AgentsMD, "after_model", removes)


@mutant(
    "AMD-IDEMP-13",
    neighbors={"AMD-I18N-05": "the run has three model calls, and the example compares the text in each"},
)
def checks_the_last_four_messages_only() -> AbstractContextManager[object]:
    """Looks for the marker in the last four messages only."""
    before_model = AgentsMD.before_model

    async def checks_last(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        head, tail = state.messages[:-4], state.messages[-4:]
        if not any(map(_marked, head)):
            return await before_model(self, state, context)
        correct = await before_model(self, replace(state, messages=tail), context)
        return replace(correct, messages=(*head, *correct.messages))

    return patch.object(AgentsMD, "before_model", checks_last)
