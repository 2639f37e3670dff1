"""Mutants about the hook before the model, and about what the hooks around a model call are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import cast
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.contract.doubles import ScriptedCrash, ScriptedError
from loopspec_reference import AnyMessage, Handler, ModelContext, State
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant

AnyHandler = Handler[AnyMessage]
AnyState = State[AnyMessage]
Handlers = Sequence[AnyHandler]
Tell = Callable[[AnyHandler, AnyState, ModelContext[AnyMessage]], Awaitable[AnyState]]


@dataclass
class _Before:
    """Stands between a model call and a handler."""

    tell: Callable[[AnyState, ModelContext[AnyMessage]], Awaitable[AnyState]]

    async def before_model(self, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        return await self.tell(state, context)


def _preparing(handlers: Callable[[Run, AnyState, Handlers], Handlers]) -> AbstractContextManager[object]:
    """Prepare model calls with other handlers, by the run and its state."""
    prepared = ModelCalls._prepared

    async def prepares(self: ModelCalls[AnyMessage], state: AnyState) -> AnyState:
        run = current_run.get()
        assert run is not None, "models are called by a run"
        other = copy(self)
        other._before = handlers(run, state, self._before)
        return await prepared(other, state)

    return patch.object(ModelCalls, "_prepared", prepares)


def _telling(tell: Tell) -> AbstractContextManager[object]:
    """Tell each handler in another way that a model call is coming."""
    return _preparing(
        lambda run, state, handlers: [cast("AnyHandler", _Before(partial(tell, handler))) for handler in handlers]
    )


def _answers(state: AnyState) -> int:
    """How often the model has answered, by the conversation."""
    return sum(message.role == "assistant" for message in state.messages)


@mutant(
    "HOOK-BM-01",
    neighbors={
        "CTX-02": "it says what the next handler is given, and the next is another one",
        "ORDER-MODEL-02": "it says so of all hooks around a model call",
    },
)
def streams_from_behind() -> AbstractContextManager[object]:
    """Calls the handlers from the last to the first when it streams from a model that has no tools."""
    return _preparing(lambda run, state, handlers: handlers[::-1] if run.streaming and not state.tools else handlers)


@mutant(
    "HOOK-BM-02",
    neighbors={
        "HOOK-WM-02": "its scenario has a hook before each of three model calls",
        "LOOP-20": "its runs make three model calls with a handler in every hook",
    },
)
def gets_tired_of_handlers() -> AbstractContextManager[object]:
    """Does without handlers from the third model call on when the run streams."""
    return _preparing(lambda run, state, handlers: () if run.streaming and _answers(state) > 1 else handlers)


@mutant(
    "HOOK-BM-03",
    neighbors={
        "INTERRUPT-09": "a handler has replaced the conversation of one of its runs",
        "STATE-02": "it is about a conversation that was replaced, too",
        "STATE-12": "a hook has replaced the conversation of one of its runs",
    },
)
def insists_on_the_question() -> AbstractContextManager[object]:
    """Puts the last user message back when a handler has left nothing of the conversation."""

    async def tells(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        left = await handler.before_model(state, context)
        asked = [message for message in state.messages if message.role == "user"]
        if not left.messages or any(message in state.messages for message in left.messages):
            return left
        return replace(left, messages=(*left.messages, *asked[-1:]))

    return _telling(tells)


@mutant("HOOK-BM-04")
def does_without_a_handler_that_fails() -> AbstractContextManager[object]:
    """Goes on without a handler that fails before a later model call."""

    async def tells(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        try:
            return await handler.before_model(state, context)
        except ScriptedError:
            if _answers(state):
                return state
            raise

    return _telling(tells)


@mutant("HOOK-BM-05")
def does_without_a_handler_that_breaks_later() -> AbstractContextManager[object]:
    """Goes on without a handler whose hook before model has failed in a way that nobody foresaw."""

    async def tells(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        try:
            return await handler.before_model(state, context)
        except ScriptedCrash:
            return state

    return _telling(tells)


@mutant("HOOK-BM-07")
def streams_without_detours() -> AbstractContextManager[object]:
    """Streams a longer conversation straight to a model that has no tools."""

    def handlers(run: Run, state: AnyState, known: Handlers) -> Handlers:
        return () if run.streaming and not state.tools and len(state.messages) > 2 else known

    return _preparing(handlers)


@mutant("HOOK-BM-08")
def shows_the_tools_once() -> AbstractContextManager[object]:
    """Shows handlers the tools before the first model call only."""

    async def tells(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        if not _answers(state):
            return await handler.before_model(state, context)
        left = await handler.before_model(replace(state, tools=()), context)
        return left if left.tools else replace(left, tools=state.tools)

    return _telling(tells)


@mutant("HOOK-BM-09")
def forgets_the_retries_after_the_call() -> AbstractContextManager[object]:
    """Tells the hook after model nothing of the retry configuration."""
    finished = ModelCalls._finished

    async def finishes(self: ModelCalls[AnyMessage], state: AnyState) -> AnyState:
        other = copy(self)
        other._retry = None
        return await finished(other, state)

    return patch.object(ModelCalls, "_finished", finishes)
