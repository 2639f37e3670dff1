"""The backend role of a Python object."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from ..contract.errors import Reported, refuses_name
from ..contract.faults import AdapterError, CannotStore
from ..contract.harness import HarnessStage
from ..contract.observation import StoreCall
from ..contract.places import located
from ..contract.scene import ReadRequest
from ..contract.shapes import Content
from .drivers import Together, gathered
from .kinds import reference_loop
from .stores import Count, StoreSteps, close_store, count_resources, instead, read_from

Open = Callable[..., object]


async def perform_backend(
    open_backend: Open, stage: HarnessStage, together: Together = gathered, count: Count = count_resources
) -> None:
    """Open the backend with the scene's files, and perform the scene's steps.

    A name that the backend cannot store is an outcome: the steps are not performed.
    """
    try:
        store = await _opened(open_backend, stage)
    except (CannotStore, Reported) as error:
        if not refuses_name(error):
            raise
        stage.outcomes.enter(StoreCall, error, method="open")
        return
    except (OSError, ValueError) as error:
        hint = "raise loopspec.CannotStore(path) for a name that the store cannot store"
        raise AdapterError(f"open() failed: {located(error)}: {hint}") from error
    steps = StoreSteps(store, stage, together, count)
    try:
        for step in stage.scene.backend:
            await steps.take(step)
    finally:
        steps.bait.close()
        if not steps.closed:
            await close_store(store)


async def perform_load_through(open_backend: Open, stage: HarnessStage) -> None:
    """Open the backend with the scene's files, and load from it with the reference's loader; each read is an answer."""
    config = stage.scene.instructions
    assert config is not None, "a load scene has a configuration"
    store = await _opened(open_backend, stage)
    try:
        steps = StoreSteps(store, stage, gathered, count_resources)
        for step in stage.scene.backend:
            await steps.take(step)
        reporting = _Reporting(store, stage)
        await reference_loop().load_through(reporting, config, stage)
        if reporting.broken:
            raise reporting.broken
    finally:
        await close_store(store)


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
        raise AdapterError(f"open() returned {store!r:.200}: return an object with read(){instead(store, 'read')}")
    return store
