"""The backend role of a Python object."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..contract.faults import AdapterError
from ..contract.harness import HarnessStage
from ..contract.names import nearest
from ..contract.scene import Ask, BackendStep, Break, ReadRequest, Write
from ..contract.shapes import Content
from .declared import BACKEND_METHODS
from .drivers import Together, gathered

Open = Callable[..., object]


async def perform_backend(open_backend: Open, stage: HarnessStage, together: Together = gathered) -> None:
    """Open the backend with the scene's files, and perform the scene's steps."""
    store = await _opened(open_backend, stage)
    try:
        for step in stage.scene.backend:
            await _take(store, step, stage, together)
    finally:
        await _close(store)


async def perform_load_through(open_backend: Open, stage: HarnessStage) -> None:
    """Open the backend with the scene's files, and load from it with the reference's loader; each read is an answer."""
    from .reference import load_through  # only used here: the rest of the kit runs without the reference

    config = stage.scene.instructions
    assert config is not None, "a load scene has a configuration"
    store = await _opened(open_backend, stage)
    try:
        for step in stage.scene.backend:
            await _take(store, step, stage, gathered)
        reporting = _Reporting(store, stage)
        await load_through(reporting, config, stage)
        if reporting.broken:
            raise reporting.broken
    finally:
        await _close(store)


class _Reporting:
    """Reports the backend's answers to the stage. `broken` is the error of an adapter that failed meanwhile."""

    def __init__(self, store: object, stage: HarnessStage) -> None:
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


async def _opened(open_backend: Open, stage: HarnessStage) -> object:
    """The backend with the scene's files."""
    store = open_backend({path: file.content for path, file in stage.scene.files.items()})
    if inspect.isawaitable(store):
        store = await store
    if not hasattr(store, "read"):
        raise AdapterError(f"open() returned {store!r:.200}: return an object with read(){_instead(store, 'read')}")
    return store


async def _close(store: object) -> None:
    """Close the backend if it has `close`."""
    if hasattr(store, "close"):
        await call_method(store, "close")


async def call_method(store: object, method: str, *args: object) -> object:
    """Call a required method of the backend."""
    if not hasattr(store, method):
        promises = " and ".join(one for one, promised in BACKEND_METHODS.items() if promised == method)
        why = f", which {promises} promises" if promises else ""
        raise AdapterError(f"what open() returned has no {method}(){why}: {store!r:.200}{_instead(store, method)}")
    result = getattr(store, method)(*args)
    return await result if inspect.isawaitable(result) else result


def _instead(store: object, method: str) -> str:
    """The end of a sentence about a missing method: a method with a similar name."""
    close = nearest(method, [name for name in dir(store) if not name.startswith("_")], 0.75)
    return f"; it has {close}(): did you mean {method}()?" if close else ""


async def read_from(
    store: Any, request: ReadRequest
) -> Content:  # Any: whatever open() returned, checked by calling it
    """One read; a synchronous `read` runs in a thread, so that reads are concurrent."""
    if inspect.iscoroutinefunction(store.read):
        content = await store.read(request)
    else:
        content = await asyncio.to_thread(store.read, request)
        if inspect.isawaitable(content):
            content = await content
    if content is not None and not isinstance(content, str | bytes):
        raise AdapterError(f"read() returned {content!r:.200}: return str or bytes, or raise an OSError")
    return content


async def _take(store: object, step: BackendStep, stage: HarnessStage, together: Together) -> None:
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
    """Switch threads as often as possible, so that races occur."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


async def _ask(store: object, request: ReadRequest, stage: HarnessStage) -> None:
    try:
        content = await read_from(store, request)
    except AdapterError:
        raise
    except Exception as error:
        stage.outcomes.answer_failed(request.file_path, error)
    else:
        stage.outcomes.answered(request.file_path, content)
