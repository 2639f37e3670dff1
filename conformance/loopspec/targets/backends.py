"""The backend role of a plain Python object."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..contract.faults import AdapterError
from ..contract.scene import Ask, BackendStep, Break, ReadRequest, Write
from ..contract.shapes import Content
from ..contract.stage import Stage
from .drivers import Together, gathered

Open = Callable[..., object]


async def perform_backend(open_backend: Open, stage: Stage, together: Together = gathered) -> None:
    """Open the backend with the scene's files and go through the scene's steps."""
    store = await _opened(open_backend, stage)
    try:
        for step in stage.scene.backend:
            await _take(store, step, stage, together)
    finally:
        await _close(store)


async def perform_load_through(open_backend: Open, stage: Stage) -> None:
    """Open the backend with the scene's files and let the reference's loader load from it; each read is an answer."""
    from .reference import load_through  # only where it is used: the rest of the kit runs without the reference

    config = stage.scene.instructions
    assert config is not None, "a load scene has a configuration"
    store = await _opened(open_backend, stage)
    try:
        for step in stage.scene.backend:
            await _take(store, step, stage, gathered)
        told = _Told(store, stage)
        await load_through(told, config, stage)
        if told.broken:
            raise told.broken
    finally:
        await _close(store)


class _Told:
    """The backend; what it answers is told to the stage. `broken` is the error of an adapter that broke meanwhile."""

    def __init__(self, store: object, stage: Stage) -> None:
        self.broken: AdapterError | None = None
        self._store = store
        self._stage = stage

    async def read(self, request: ReadRequest) -> Content:
        try:
            content = await read_from(self._store, request)
        except AdapterError as error:
            self.broken = error
            raise
        except Exception as error:
            self._stage.outcomes.answer_failed(request.file_path, error)
            raise
        self._stage.outcomes.answered(request.file_path, content)
        return content


async def _opened(open_backend: Open, stage: Stage) -> object:
    """The backend, holding the scene's files."""
    store = open_backend({path: file.content for path, file in stage.scene.files.items()})
    if inspect.isawaitable(store):
        store = await store
    if not hasattr(store, "read"):
        raise AdapterError(f"open() returned {store!r:.200}: return an object with read()")
    return store


async def _close(store: object) -> None:
    """Close the backend, if that is something it can be."""
    if hasattr(store, "close"):
        await call_method(store, "close")


async def call_method(store: object, method: str, *args: object) -> object:
    """Call a method of the backend that it must have."""
    if not hasattr(store, method):
        raise AdapterError(f"what open() returned has no {method}(), which a declared capability promises: {store!r}")
    result = getattr(store, method)(*args)
    return await result if inspect.isawaitable(result) else result


async def read_from(
    store: Any, request: ReadRequest
) -> Content:  # Any: whatever open() returned, checked by calling it
    """One read; a plain `read` goes to a thread, so that several can be under way."""
    if inspect.iscoroutinefunction(store.read):
        content = await store.read(request)
    else:
        content = await asyncio.to_thread(store.read, request)
        if inspect.isawaitable(content):
            content = await content
    if content is not None and not isinstance(content, str | bytes):
        raise AdapterError(f"read() returned {content!r:.200}: return str or bytes, or raise an OSError")
    return content


async def _take(store: object, step: BackendStep, stage: Stage, together: Together) -> None:
    match step:
        case Ask():
            with _hurried_threads():
                await together(_ask(store, request, stage) for request in step.requests)
        case Write():
            await call_method(store, "write", step.path, step.file.content)
        case Break():
            await call_method(store, "fault", step.path, step.kind)


@contextmanager
def _hurried_threads() -> Iterator[None]:
    """Let threads take turns as often as they can, so that a race that is there is also met."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


async def _ask(store: object, request: ReadRequest, stage: Stage) -> None:
    try:
        content = await read_from(store, request)
    except AdapterError:
        raise
    except Exception as error:
        stage.outcomes.answer_failed(request.file_path, error)
    else:
        stage.outcomes.answered(request.file_path, content)
