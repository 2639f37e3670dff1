"""Mutants about values kept for a run.

Most lie in what handlers call, not in the run itself: what the reference's own handlers keep is left alone.
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


def _keeping(keep: Callable[[str, Json], None]) -> AbstractContextManager[object]:
    """Keep values in another way."""
    return patch.object(ref, "set_run_local_value", keep)


def _finding(find: Callable[[str], Found]) -> AbstractContextManager[object]:
    """Look values up in another way."""
    return patch.object(ref, "get_run_local_value", find)


def _forgetting(forget: Callable[[str], None]) -> AbstractContextManager[object]:
    """Forget values in another way."""
    return patch.object(ref, "delete_run_local_value", forget)


def _run() -> Run:
    run = current_run.get()
    if run is None:
        raise OutsideRunError("there is no run")
    return run


@mutant(
    "RUNLOCAL-01",
    neighbors={
        "RUNLOCAL-11": "what is kept before the first of two model calls is looked up after the second",
        "RUNLOCAL-12": "what is kept before the first of two model calls is looked up after the second",
    },
)
@contextmanager
def keeps_values_for_one_model_call() -> Iterator[None]:
    """Finds what a hook around a model call has kept until the next model call only."""
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

    def keeps(key: str, value: Json) -> None:
        runs.set_run_local_value(key, value)
        if within.get():
            kept[_run(), key] = calls[_run()]

    def finds(key: str) -> Found:
        if kept.get((_run(), key), calls[_run()]) < calls[_run()]:
            return None, False
        return runs.get_run_local_value(key)

    with patch.object(ModelCalls, "call", counts), _keeping(keeps), _finding(finds):
        yield


@contextmanager
def _around_tools(where: ContextVar[dict[str, Json] | None]) -> Iterator[None]:
    """Let it be known whether a tool call is going on."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *arguments: Any) -> AnyMessage:  # Any: handed on
        token = where.set({})
        try:
            return await call(self, *arguments)
        finally:
            where.reset(token)

    with patch.object(ToolCalls, "call", calls):
        yield


@mutant("RUNLOCAL-02")
@contextmanager
def keeps_values_of_tool_calls_apart() -> Iterator[None]:
    """Keeps what is kept around a tool call for that tool call."""
    own: ContextVar[dict[str, Json] | None] = ContextVar("own", default=None)

    def keeps(key: str, value: Json) -> None:
        store = own.get()
        if store is None:
            runs.set_run_local_value(key, value)
        else:
            store[key] = value

    def finds(key: str) -> Found:
        store = own.get() or {}
        return (store[key], True) if key in store else runs.get_run_local_value(key)

    def forgets(key: str) -> None:
        (own.get() or {}).pop(key, None)
        runs.delete_run_local_value(key)

    with _around_tools(own), _keeping(keeps), _finding(finds), _forgetting(forgets):
        yield


@mutant("RUNLOCAL-03", neighbors={"RUNLOCAL-14": "a value forgotten before the interrupt is looked up after it"})
@contextmanager
def raises_for_unknown_keys() -> Iterator[None]:
    """Raises an error for a key that was never used, once there are others."""
    used: set[str] = set()

    def keeps(key: str, value: Json) -> None:
        used.add(key)
        runs.set_run_local_value(key, value)

    def finds(key: str) -> Found:
        if _run().local and key not in used and key not in _run().local:
            raise KeyError(key)
        return runs.get_run_local_value(key)

    with _keeping(keeps), _finding(finds):
        yield


@mutant(
    "RUNLOCAL-04",
    neighbors={
        "RUNLOCAL-08": "a value is forgotten there, too",
        "RUNLOCAL-14": "a value is forgotten there, too",
    },
)
def forgets_by_keeping_the_empty_value() -> AbstractContextManager[object]:
    """Puts the empty value in the place of one that is to be forgotten."""

    def forgets(key: str) -> None:
        if key in _run().local:
            runs.set_run_local_value(key, None)

    return _forgetting(forgets)


@mutant("RUNLOCAL-05")
def cannot_forget_what_is_not_there() -> AbstractContextManager[object]:
    """Raises an error when a missing value is to be forgotten."""

    def forgets(key: str) -> None:
        del _run().local[key]

    return _forgetting(forgets)


@mutant("RUNLOCAL-06")
def keeps_the_first_value() -> AbstractContextManager[object]:
    """Keeps a value only where there is none yet: `setdefault`."""

    def keeps(key: str, value: Json) -> None:
        if key not in _run().local:
            runs.set_run_local_value(key, value)

    return _keeping(keeps)


@mutant("RUNLOCAL-16")
def takes_the_empty_value_for_none() -> AbstractContextManager[object]:
    """Does not find a value that is empty: `get(key) is not None`."""

    def finds(key: str) -> Found:
        value, _ = runs.get_run_local_value(key)
        return value, value is not None

    return _finding(finds)


@mutant("RUNLOCAL-07")
def finds_nothing_outside() -> AbstractContextManager[object]:
    """Finds nothing outside a run, without an error."""
    return _finding(lambda key: runs.get_run_local_value(key) if current_run.get() else (None, False))


