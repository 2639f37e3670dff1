"""Realistic bugs about hooks and what they change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec_reference import AgentContext, AnyMessage, ModelRequest, State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.plugins import stack
from loopspec_reference.plugins.state import OwnState
from loopspec_reference.runs import run as runs
from loopspec_reference.runs.run import Run

from ..agent.before import AnyAgent, AnyHandler, calling
from ..registry import bug


@bug("LOOP-07")
def calls_tools_one_by_one_for_a_hook() -> AbstractContextManager[object]:
    """Runs tool calls one after the other if a handler has an after-model hook."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], *rest: Any) -> Any:  # Any: passed on
        if not self._models._after:
            return await act(self, *rest)
        with patch.object(self, "_parallel", False):
            return await act(self, *rest)

    return patch.object(Agent, "_act", acts)


@bug("HOOK-BA-10")
def loses_the_tool_search_with_other_tools() -> AbstractContextManager[object]:
    """Sends no tool search with a list of tools that a before-model hook has changed."""
    call, answered = ModelCalls.call, ModelCalls._answered

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        before.append(tuple(state.tools))
        try:
            return await call(self, run, state)
        finally:
            before.pop()

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Any:
        if tuple(request.tools) != before[-1]:
            request = replace(request, tool_search=None)
        return await answered(self, run, request)

    before: list[tuple[object, ...]] = []
    return patch.multiple(ModelCalls, call=calls, _answered=answers)


@bug("HOOK-BA-10")
def loses_the_tool_search_of_an_earlier_hook() -> AbstractContextManager[object]:
    """Takes the tool search from the last before-agent hook that changes anything."""

    async def calls(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        returned = await handler.before_agent(context)
        if returned == context or returned.tool_search != context.tool_search:
            return returned
        return replace(returned, tool_search=None)

    return calling(calls)


@bug("HOOK-BM-03")
def drops_deferred_tools_with_other_tools() -> AbstractContextManager[object]:
    """Drops the deferred tools when a later before-model hook changes the tools."""
    prepared = ModelCalls._prepared

    async def prepares(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        for legacy, handlers in ((self._legacy_before, ()), *(([], (handler,)) for handler in self._before)):
            with patch.multiple(self, _before=handlers, _legacy_before=legacy):
                found = await prepared(self, state)
            if state.deferred_tools and found.tools != state.tools:
                found = replace(found, deferred_tools=())
            state = found
        return state

    return patch.object(ModelCalls, "_prepared", prepares)


@contextmanager
def _reading_old_states(part: str) -> Iterator[None]:
    """Read the states inside a part of the stack as they were when the run began."""
    begin, read, wrapped = Agent._begin, OwnState.read, getattr(stack, part)
    first: dict[Run, Any] = {}  # Any: the session of the run
    inside: ContextVar[bool] = ContextVar("inside", default=False)

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:
        first[run] = dict(run.session)
        return await begin(self, run)

    def reads(self: OwnState, run: Run) -> Any:
        if not inside.get():
            return read(self, run)
        now, run.session = run.session, first[run]
        try:
            return read(self, run)
        finally:
            run.session = now

    async def wraps(*rest: Any) -> Any:  # Any: passed on
        token = inside.set(True)
        try:
            return await wrapped(*rest)
        finally:
            inside.reset(token)

    with patch.object(Agent, "_begin", begins), patch.object(OwnState, "read", reads), patch.object(stack, part, wraps):
        yield


@bug("XP-STATE-01")
def shows_tool_wrappers_the_state_of_the_start() -> AbstractContextManager[object]:
    """Passes each tool wrapper of a middleware the state as it was when the run began."""
    return _reading_old_states("wrapped_tool_call")


@bug("XP-STATE-01")
def shows_model_wrappers_the_state_of_the_start() -> AbstractContextManager[object]:
    """Passes each model wrapper of a middleware the state as it was when the run began."""
    return _reading_old_states("wrapped_model_call")


@bug("XP-BEST-04")
def drops_falsy_values_of_an_update() -> AbstractContextManager[object]:
    """Leaves a field as it is if its new value is false, zero or empty: `if value`."""
    checked = OwnState.checked

    def kept(self: OwnState, update: Any, by: str) -> dict[str, Any]:
        return {key: value for key, value in checked(self, update, by).items() if value}

    return patch.object(OwnState, "checked", kept)


@bug("RUNLOCAL-01")
def takes_falsy_run_local_values_for_missing() -> AbstractContextManager[object]:
    """Reads a run-local value that is false, zero or empty as missing, except null: `if value`."""

    def reads(key: str) -> tuple[Any, bool]:
        value, found = runs.get_run_local_value(key)
        return value, found and (value is None or bool(value))

    return patch.object(ref, "get_run_local_value", reads)


@bug("CTX-08")
def takes_an_empty_session_value_for_missing() -> AbstractContextManager[object]:
    """Reads an empty session value as missing: `if value`."""

    def reads(key: str) -> tuple[Any, bool]:
        value, found = runs.get_session_value(key)
        return value, found and bool(value)

    return patch.object(ref, "get_session_value", reads)


@bug("XP-STATE-01")
def applies_commands_after_the_step() -> AbstractContextManager[object]:
    """Applies the state of a tool's command at the next model call, and not before the next call of the answer."""
    write = OwnState.write

    def writes(self: OwnState, run: Run, found: Any, by: str) -> None:
        if "command" in by:
            late.append((self, run, found, by))
        else:
            write(self, run, found, by)

    async def acts(self: Agent[AnyMessage], *rest: Any) -> Any:  # Any: passed on
        try:
            return await act(self, *rest)
        finally:
            while late:
                write(*late.pop(0))

    late: list[Any] = []
    act = Agent._act

    @contextmanager
    def both() -> Iterator[None]:
        with patch.object(OwnState, "write", writes), patch.object(Agent, "_act", acts):
            yield

    return both()
