"""Mutants about run-local values.

Most of them patch the functions that handlers call, not the run: the values of the reference's handlers are unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

import loopspec_reference as ref
from loopspec_reference import Agent, AnyMessage, Json, OutsideRunError
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import run as runs
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant

Found = tuple[Json, bool]


def _setting(set_value: Callable[[str, Json], None]) -> AbstractContextManager[object]:
    """Patch how run-local values are set."""
    return patch.object(ref, "set_run_local_value", set_value)


def _reading(read: Callable[[str], Found]) -> AbstractContextManager[object]:
    """Patch how run-local values are read."""
    return patch.object(ref, "get_run_local_value", read)


def _deleting(delete: Callable[[str], None]) -> AbstractContextManager[object]:
    """Patch how run-local values are deleted."""
    return patch.object(ref, "delete_run_local_value", delete)


def _run() -> Run:
    run = current_run.get()
    if run is None:
        raise OutsideRunError("no run is active")
    return run


@contextmanager
def _around_tools(where: ContextVar[dict[str, Json] | None]) -> Iterator[None]:
    """Set the context variable during a tool call."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *arguments: Any) -> AnyMessage:  # Any: passed on
        token = where.set({})
        try:
            return await call(self, *arguments)
        finally:
            where.reset(token)

    with patch.object(ToolCalls, "call", calls):
        yield


@mutant("RUNLOCAL-02")
@contextmanager
def isolates_values_of_tool_calls() -> Iterator[None]:
    """Stores the values that a tool wrapper sets for that tool call only."""
    own: ContextVar[dict[str, Json] | None] = ContextVar("own", default=None)

    def sets(key: str, value: Json) -> None:
        store = own.get()
        if store is None:
            runs.set_run_local_value(key, value)
        else:
            store[key] = value

    def reads(key: str) -> Found:
        store = own.get() or {}
        return (store[key], True) if key in store else runs.get_run_local_value(key)

    def deletes(key: str) -> None:
        (own.get() or {}).pop(key, None)
        runs.delete_run_local_value(key)

    with _around_tools(own), _setting(sets), _reading(reads), _deleting(deletes):
        yield


@mutant("RUNLOCAL-10")
@contextmanager
def shares_values_among_concurrent_runs() -> Iterator[None]:
    """Shares one store among the concurrent runs of an agent."""
    fresh = Agent._fresh
    present: Counter[str] = Counter()
    shared: dict[str, dict[str, Json]] = {}

    async def begins(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        if not present[run.agent]:
            shared[run.agent] = {}
        present[run.agent] += 1
        try:
            return await fresh(self, run, *rest)
        finally:
            present[run.agent] -= 1

    def sets(key: str, value: Json) -> None:
        runs.set_run_local_value(key, value)
        shared.get(_run().agent, {})[key] = value

    def reads(key: str) -> Found:
        store = {**shared.get(_run().agent, {}), **_run().local}
        return store.get(key), key in store

    def deletes(key: str) -> None:
        shared.get(_run().agent, {}).pop(key, None)
        runs.delete_run_local_value(key)

    with patch.object(Agent, "_fresh", begins), _setting(sets), _reading(reads), _deleting(deletes):
        yield
