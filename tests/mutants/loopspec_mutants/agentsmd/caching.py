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
    """Keep a run's text in another place than its run-local values."""

    async def finds(self: AgentsMD[AnyMessage]) -> str:
        run = current_run.get()
        if run is None:
            return await self._load()
        kept = store(run)
        if self._cache_key not in kept:
            kept[self._cache_key] = await self._load()
        return str(kept[self._cache_key])

    return patch.object(AgentsMD, "_text", finds)


def _forgets(when: Callable[[str, bool], bool]) -> AbstractContextManager[object]:
    """Forget a run's text at some times: told the text, and whether it came from the cache."""
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


@mutant("AMD-CACHE-01", neighbors={"AMD-CACHE-14": "the agent that uses the other one calls its model twice"})
def checks_the_files_before_each_call() -> AbstractContextManager[object]:
    """Reads the configured files again before later model calls, to see whether they are still there."""
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


class _Keeping:
    """A backend that keeps what it has read during a run."""

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
        "AMD-CACHE-03": "what is not read again cannot be seen to be edited",
        "AMD-CACHE-04": "what is not read again cannot be seen to be edited",
        "AMD-CACHE-09": "runs at the same time have one handler, too",
        "AMD-CACHE-14": "agent and sub-agent have one handler, which keeps the files for both",
        "CALLER-01": "that the second run loads is how it shows that the caller's list has no instructions yet",
    },
)
def keeps_files_with_the_handler() -> AbstractContextManager[object]:
    """Keeps the files it has read for as long as the handler lives, not for the run."""

    def keeping(config: Config | None) -> Config:
        config = validate(config)
        return replace(config, backend=_Keeping(config.backend))

    return patch.object(handler, "validate", keeping)


@mutant("CALLER-01")
@contextmanager
def inserts_into_the_callers_list() -> Iterator[None]:
    """Puts the instructions into the list of messages that the caller has handed over."""
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


@mutant("AMD-CACHE-03", neighbors={"AMD-CACHE-04": "its second run, too, begins after an edit"})
def is_a_run_behind() -> AbstractContextManager[object]:
    """Loads, but inserts what the run before has loaded: stale while revalidating."""
    before: dict[Backend, list[Section]] = {}

    async def loads(backend: Backend, *rest: Any) -> list[Section]:  # Any: handed on
        sections = await loader.load(backend, *rest)
        stale = before.get(backend, sections)
        before[backend] = sections
        return stale

    return patch.object(handler, "load", loads)


@mutant("AMD-CACHE-04")
def believes_its_own_message() -> AbstractContextManager[object]:
    """Takes the last message of its own that it has met, in any run, for what the files say."""
    before_model, load = AgentsMD.before_model, AgentsMD._load
    met: dict[AgentsMD[AnyMessage], str] = {}

    async def meets(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        for message in filter(_marked, state.messages):
            met[self] = message.text
        return await before_model(self, state, context)

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        text = await load(self)
        return met.get(self, text)

    return patch.multiple(AgentsMD, before_model=meets, _load=loads)


@mutant(
    "AMD-CACHE-05",
    neighbors={
        "AMD-CACHE-07": "the instructions are removed before three calls there, too",
        "AMD-IDEMP-09": "a summary removes the instructions before three calls, and the file is edited",
    },
)
def uses_up_what_it_has_kept() -> AbstractContextManager[object]:
    """Takes the text out of the cache when it puts the instructions back."""
    return _forgets(lambda text, kept: kept and text != "")


@mutant("AMD-CACHE-06")
def takes_an_empty_text_for_none() -> AbstractContextManager[object]:
    """Loads again when the text that was kept is empty: `if cached` for `if found`."""
    return _forgets(lambda text, kept: text == "")


@mutant("AMD-CACHE-07")
@contextmanager
def tries_again_for_what_was_missing() -> Iterator[None]:
    """Does not keep what it has loaded when a part of it was missing."""
    warn = loader._Loading.warn
    missing: list[str] = []

    def warns(self: loader._Loading, path: str, reason: Reason) -> None:
        missing.append(path)
        warn(self, path, reason)

    with patch.object(loader._Loading, "warn", warns), _forgets(lambda text, kept: text != "" and bool(missing)):
        yield


@mutant("AMD-CACHE-08")
def keeps_refusals() -> AbstractContextManager[object]:
    """Takes a file that was forbidden once for forbidden from then on, and raises the same error again."""
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
def lets_runs_share_a_load() -> AbstractContextManager[object]:
    """Lets a run that comes while another one loads wait for that load instead of its own."""
    load = AgentsMD._load
    loading: dict[AgentsMD[AnyMessage], asyncio.Task[str]] = {}

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        if self not in loading:
            loading[self] = asyncio.create_task(load(self))
            loading[self].add_done_callback(lambda _: loading.pop(self))
        return await loading[self]

    return patch.object(AgentsMD, "_load", loads)


@mutant("AMD-CACHE-11")
def keeps_the_text_out_of_the_checkpoint() -> AbstractContextManager[object]:
    """Keeps the text of a run in the memory of its process."""
    memory: dict[Run, dict[str, Json]] = {}
    return _keeps_in(lambda run: memory.setdefault(run, {}))


@mutant("AMD-CACHE-14")
def keeps_the_text_in_the_session() -> AbstractContextManager[object]:
    """Keeps the text of a run among the session's values, which sub-agents share."""
    return _keeps_in(lambda run: run.session)