def _refusing(method: str) -> AbstractContextManager[object]:
    """Refuse to keep values as long as a part of the run goes on."""
    part = getattr(Agent, method)
    over: ContextVar[bool] = ContextVar("over", default=False)

    async def goes_on(self: Agent[AnyMessage], *arguments: Any) -> Any:  # Any: handed on
        token = over.set(True)
        try:
            return await part(self, *arguments)
        finally:
            over.reset(token)

    def keeps(key: str, value: Json) -> None:
        if over.get():
            raise OutsideRunError("the agent is not at work")
        runs.set_run_local_value(key, value)

    @contextmanager
    def both() -> Iterator[None]:
        with patch.object(Agent, method, goes_on), _keeping(keeps):
            yield

    return both()


@mutant("RUNLOCAL-08")
def keeps_nothing_after_the_agent() -> AbstractContextManager[object]:
    """Takes the hooks after the agent for outside of the run when a value is to be kept."""
    return _refusing("_end")


@mutant("RUNLOCAL-15")
def keeps_nothing_before_the_agent() -> AbstractContextManager[object]:
    """Takes the hooks before the agent for outside of the run when a value is to be kept."""
    return _refusing("_begin")


@mutant("RUNLOCAL-09")
@contextmanager
def begins_with_what_the_last_run_has_left() -> Iterator[None]:
    """Finds in a run what the last run of the agent that succeeded has kept to its end."""
    end = Agent._end
    left: dict[str, Mapping[str, Json]] = {}

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        left[run.agent] = dict(run.local)
        return answer

    def finds(key: str) -> Found:
        before = left.get(_run().agent, {})
        return runs.get_run_local_value(key) if key in _run().local else (before.get(key), key in before)

    with patch.object(Agent, "_end", ends), _finding(finds):
        yield


@mutant("RUNLOCAL-10")
@contextmanager
def shares_values_among_present_runs() -> Iterator[None]:
    """Lets runs of an agent that go on at the same time have one store."""
    fresh = Agent._fresh
    present: Counter[str] = Counter()
    shared: dict[str, dict[str, Json]] = {}

    async def begins(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: handed on
        if not present[run.agent]:
            shared[run.agent] = {}
        present[run.agent] += 1
        try:
            return await fresh(self, run, *rest)
        finally:
            present[run.agent] -= 1

    def keeps(key: str, value: Json) -> None:
        runs.set_run_local_value(key, value)
        shared.get(_run().agent, {})[key] = value

    def finds(key: str) -> Found:
        store = {**shared.get(_run().agent, {}), **_run().local}
        return store.get(key), key in store

    def forgets(key: str) -> None:
        shared.get(_run().agent, {}).pop(key, None)
        runs.delete_run_local_value(key)

    with patch.object(Agent, "_fresh", begins), _keeping(keeps), _finding(finds), _forgetting(forgets):
        yield


@mutant(
    "RUNLOCAL-11",
    neighbors={
        "AMD-CACHE-14": "agent and sub-agent have one handler, which keeps a text",
    },
)
def hands_values_down_to_sub_agents() -> AbstractContextManager[object]:
    """Lets an agent and the agents it uses as tools have one store."""
    part_of = Agent._sub_run

    def part(self: Agent[AnyMessage], parent: Run, *rest: Any) -> Run:  # Any: handed on
        run = part_of(self, parent, *rest)
        run.local = parent.local
        return run

    return patch.object(Agent, "_sub_run", part)


@mutant("RUNLOCAL-12")
@contextmanager
def loses_values_around_streaming_tool_calls() -> Iterator[None]:
    """Finds nothing around a tool call of a streaming run."""
    going_on: ContextVar[dict[str, Json] | None] = ContextVar("going_on", default=None)

    def finds(key: str) -> Found:
        lost = _run().streaming and going_on.get() is not None
        return (None, False) if lost else runs.get_run_local_value(key)

    with _around_tools(going_on), _finding(finds):
        yield


@mutant("RUNLOCAL-13")
def brings_back_no_types() -> AbstractContextManager[object]:
    """Brings a value of a registered type back from a checkpoint as the JSON it was stored as."""

    def unpacked(value: Json) -> Json:
        if isinstance(value, list) and value[0] is not None:
            return value[1]
        return unpack(value)

    return patch.object(checkpoints, "unpacked", unpacked)


@mutant(
    "RUNLOCAL-14",
    neighbors={
        "AMD-CACHE-11": "what the handler keeps is a text",
    },
)
@contextmanager
def brings_back_only_types() -> Iterator[None]:
    """Brings back from a checkpoint only the run-local values that are no texts."""
    values = Checkpoint.values

    def without_texts(self: Checkpoint) -> tuple[dict[str, Json], dict[str, Json]]:
        local, session = values(self)
        return {key: value for key, value in local.items() if not isinstance(value, str)}, session

    with patch.object(Checkpoint, "values", without_texts):
        yield


@mutant("RUNLOCAL-17")
def keeps_anything() -> AbstractContextManager[object]:
    """Keeps values that no checkpoint could hold."""

    def keeps(key: str, value: Json) -> None:
        try:
            runs.set_run_local_value(key, value)
        except UnregisteredTypeError:
            _run().local[key] = value

    return _keeping(keeps)
