"""Mutants about middlewares of the older kind."""

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
    """Build agents with other legacy middlewares than they are given."""
    make = Agent.__init__

    def builds(self: Agent[AnyMessage], *, legacy: Legacies = (), **rest: Any) -> None:  # Any: handed on
        make(self, legacy=with_others(legacy), **rest)

    return patch.object(Agent, "__init__", builds)


@contextmanager
def _calling(before: Changed | None = None, after: Changed | None = None) -> Iterator[None]:
    """Call the functions before or after the model in another way."""
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
    """Lets each legacy middleware's instruction take the place of the one before it."""

    def last(legacies: Legacies) -> Legacies:
        speaking = [one for one in legacies if one.additional_instruction]
        return [one if one in speaking[-1:] else replace(one, additional_instruction="") for one in legacies]

    return _configured(last)


@mutant("LEGACY-02")
def takes_the_first_tools_only() -> AbstractContextManager[object]:
    """Takes the tools of the first legacy middleware only."""
    return _configured(lambda ones: [*ones[:1], *(replace(one, additional_tools=()) for one in ones[1:])])


@mutant("LEGACY-03")
def fails_only_after_all_of_them() -> AbstractContextManager[object]:
    """Calls the other legacy functions before the model, too, when one has failed."""

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
def overhears_failures_after_the_model() -> AbstractContextManager[object]:
    """Goes on when a legacy function after the model has failed: the answer is there, after all."""

    async def after(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        try:
            return await changed(state, hooks)
        except Exception:
            return state

    return _calling(after=after)


@mutant("LEGACY-05")
@contextmanager
def forgets_what_was_added_before() -> Iterator[None]:
    """Takes messages that a legacy function has added before the model out again after it."""
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
def leaves_the_last_word_to_handlers() -> AbstractContextManager[object]:
    """Goes on with the answer as the handlers have left it, whatever a legacy function has made of it."""

    async def after(state: State[AnyMessage], hooks: Hooks) -> State[AnyMessage]:
        new = await changed(state, hooks)
        return replace(new, messages=(*new.messages[:-1], *state.messages[-1:]))

    return _calling(after=after)


class _InvokedOnly(ToolMiddleware):
    """A tool wrapper for tools that are invoked."""

    def __init__(self, whole: ToolMiddleware) -> None:
        self._whole = whole

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        return self._whole.wrap_tool(endpoint, context)


@mutant("LEGACY-07", neighbors={"ORDER-TOOL-01": "it has an example with a tool that streams"})
def leaves_streaming_tools_unwrapped() -> AbstractContextManager[object]:
    """Lets the tool wrappers of legacy middlewares stand around tools that are invoked, and around no others."""
    return _configured(lambda ones: [replace(one, tools=_InvokedOnly(one.tools)) if one.tools else one for one in ones])


@mutant("LEGACY-08")
def trusts_them_with_any_messages() -> AbstractContextManager[object]:
    """Lets a legacy function have messages that it does not serve."""
    return patch.object(agents, "check", lambda legacy, message_type: None)


@mutant("LEGACY-09")
@contextmanager
def prefers_the_newer_kind() -> Iterator[None]:
    """Calls legacy functions after the model for the first answer only, when handlers have that hook, too."""
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
def refuses_an_empty_one() -> AbstractContextManager[object]:
    """Takes a legacy middleware in which everything is missing for a mistake."""

    def check(legacies: Legacies) -> Legacies:
        if LegacyMiddleware(additional_tools=[]) in legacies or LegacyMiddleware() in legacies:
            raise ConfigError("a legacy middleware does nothing")
        return legacies

    return _configured(check)
