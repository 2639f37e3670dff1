"""Mutants about the before-model hook, and about what the hooks of a model call receive."""

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
Call = Callable[[AnyHandler, AnyState, ModelContext[AnyMessage]], Awaitable[AnyState]]


@dataclass
class _Before:
    """Calls a function in place of the before-model hook of a handler."""

    call: Callable[[AnyState, ModelContext[AnyMessage]], Awaitable[AnyState]]

    async def before_model(self, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        return await self.call(state, context)


def _preparing(handlers: Callable[[Run, AnyState, Handlers], Handlers]) -> AbstractContextManager[object]:
    """Patch which handlers prepare a model call, by the run and its state."""
    prepared = ModelCalls._prepared

    async def prepares(self: ModelCalls[AnyMessage], state: AnyState) -> AnyState:
        run = current_run.get()
        assert run is not None, "models are called by a run"
        other = copy(self)
        other._before = handlers(run, state, self._before)
        return await prepared(other, state)

    return patch.object(ModelCalls, "_prepared", prepares)


def _calling(call: Call) -> AbstractContextManager[object]:
    """Patch how each before-model hook is called."""
    return _preparing(
        lambda run, state, handlers: [cast("AnyHandler", _Before(partial(call, handler))) for handler in handlers]
    )


def _answers(state: AnyState) -> int:
    """Count the answers of the model in the conversation."""
    return sum(message.role == "assistant" for message in state.messages)


@mutant(
    "HOOK-BM-01",
    neighbors={
        "CTX-02": "the rule says what the next handler receives, and the next handler is another one",
        "ORDER-MODEL-02": "the rule gives the order of all hooks of a model call",
    },
)
def calls_before_model_hooks_in_reverse() -> AbstractContextManager[object]:
    """Calls the before-model hooks from the last handler to the first in a streaming run without tools."""
    return _preparing(lambda run, state, handlers: handlers[::-1] if run.streaming and not state.tools else handlers)


@mutant(
    "HOOK-BM-02",
    neighbors={
        "HOOK-WM-02": "the scenario has a hook before each of three model calls",
        "LOOP-20": "the runs make three model calls with a handler in every hook",
    },
)
def skips_the_before_model_hook_from_the_third_call_on() -> AbstractContextManager[object]:
    """Calls no before-model hooks from the third model call of a streaming run on."""
    return _preparing(lambda run, state, handlers: () if run.streaming and _answers(state) > 1 else handlers)


@mutant(
    "HOOK-BM-03",
    neighbors={
        "INTERRUPT-09": "a handler has replaced the conversation of one of the runs",
        "STATE-02": "the rule is about a replaced conversation",
        "STATE-12": "a hook has replaced the conversation of one of the runs",
    },
)
def restores_the_question_that_a_hook_removed() -> AbstractContextManager[object]:
    """Appends the last user message again when a before-model hook has replaced the whole conversation."""

    async def calls(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        left = await handler.before_model(state, context)
        asked = [message for message in state.messages if message.role == "user"]
        if not left.messages or any(message in state.messages for message in left.messages):
            return left
        return replace(left, messages=(*left.messages, *asked[-1:]))

    return _calling(calls)


@mutant("HOOK-BM-04")
def ignores_a_failed_before_model_hook() -> AbstractContextManager[object]:
    """Continues without a handler whose before-model hook fails before a later model call."""

    async def calls(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        try:
            return await handler.before_model(state, context)
        except ScriptedError:
            if _answers(state):
                return state
            raise

    return _calling(calls)


@mutant("HOOK-BM-05")
def ignores_a_crash_in_a_before_model_hook() -> AbstractContextManager[object]:
    """Continues without a handler whose before-model hook has crashed."""

    async def calls(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        try:
            return await handler.before_model(state, context)
        except ScriptedCrash:
            return state

    return _calling(calls)


@mutant("HOOK-BM-07")
def skips_the_before_model_hook_for_a_longer_conversation() -> AbstractContextManager[object]:
    """Calls no before-model hooks in a streaming run without tools if the conversation has more than two messages."""

    def handlers(run: Run, state: AnyState, known: Handlers) -> Handlers:
        return () if run.streaming and not state.tools and len(state.messages) > 2 else known

    return _preparing(handlers)


@mutant("HOOK-BM-08")
def passes_the_tools_to_the_first_hook_call_only() -> AbstractContextManager[object]:
    """Passes the tools to the before-model hooks only before the first model call."""

    async def calls(handler: AnyHandler, state: AnyState, context: ModelContext[AnyMessage]) -> AnyState:
        if not _answers(state):
            return await handler.before_model(state, context)
        left = await handler.before_model(replace(state, tools=()), context)
        return left if left.tools else replace(left, tools=state.tools)

    return _calling(calls)


@mutant("HOOK-BM-09")
def hides_the_retry_configuration_from_the_after_model_hook() -> AbstractContextManager[object]:
    """Passes no retry configuration to the after-model hook."""
    finished = ModelCalls._finished

    async def finishes(self: ModelCalls[AnyMessage], state: AnyState) -> AnyState:
        other = copy(self)
        other._retry = None
        return await finished(other, state)

    return patch.object(ModelCalls, "_finished", finishes)
