"""The loader role of a Python object: its calls, and the backend that it reads from."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from ..contract.agents import Config
from ..contract.faults import AdapterError
from ..contract.observation import Section
from ..contract.scene import ReadRequest
from ..contract.shapes import Content
from ..contract.stage import Environment, Stage
from .drivers import Together, gathered

Load = Callable[..., object]


async def perform_loads(load: Callable[[Config], Awaitable[None]], stage: Stage, together: Together = gathered) -> None:
    """Load as often as the scene says; an exception of the loader is the outcome of its load."""
    scene, config = stage.scene, stage.scene.instructions
    assert config is not None, "a load scene has a configuration"

    async def once() -> None:
        with failures(stage.outcomes.load_failed):
            await load(config)

    if scene.together:
        await together(once() for _ in range(scene.times))
        return
    for _ in range(scene.times):
        await once()


async def load_with(load: Load, stage: Stage, config: Config) -> None:
    """Call the loader of a Python object once."""
    source = Source(stage.environment, inspect.iscoroutinefunction(load))
    given = (source, list(config.files or ()), config.max_bytes or 0)
    with called_with(load, "load(backend, files, max_bytes)", *given):
        result = load(*given)
        if inspect.isawaitable(result):
            result = await result
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


@contextmanager
def failures(report: Callable[[Exception], object]) -> Iterator[None]:
    """Report an error of the implementation as an outcome, and do not raise it. Raises a fault of the adapter."""
    try:
        yield
    except AdapterError:
        raise
    except Exception as error:
        report(error)


@contextmanager
def called_with(method: Callable[..., Any], call: str, *args: object) -> Iterator[None]:  # Any: what it returns
    """Raise `AdapterError` in place of the `TypeError` of a method that does not take these arguments.

    `call` is the call as an author writes it, such as `read(request)`.
    """
    try:
        yield
    except TypeError:
        try:
            inspect.signature(method).bind(*args)
        except TypeError as no:
            raise AdapterError(f"the call is {call}, and the method has other parameters: {no}") from None
        except ValueError:  # a method without a readable signature
            pass
        raise


class Source:
    """A `Backend` over the stage's files; awaitable only for asynchronous implementations."""

    def __init__(self, environment: Environment, awaitable: bool = False) -> None:
        self.awaitable = awaitable
        self._environment = environment

    def read(self, request: ReadRequest) -> Content | Awaitable[Content]:
        if self.awaitable:
            return self._environment.read(request)
        return self._environment.read_now(request)
