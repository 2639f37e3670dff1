"""The loader role of a Python object."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import msgspec

from ..contract.faults import AdapterError
from ..contract.observation import Section
from ..contract.stage import Stage
from .drivers import Together, gathered
from .signatures import called_with
from .sources import Source

Load = Callable[..., object]


async def perform_loader(load: Load, stage: Stage, together: Together = gathered) -> None:
    """Load as often as the scene says; an exception of the loader is the outcome of its load."""
    scene = stage.scene
    if scene.together:
        await together(_load(load, stage) for _ in range(scene.times))
        return
    for _ in range(scene.times):
        await _load(load, stage)


async def _load(load: Load, stage: Stage) -> None:
    config = stage.scene.instructions
    assert config is not None, "a load scene has a configuration"
    source = Source(stage.environment, inspect.iscoroutinefunction(load))
    given = (source, list(config.files or ()), config.max_bytes or 0)
    try:
        with called_with(load, "load(backend, files, max_bytes)", *given):
            result = load(*given)
            if inspect.isawaitable(result):
                result = await result
    except AdapterError:
        raise
    except Exception as error:
        stage.outcomes.load_failed(error)
        return
    sections, warnings = _checked(result)
    for path in warnings:
        stage.environment.warn(path)
    stage.outcomes.loaded(Section(path=path, text=text) for path, text in sections)


def _checked(result: object) -> tuple[list[tuple[str, str]], list[str]]:
    """Sections and warned paths. Raises `AdapterError` for another result."""
    try:
        return msgspec.convert(result, tuple[list[tuple[str, str]], list[str]])
    except msgspec.ValidationError as error:
        raise AdapterError(
            f"load() returned {result!r:.200}: return a pair of lists, (path, text) of each section and the paths "
            f"warned about ({error})"
        ) from None
