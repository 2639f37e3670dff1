"""Adapters that are broken, each in one way. Copied beside a run, where they are the module `broken`."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import loopspec.engine.canary
import loopspec.engine.in_process
import loopspec.engine.run
from loopspec import Stage
from loopspec.engine.result import Result


def _is_ready() -> None:
    """Say that the adapter has been called, to a test that waits for that."""
    if path := os.environ.get("BROKEN_IS_READY"):
        Path(path).touch()


class Loader:
    """A loader that shows nothing, and says that it is about to."""

    def load(self, backend: object, files: list[str], max_bytes: int) -> object:
        """Load."""
        _is_ready()
        return self.do()

    def do(self) -> object:
        """What it does instead of loading."""
        return [], []


class AsyncLoader:
    """The same, awaiting."""

    async def load(self, backend: object, files: list[str], max_bytes: int) -> object:
        """Load."""
        _is_ready()
        return await self.do()

    async def do(self) -> object:
        """What it does instead of loading."""
        return [], []


class Backend:
    """A backend that answers everything with the same."""

    def open(self, files: Mapping[str, bytes]) -> object:
        """Open."""
        return self

    def read(self, request: object) -> object:
        """Read."""
        _is_ready()
        return self.do()

    def do(self) -> object:
        """What it does instead of reading."""
        return "always the same"


class Sleeps(Loader):
    """It never comes back, and lets nobody else run."""

    def do(self) -> object:
        """Sleep."""
        time.sleep(1000)
        return None


class SleepsAsync(AsyncLoader):
    """It never comes back."""

    async def do(self) -> object:
        """Sleep."""
        await asyncio.sleep(1000)
        return None


class WaitsForEver(AsyncLoader):
    """It waits for what nobody will give it."""

    async def do(self) -> object:
        """Wait."""
        return await asyncio.get_running_loop().create_future()


class Spins(Loader):
    """It is busy for ever."""

    def do(self) -> object:
        """Spin."""
        while True:
            pass


class Swallows(Loader):
    """It is busy for ever, and nothing that is thrown at it gets through."""

    def do(self) -> object:
        """Spin on."""
        while True:
            try:
                while True:
                    time.sleep(0.01)
            except BaseException:
                continue


class SleepsInThread(Backend):
    """A plain `read` runs in a thread, which nobody can break out of."""

    def do(self) -> object:
        """Sleep."""
        time.sleep(1000)
        return None


class Exits(Loader):
    """It ends the process."""

    def do(self) -> NoReturn:
        """Exit."""
        sys.exit(3)


class ExitsAsync(AsyncLoader):
    """It ends the process."""

    async def do(self) -> NoReturn:
        """Exit."""
        sys.exit(3)


class ExitsInThread(Backend):
    """It ends the process, from a thread."""

    def do(self) -> NoReturn:
        """Exit."""
        sys.exit(3)


class Cancels(AsyncLoader):
    """It cancels whoever called it."""

    async def do(self) -> NoReturn:
        """Cancel."""
        raise asyncio.CancelledError


class Skips(Loader):
    """It would rather not be judged."""

    def do(self) -> NoReturn:
        """Skip."""
        import pytest

        pytest.skip("not today")


class LoadsNumber(Loader):
    """It returns what is no pair of lists."""

    def do(self) -> object:
        """Return a number."""
        return 7


class ReadsNumber(Backend):
    """Its reads return what is no content."""

    def do(self) -> object:
        """Return a number."""
        return 7


class OpensNothing:
    """Its `open` returns nothing to read from."""

    def open(self, files: Mapping[str, bytes]) -> object:
        """Open."""
        return None


class MakesNumber:
    """Its `middleware` returns what is none."""

    def middleware(self, config: object) -> object:
        """Build."""
        return 7


class HooksNumber:
    """Its hook returns what is no conversation."""

    def middleware(self, config: object) -> object:
        """Build."""
        return self

    def before_model(self, messages: object, run: object) -> object:
        """Return a number."""
        return 7


class PerformsNow:
    """Its `perform` is no coroutine."""

    capabilities = ("agentsmd",)

    def perform(self, stage: object) -> object:
        """Return a number."""
        return 7


class Roleless:
    """It has none of the methods."""


class WrongRole(Loader):
    """It declares a role that is none."""

    roles = ("loder",)


class MissingRole(Loader):
    """It declares a role it has no method for."""

    roles = ("loader", "agent")


class WrongCapability(Loader):
    """It declares a capability that is none."""

    capabilities = ("flying",)


class FailsLater(Loader):
    """Building it works once."""

    def __init__(self) -> None:
        if Path("built").exists():
            raise ConnectionError("no second database")
        Path("built").touch()


def raises() -> NoReturn:
    """A factory that fails."""
    raise ConnectionError("no database")


def exits() -> NoReturn:
    """A factory that ends the process."""
    sys.exit("no licence")


def loses() -> Loader:
    """A factory that loses the results, as a bug of the harness might."""
    loopspec.engine.run.SuiteRun.take = lambda self, result: result  # type: ignore[method-assign]  # the bug
    return Loader()


def trusts() -> Loader:
    """A factory that makes the canary pass, as a bug of the harness might."""

    def warn(self: object, stage: Stage) -> None:
        stage.environment.warn("/p/missing.md")

    loopspec.engine.canary.Mute.perform = warn  # type: ignore[method-assign]  # the bug
    return Loader()


def interrupts() -> Loader:
    """A factory that presses Ctrl-C between two cases, when the first has been judged."""

    def press(result: Result, printed: Mapping[str, str]) -> NoReturn:
        raise KeyboardInterrupt

    loopspec.engine.in_process.with_evidence = press
    return Loader()
