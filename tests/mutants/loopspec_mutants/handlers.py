"""Mutants of a handler: handlers that are not well behaved."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec_reference.runs.run import current_run
from loopspec_reference_adapter import Reference

from .registry import mutant

M = ref.AnyMessage


def _testing(handler: type[ref.Handler[M]]) -> AbstractContextManager[object]:
    """Provide this handler as the one under test."""
    return patch.object(Reference, "handler", lambda self: handler())


def _with_note(state: ref.State[M]) -> ref.State[M]:
    return replace(state, messages=(*state.messages, ref.Message.user("(a note)")))


@mutant("HANDLER-01")
def changes_the_state_in_place() -> AbstractContextManager[object]:
    """Changes the last message of the state in place, not a copy of it."""

    class Marking(ref.Handler[M]):
        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            state.messages[-1].extra["seen"] = True  # type: ignore[index]  # the bug: the data of a message is read-only
            return state

    return _testing(Marking)


_NO_RUN = "the run fails, so that not all hooks are called"


@mutant("HANDLER-02", neighbors=dict.fromkeys(("HANDLER-01", "HANDLER-06", "HANDLER-07", "HANDLER-08"), _NO_RUN))
def returns_no_context() -> AbstractContextManager[object]:
    """Returns nothing from the before-agent hook in streaming runs of an agent with tools."""

    class Forgetting(ref.Handler[M]):
        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            run = current_run.get()
            if run is None or not run.streaming or not context.tools:
                return context
            return None  # type: ignore[return-value]  # the bug

    return _testing(Forgetting)


@mutant("HANDLER-03", neighbors={"HANDLER-16": "the second agent runs after the run of the first has ended"})
def changes_later_runs() -> AbstractContextManager[object]:
    """Appends a note in every run that begins after another run has ended."""

    class Counting(ref.Handler[M]):
        active = 0
        ended = False

        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            self.active += 1
            return context

        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            return _with_note(state) if self.ended else state

        async def after_agent(self, state: ref.State[M]) -> None:
            self.active -= 1
            self.ended = not self.active

    return _testing(Counting)


@mutant("HANDLER-04")
def shares_state_among_concurrent_runs() -> AbstractContextManager[object]:
    """Stores the state of a run in an attribute, which the next run reads."""

    class Keeping(ref.Handler[M]):
        running = False
        crowded = False

        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            self.crowded, self.running = self.running, True
            return context

        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            if not self.crowded:
                return state
            self.crowded = False
            return _with_note(state)

        async def after_agent(self, state: ref.State[M]) -> None:
            self.running = False

    return _testing(Keeping)


@mutant("HANDLER-05")
def changes_the_state_twice() -> AbstractContextManager[object]:
    """Appends a note when it receives the same state that it has returned before."""

    class Repeating(ref.Handler[M]):
        returned: ref.State[M] | None = None

        async def after_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            if state is self.returned:
                return _with_note(state)
            self.returned = state
            return state

    return _testing(Repeating)


_NOTE = "the note is a change of requests"


@mutant("HANDLER-06", neighbors={"HANDLER-07": _NOTE, "HANDLER-14": _NOTE})
def appends_a_note_once() -> AbstractContextManager[object]:
    """Appends a note to a conversation that has none."""

    class Adding(ref.Handler[M]):
        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            noted = any(message.text == "(a note)" for message in state.messages)
            return state if noted else _with_note(state)

    return _testing(Adding)
