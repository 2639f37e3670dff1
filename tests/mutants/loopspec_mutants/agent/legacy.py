"""Mutants about legacy middlewares."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import ConfigError
from loopspec_reference.handlers.handler import State, ToolEndpoint, ToolMiddleware
from loopspec_reference.handlers.legacy import LegacyHook, LegacyMiddleware, changed
from loopspec_reference.loop import agents, model_calls
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.kinds import ToolContext
from loopspec_reference.values.messages import AnyMessage

from ..registry import mutant

Legacies = Sequence[LegacyMiddleware[AnyMessage]]
Hooks = Sequence[LegacyHook[AnyMessage]]
Changed = Callable[[State[AnyMessage], Hooks], Awaitable[State[AnyMessage]]]


def _configured(with_others: Callable[[Legacies], Legacies]) -> AbstractContextManager[object]:
    """Patch the legacy middlewares that agents are built with."""
    make = Agent.__init__

    def builds(self: Agent[AnyMessage], *, legacy: Legacies = (), **rest: Any) -> None:  # Any: passed on
        make(self, legacy=with_others(legacy), **rest)

    return patch.object(Agent, "__init__", builds)


@contextmanager
def _calling(before: Changed | None = None, after: Changed | None = None) -> Iterator[None]:
    """Patch how legacy before-model and after-model functions are called."""
    call = ModelCalls.call
    current: ContextVar[ModelCalls[AnyMessage]] = ContextVar("current")

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        current.set(self)
        return await call(self, run, state)

    async def changes(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        is_before = hooks is current.get()._legacy_before
        return await ((before if is_before else after) or changed)(state, hooks)

    with patch.object(model_calls, "changed", changes), patch.object(ModelCalls, "call", calls):
        yield


@mutant("LEGACY-01")
def appends_the_last_instruction_only() -> AbstractContextManager[object]:
    """Appends only the instruction of the last legacy middleware."""

    def last(legacies: Legacies) -> Legacies:
        speaking = [one for one in legacies if one.additional_instruction]
        return [one if one in speaking[-1:] else replace(one, additional_instruction="") for one in legacies]

    return _configured(last)


@mutant("LEGACY-02")
def adds_tools_of_the_first_middleware_only() -> AbstractContextManager[object]:
    """Adds only the tools of the first legacy middleware."""
    return _configured(lambda ones: [*ones[:1], *(replace(one, additional_tools=()) for one in ones[1:])])


@mutant("LEGACY-03")
def calls_legacy_functions_after_a_failed_one() -> AbstractContextManager[object]:
    """Calls the remaining legacy before-model functions when one has failed, and then fails."""

    async def before(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        failed = None
        for hook in hooks:
            try:
                state = await changed(state, [hook])
            except Exception as error:
                failed = failed or error
        if failed:
            raise failed
        return state

    return _calling(before=before)


@mutant("LEGACY-04")
def ignores_failures_of_after_model_functions() -> AbstractContextManager[object]:
    """Continues when a legacy after-model function has failed."""

    async def after(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        try:
            return await changed(state, hooks)
        except Exception:
            return state

    return _calling(after=after)


@mutant("LEGACY-05")
@contextmanager
def removes_messages_of_before_model_functions() -> Iterator[None]:
    """Removes the messages of legacy before-model functions after the model call."""
    finished = ModelCalls._finished
    added: list[AnyMessage] = []

    async def before(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        new = await changed(state, hooks)
        added.extend(message for message in new.messages if not any(message is one for one in state.messages))
        return new

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        kept = (message for message in state.messages if not any(message is one for one in added))
        return await finished(self, replace(state, messages=tuple(kept)))

    with _calling(before=before), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("LEGACY-06")
def drops_changes_of_after_model_functions() -> AbstractContextManager[object]:
    """Drops the changes of a legacy after-model function to the answer."""

    async def after(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        new = await changed(state, hooks)
        return replace(new, messages=(*new.messages[:-1], *state.messages[-1:]))

    return _calling(after=after)


class _InvokedOnly(ToolMiddleware):
    """A tool wrapper for invokable tools only."""

    def __init__(self, whole: ToolMiddleware) -> None:
        self._whole = whole

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        return self._whole.wrap_tool(endpoint, context)


@mutant("LEGACY-07", neighbors={"ORDER-TOOL-01": "one of the examples has a streamable tool"})
def wraps_invokable_tools_only() -> AbstractContextManager[object]:
    """Calls legacy tool wrappers for invokable tools only."""
    return _configured(lambda ones: [replace(one, tools=_InvokedOnly(one.tools)) if one.tools else one for one in ones])


@mutant("LEGACY-08")
def accepts_functions_for_other_messages() -> AbstractContextManager[object]:
    """Accepts a legacy function for a message type that the function does not support."""
    return patch.object(agents, "check", lambda legacy, message_type: None)


@mutant("LEGACY-09", neighbors={"ORDER-MODEL-01": "an example has a legacy middleware alongside handlers"})
@contextmanager
def skips_after_model_functions_alongside_handlers() -> Iterator[None]:
    """Calls legacy after-model functions for the first answer only if handlers have an after-model hook, too."""
    finished = ModelCalls._finished

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        legacy = self._legacy_after
        if self._after and any(message.tool_calls for message in state.messages[:-1]):
            self._legacy_after = []
        try:
            return await finished(self, state)
        finally:
            self._legacy_after = legacy

    with patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("LEGACY-10")
def rejects_an_empty_middleware() -> AbstractContextManager[object]:
    """Rejects a legacy middleware without any parts."""

    def check(legacies: Legacies) -> Legacies:
        if LegacyMiddleware(additional_tools=[]) in legacies or LegacyMiddleware() in legacies:
            raise ConfigError("a legacy middleware does nothing")
        return legacies

    return _configured(check)
