"""Broken adapters, each with one bug. A test copies the file next to a run, where it is the module `broken`."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import loopspec.engine.in_process
import loopspec.engine.judge
import loopspec.engine.run
from loopspec import Stage
from loopspec.engine.result import Result


def _is_ready() -> None:
    """Signal a waiting test that the adapter has been called."""
    if path := os.environ.get("BROKEN_IS_READY"):
        Path(path).touch()


class Loader:
    """A loader that loads nothing, and signals when it is called."""

    def load(self, backend: object, files: list[str], max_bytes: int) -> object:
        """Load."""
        _is_ready()
        return self.do()

    def do(self) -> object:
        """Replaced in subclasses by a bug."""
        return [], []


class AsyncLoader:
    """An asynchronous loader that loads nothing."""

    async def load(self, backend: object, files: list[str], max_bytes: int) -> object:
        """Load."""
        _is_ready()
        return await self.do()

    async def do(self) -> object:
        """Replaced in subclasses by a bug."""
        return [], []


class Backend:
    """A backend that returns the same content for every path."""

    def open(self, files: Mapping[str, bytes]) -> object:
        """Open."""
        return self

    def read(self, request: object) -> object:
        """Read."""
        _is_ready()
        return self.do()

    def do(self) -> object:
        """Replaced in subclasses by a bug."""
        return "always the same"


class Sleeps(Loader):
    """A loader that never returns and blocks the event loop."""

    def do(self) -> object:
        """Sleep."""
        time.sleep(1000)
        return None


class SleepsAsync(AsyncLoader):
    """A loader that never returns."""

    async def do(self) -> object:
        """Sleep."""
        await asyncio.sleep(1000)
        return None


class WaitsForEver(AsyncLoader):
    """A loader that waits for a future that is never resolved."""

    async def do(self) -> object:
        """Wait."""
        return await asyncio.get_running_loop().create_future()


class Spins(Loader):
    """A loader with an endless busy loop."""

    def do(self) -> object:
        """Spin."""
        while True:
            pass


class Swallows(Loader):
    """A loader with an endless loop that catches every exception."""

    def do(self) -> object:
        """Loop."""
        while True:
            try:
                while True:
                    time.sleep(0.01)
            except BaseException:
                continue


class SleepsInThread(Backend):
    """A backend whose synchronous `read` sleeps in a thread, where it cannot be interrupted."""

    def do(self) -> object:
        """Sleep."""
        time.sleep(1000)
        return None


class Exits(Loader):
    """A loader that ends the process."""

    def do(self) -> NoReturn:
        """Exit."""
        sys.exit(3)


class ExitsAsync(AsyncLoader):
    """An asynchronous loader that ends the process."""

    async def do(self) -> NoReturn:
        """Exit."""
        sys.exit(3)


class ExitsInThread(Backend):
    """A backend that ends the process from a thread."""

    def do(self) -> NoReturn:
        """Exit."""
        sys.exit(3)


class Cancels(AsyncLoader):
    """A loader that cancels its caller."""

    async def do(self) -> NoReturn:
        """Cancel."""
        raise asyncio.CancelledError


class Skips(Loader):
    """A loader that skips the test."""

    def do(self) -> NoReturn:
        """Skip."""
        import pytest

        pytest.skip("not today")


class LoadsNumber(Loader):
    """A loader that returns a number."""

    def do(self) -> object:
        """Return a number."""
        return 7


class ReadsNumber(Backend):
    """A backend whose reads return a number."""

    def do(self) -> object:
        """Return a number."""
        return 7


class OpensNothing:
    """A backend whose `open` returns None."""

    def open(self, files: Mapping[str, bytes]) -> object:
        """Open."""
        return None


class MakesNumber:
    """An adapter whose `middleware` returns a number."""

    def middleware(self, config: object) -> object:
        """Build."""
        return 7


class HooksNumber:
    """A middleware whose hook returns a number."""

    def middleware(self, config: object) -> object:
        """Build."""
        return self

    def before_model(self, messages: object, run: object) -> object:
        """Return a number."""
        return 7


class PerformsNow:
    """An adapter whose `perform` is no coroutine function."""

    capabilities = ("agentsmd",)

    def perform(self, stage: object) -> object:
        """Return a number."""
        return 7


class Roleless:
    """An object without any adapter method."""


class WrongRole(Loader):
    """A loader that declares an unknown role."""

    roles = ("loder",)


class MissingRole(Loader):
    """A loader that declares a role without having its method."""

    roles = ("loader", "agent")


class WrongCapability(Loader):
    """A loader that declares an unknown capability."""

    capabilities = ("flying",)


def raises() -> NoReturn:
    """A factory that fails."""
    raise ConnectionError("no database")


def exits() -> NoReturn:
    """A factory that ends the process."""
    sys.exit("no license")


def loses() -> Loader:
    """A factory that loses the results, like a bug of the harness."""
    loopspec.engine.run.SuiteRun.take = lambda self, result: result  # type: ignore[method-assign]  # the bug
    return Loader()


def trusts() -> Loader:
    """A factory that makes the canary pass, like a bug of the harness."""

    def warn(self: object, stage: Stage) -> None:
        stage.environment.warn("/p/missing.md")
        stage.outcomes.loaded()

    loopspec.engine.judge.Mute.perform = warn  # type: ignore[method-assign]  # the bug
    return Loader()


def interrupts() -> Loader:
    """A factory that raises KeyboardInterrupt after the first case."""

    def press(result: Result, printed: Mapping[str, str]) -> NoReturn:
        raise KeyboardInterrupt

    loopspec.engine.in_process.with_evidence = press
    return Loader()
