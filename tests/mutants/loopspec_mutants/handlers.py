"""Handlers that are not well behaved."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec.targets.reference import Reference
from loopspec_reference.runs.run import current_run

from .registry import mutant

M = ref.AnyMessage


def _instead(handler: type[ref.Handler[M]]) -> AbstractContextManager[object]:
    """Offer this handler as the one under test."""
    return patch.object(Reference, "handler", lambda self: handler())


def _with_note(state: ref.State[M]) -> ref.State[M]:
    return replace(state, messages=(*state.messages, ref.Message.user("(a note)")))


@mutant("HANDLER-01")
def changes_its_state_in_place() -> AbstractContextManager[object]:
    """Marks the last message it is given instead of a copy of it."""

    class Marking(ref.Handler[M]):
        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            state.messages[-1].extra["seen"] = True  # type: ignore[index]  # the bug: it is not meant to be changed
            return state

    return _instead(Marking)


_NO_RUN = "nothing comes of the run, so not all hooks are called"


@mutant("HANDLER-02", neighbors={"HANDLER-01": _NO_RUN, "HANDLER-06": _NO_RUN})
def forgets_to_return() -> AbstractContextManager[object]:
    """Changes the context before the agent and does not return it, in streaming runs."""

    class Forgetting(ref.Handler[M]):
        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            run = current_run.get()
            if run is None or not run.streaming:
                return context
            return None  # type: ignore[return-value]  # the bug

    return _instead(Forgetting)


@mutant("HANDLER-03")
def counts_its_runs() -> AbstractContextManager[object]:
    """Adds a note in every run that begins after another has ended."""

    class Counting(ref.Handler[M]):
        going_on = 0
        ended = False

        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            self.going_on += 1
            return context

        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            return _with_note(state) if self.ended else state

        async def after_agent(self, state: ref.State[M]) -> None:
            self.going_on -= 1
            self.ended = not self.going_on

    return _instead(Counting)


@mutant("HANDLER-04")
def keeps_the_run_in_itself() -> AbstractContextManager[object]:
    """Keeps what belongs to a run in an attribute, where the next run that begins finds it."""

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

    return _instead(Keeping)


@mutant("HANDLER-05")
def is_not_as_idempotent_as_it_claims() -> AbstractContextManager[object]:
    """Adds a note when it meets the very state that it has returned."""

    class Repeating(ref.Handler[M]):
        returned: ref.State[M] | None = None

        async def after_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            if state is self.returned:
                return _with_note(state)
            self.returned = state
            return state

    return _instead(Repeating)


@mutant("HANDLER-06")
def is_not_the_no_op_it_claims() -> AbstractContextManager[object]:
    """Adds a note to a conversation that has none."""

    class Adding(ref.Handler[M]):
        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            noted = any(message.text == "(a note)" for message in state.messages)
            return state if noted else _with_note(state)

    return _instead(Adding)
