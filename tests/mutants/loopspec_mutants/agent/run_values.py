"""Mutants about run-local values.

Most of them patch the functions that handlers call, not the run: the values of the reference's handlers are unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

import loopspec_reference as ref
from loopspec_reference import Agent, AnyMessage, Json, OutsideRunError, State, UnregisteredTypeError
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import checkpoints
from loopspec_reference.runs import run as runs
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.runs.run_values import unpacked as unpack

from ..registry import mutant

Found = tuple[Json, bool]
Messages = ModelCalls[AnyMessage]


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


@mutant(
    "RUNLOCAL-01",
    neighbors={
        "RUNLOCAL-11": "a value that is set before the first of two model calls is read after the second",
        "RUNLOCAL-12": "a value that is set before the first of two model calls is read after the second",
    },
)
@contextmanager
def drops_values_at_the_next_model_call() -> Iterator[None]:
    """Drops a value that a hook of a model call has set when the next model call begins."""
    call = Messages.call
    calls: Counter[Run] = Counter()
    within: ContextVar[bool] = ContextVar("within", default=False)
    kept: dict[tuple[Run, str], int] = {}

    async def counts(self: Messages, run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        calls[run] += 1
        token = within.set(True)
        try:
            return await call(self, run, state)
        finally:
            within.reset(token)

    def sets(key: str, value: Json) -> None:
        runs.set_run_local_value(key, value)
        if within.get():
            kept[_run(), key] = calls[_run()]

    def reads(key: str) -> Found:
        if kept.get((_run(), key), calls[_run()]) < calls[_run()]:
            return None, False
        return runs.get_run_local_value(key)

    with patch.object(ModelCalls, "call", counts), _setting(sets), _reading(reads):
        yield


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


@mutant("RUNLOCAL-03", neighbors={"RUNLOCAL-14": "a value that is deleted before the interrupt is read after it"})
@contextmanager
def raises_for_unknown_keys() -> Iterator[None]:
    """Raises an error for a key that was never set if the run has other values."""
    used: set[str] = set()

    def sets(key: str, value: Json) -> None:
        used.add(key)
        runs.set_run_local_value(key, value)

    def reads(key: str) -> Found:
        if _run().local and key not in used and key not in _run().local:
            raise KeyError(key)
        return runs.get_run_local_value(key)

    with _setting(sets), _reading(reads):
        yield


@mutant(
    "RUNLOCAL-04",
    neighbors={
        "RUNLOCAL-08": "the example also deletes a value",
        "RUNLOCAL-14": "the example also deletes a value",
    },
)
def deletes_by_setting_null() -> AbstractContextManager[object]:
    """Sets a value to null in place of deleting it."""

    def deletes(key: str) -> None:
        if key in _run().local:
            runs.set_run_local_value(key, None)

    return _deleting(deletes)


@mutant("RUNLOCAL-05")
def raises_when_it_deletes_a_missing_value() -> AbstractContextManager[object]:
    """Raises an error when a missing value is deleted."""

    def deletes(key: str) -> None:
        del _run().local[key]

    return _deleting(deletes)


@mutant("RUNLOCAL-06")
def does_not_overwrite_a_value() -> AbstractContextManager[object]:
    """Sets a value only if the key has none: `setdefault`."""

    def sets(key: str, value: Json) -> None:
        if key not in _run().local:
            runs.set_run_local_value(key, value)

    return _setting(sets)


@mutant("RUNLOCAL-16", neighbors={"RUNLOCAL-14": "one of the values is null"})
def takes_null_for_a_missing_value() -> AbstractContextManager[object]:
    """Reports a value of null as missing: `get(key) is not None`."""

    def reads(key: str) -> Found:
        value, _ = runs.get_run_local_value(key)
        return value, value is not None

    return _reading(reads)


@mutant("RUNLOCAL-07")
def reads_no_value_outside_a_run_without_an_error() -> AbstractContextManager[object]:
    """Reads no value outside a run, without an error."""
    return _reading(lambda key: runs.get_run_local_value(key) if current_run.get() else (None, False))


def _rejecting(method: str) -> AbstractContextManager[object]:
    """Reject values during a part of the run."""
    part = getattr(Agent, method)
    over: ContextVar[bool] = ContextVar("over", default=False)

    async def runs_part(self: Agent[AnyMessage], *arguments: Any) -> Any:  # Any: passed on
        token = over.set(True)
        try:
            return await part(self, *arguments)
        finally:
            over.reset(token)

    def sets(key: str, value: Json) -> None:
        if over.get():
            raise OutsideRunError("the agent is not running")
        runs.set_run_local_value(key, value)

    @contextmanager
    def both() -> Iterator[None]:
        with patch.object(Agent, method, runs_part), _setting(sets):
            yield

    return both()


@mutant("RUNLOCAL-08")
def rejects_values_of_after_agent_hooks() -> AbstractContextManager[object]:
    """Raises an error when an after-agent hook sets a value, as if the run had ended."""
    return _rejecting("_end")


@mutant("RUNLOCAL-15")
def rejects_values_of_before_agent_hooks() -> AbstractContextManager[object]:
    """Raises an error when a before-agent hook sets a value, as if the run had not begun."""
    return _rejecting("_begin")


@mutant("RUNLOCAL-09")
@contextmanager
def begins_with_the_values_of_the_previous_run() -> Iterator[None]:
    """Reads values that the previous successful run of the agent has set."""
    end = Agent._end
    left: dict[str, Mapping[str, Json]] = {}

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        left[run.agent] = dict(run.local)
        return answer

    def reads(key: str) -> Found:
        before = left.get(_run().agent, {})
        return runs.get_run_local_value(key) if key in _run().local else (before.get(key), key in before)

    with patch.object(Agent, "_end", ends), _reading(reads):
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


@mutant(
    "RUNLOCAL-11",
    neighbors={
        "AMD-CACHE-14": "agent and sub-agent have the same middleware, which sets a value",
    },
)
def shares_values_with_sub_agents() -> AbstractContextManager[object]:
    """Shares one store between an agent and its sub-agents."""
    part_of = Agent._sub_run

    def part(self: Agent[AnyMessage], parent: Run, *rest: Any) -> Run:  # Any: passed on
        run = part_of(self, parent, *rest)
        run.local = parent.local
        return run

    return patch.object(Agent, "_sub_run", part)


@mutant("RUNLOCAL-12")
@contextmanager
def loses_values_around_streaming_tool_calls() -> Iterator[None]:
    """Reads no values during a tool call of a streaming run."""
    active: ContextVar[dict[str, Json] | None] = ContextVar("active", default=None)

    def reads(key: str) -> Found:
        lost = _run().streaming and active.get() is not None
        return (None, False) if lost else runs.get_run_local_value(key)

    with _around_tools(active), _reading(reads):
        yield


@mutant("RUNLOCAL-13")
def restores_registered_types_as_json() -> AbstractContextManager[object]:
    """Restores a value of a registered type from a checkpoint as plain JSON."""

    def unpacked(value: Json) -> Json:
        if isinstance(value, list) and value[0] is not None:
            return value[1]
        return unpack(value)

    return patch.object(checkpoints, "unpacked", unpacked)


@mutant(
    "RUNLOCAL-14",
    neighbors={
        "AMD-CACHE-11": "the value that the middleware sets is a text",
    },
)
@contextmanager
def restores_no_texts() -> Iterator[None]:
    """Restores only the run-local values from a checkpoint that are not texts."""
    values = Checkpoint.values

    def without_texts(self: Checkpoint) -> tuple[dict[str, Json], dict[str, Json]]:
        local, session = values(self)
        return {key: value for key, value in local.items() if not isinstance(value, str)}, session

    with patch.object(Checkpoint, "values", without_texts):
        yield


@mutant("RUNLOCAL-17")
def accepts_values_of_unregistered_types() -> AbstractContextManager[object]:
    """Accepts values of types that a checkpoint cannot store."""

    def sets(key: str, value: Json) -> None:
        try:
            runs.set_run_local_value(key, value)
        except UnregisteredTypeError:
            _run().local[key] = value

    return _setting(sets)
