"""Mutants about loading once per run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    Agent,
    AnyMessage,
    Backend,
    Content,
    Json,
    ModelContext,
    ReadRequest,
    State,
    delete_run_local_value,
    get_run_local_value,
)
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, Reason, Section, handler, loader
from loopspec_reference.agentsmd.config import validate
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant


def _keeps_in(store: Callable[[Run], MutableMapping[str, Json]]) -> AbstractContextManager[object]:
    """Store a run's instructions in another place than its run-local values."""

    async def finds(self: AgentsMD[AnyMessage]) -> str:
        run = current_run.get()
        if run is None:
            return await self._load()
        kept = store(run)
        if self._cache_key not in kept:
            kept[self._cache_key] = await self._load()
        return str(kept[self._cache_key])

    return patch.object(AgentsMD, "_text", finds)


def _drops(when: Callable[[str, bool], bool]) -> AbstractContextManager[object]:
    """Drop a run's instructions under a condition on the text and on whether it was cached."""
    find = AgentsMD._text

    async def finds(self: AgentsMD[AnyMessage]) -> str:
        if current_run.get() is None:
            return await find(self)
        _, kept = get_run_local_value(self._cache_key)
        text = await find(self)
        if when(text, kept):
            delete_run_local_value(self._cache_key)
        return text

    return patch.object(AgentsMD, "_text", finds)


def _marked(message: AnyMessage) -> bool:
    return MARKER in message.extra


@mutant("AMD-CACHE-01", neighbors={"AMD-CACHE-14": "the outer agent calls its model twice"})
def checks_the_files_before_each_call() -> AbstractContextManager[object]:
    """Reads the configured files again before later model calls, to check that they still exist."""
    before_model = AgentsMD.before_model

    async def checks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if current_run.get() and any(map(_marked, state.messages)) and get_run_local_value(self._cache_key)[1]:
            for path in self._config.files:
                with suppress(OSError):
                    await self._config.backend.read(ReadRequest(path))
        return await before_model(self, state, context)

    return patch.object(AgentsMD, "before_model", checks)


class _CachingBackend:
    """A backend that caches files during a run."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._kept: dict[str, Content | None] = {}

    async def read(self, request: ReadRequest) -> Content | None:
        if current_run.get() is None:
            return await self._backend.read(request)
        if request.file_path not in self._kept:
            self._kept[request.file_path] = await self._backend.read(request)
        return self._kept[request.file_path]


@mutant(
    "AMD-CACHE-02",
    neighbors={
        "AMD-CACHE-03": "an edit of a cached file is not noticed",
        "AMD-CACHE-04": "an edit of a cached file is not noticed",
        "AMD-CACHE-09": "concurrent runs also share one middleware",
        "AMD-CACHE-14": "agent and sub-agent share one middleware, which caches the files for both",
        "CALLER-01": "the second load shows that the caller's list has no instructions yet",
    },
)
def caches_files_in_the_middleware() -> AbstractContextManager[object]:
    """Caches the files in the AgentsMD middleware, not in the run."""

    def keeping(config: Config | None) -> Config:
        config = validate(config)
        return replace(config, backend=_CachingBackend(config.backend))

    return patch.object(handler, "validate", keeping)


@mutant("CALLER-01")
@contextmanager
def inserts_into_the_callers_list() -> Iterator[None]:
    """Inserts the instructions into the list of messages that the caller has passed."""
    fresh, before = Agent._fresh, AgentsMD.before_model
    callers: ContextVar[list[AnyMessage]] = ContextVar("callers")

    async def begins(self: Agent[AnyMessage], run: Run, messages: list[AnyMessage]) -> AnyMessage:
        callers.set(messages)
        return await fresh(self, run, messages)

    async def inserts(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        changed = await before(self, state, context)
        messages = callers.get([])
        if list(state.messages) == messages:
            messages[:] = changed.messages
        return changed

    with patch.object(Agent, "_fresh", begins), patch.object(AgentsMD, "before_model", inserts):
        yield


@mutant("AMD-CACHE-03", neighbors={"AMD-CACHE-04": "the second run also begins after an edit"})
def inserts_the_instructions_of_the_previous_run() -> AbstractContextManager[object]:
    """Inserts the instructions that the previous run has loaded: stale while revalidating."""
    before: dict[Backend, list[Section]] = {}

    async def loads(backend: Backend, *rest: Any) -> list[Section]:  # Any: passed on
        sections = await loader.load(backend, *rest)
        stale = before.get(backend, sections)
        before[backend] = sections
        return stale

    return patch.object(handler, "load", loads)


@mutant("AMD-CACHE-04")
def takes_an_earlier_message_for_the_instructions() -> AbstractContextManager[object]:
    """Takes the instructions from the last marked message of any run."""
    before_model, load = AgentsMD.before_model, AgentsMD._load
    seen: dict[AgentsMD[AnyMessage], str] = {}

    async def records(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        for message in filter(_marked, state.messages):
            seen[self] = message.text
        return await before_model(self, state, context)

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        text = await load(self)
        return seen.get(self, text)

    return patch.multiple(AgentsMD, before_model=records, _load=loads)


@mutant(
    "AMD-CACHE-05",
    neighbors={
        "AMD-CACHE-07": "the instructions are also removed before three model calls",
        "AMD-IDEMP-09": "a summary removes the instructions before three calls, and the file is edited",
    },
)
def drops_the_cache_when_it_inserts() -> AbstractContextManager[object]:
    """Drops the cached instructions when it inserts them again."""
    return _drops(lambda text, kept: kept and text != "")


@mutant("AMD-CACHE-06")
def does_not_cache_an_empty_text() -> AbstractContextManager[object]:
    """Loads again when the cached text is empty: `if cached` for `if found`."""
    return _drops(lambda text, kept: text == "")


@mutant("AMD-CACHE-07")
@contextmanager
def does_not_cache_after_a_missing_file() -> Iterator[None]:
    """Does not cache the instructions of a load with a missing file."""
    warn = loader._Loading.warn
    missing: list[str] = []

    def warns(self: loader._Loading, path: str, reason: Reason) -> None:
        missing.append(path)
        warn(self, path, reason)

    with patch.object(loader._Loading, "warn", warns), _drops(lambda text, kept: text != "" and bool(missing)):
        yield


@mutant("AMD-CACHE-08")
def caches_permission_errors() -> AbstractContextManager[object]:
    """Raises the permission error of an earlier load again."""
    load = AgentsMD._load
    errors: dict[AgentsMD[AnyMessage], PermissionError] = {}

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        if self in errors:
            raise errors[self]
        try:
            return await load(self)
        except PermissionError as error:
            errors[self] = error
            raise

    return patch.object(AgentsMD, "_load", loads)


@mutant("AMD-CACHE-09")
def shares_a_load_among_concurrent_runs() -> AbstractContextManager[object]:
    """Shares one load among concurrent runs."""
    load = AgentsMD._load
    loading: dict[AgentsMD[AnyMessage], asyncio.Task[str]] = {}

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        if self not in loading:
            loading[self] = asyncio.create_task(load(self))
            loading[self].add_done_callback(lambda _: loading.pop(self))
        return await loading[self]

    return patch.object(AgentsMD, "_load", loads)


@mutant("AMD-CACHE-11")
def caches_outside_the_checkpoint() -> AbstractContextManager[object]:
    """Caches the instructions of a run in the memory of the process."""
    memory: dict[Run, dict[str, Json]] = {}
    return _keeps_in(lambda run: memory.setdefault(run, {}))


@mutant("AMD-CACHE-14")
def caches_in_the_session() -> AbstractContextManager[object]:
    """Caches the instructions of a run in the session values, which sub-agents share."""
    return _keeps_in(lambda run: run.session)
