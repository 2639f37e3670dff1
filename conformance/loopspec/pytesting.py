"""A planned run, through pytest: lean, out of reach of the user's own configuration, and ending in any case."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pluggy import PluggyTeardownRaisedWarning

from . import plugin
from .canary import canary_fails
from .judging import Result
from .report.terminal import Progress
from .running import Running, Summary
from .session import CASE, Session

SUITE = Path(__file__).parent / "suite"

# What pytest loads by itself and this suite has no use for: every plugin is paid for in every step of every scenario.
_UNUSED = """
    cacheprovider debugging doctest faulthandler junitxml legacypath logging monkeypatch pastebin recwarn setuponly
    setupplan stepwise subtests terminal threadexception tmpdir unittest unraisableexception warnings
""".split()

# How much longer than its deadline a case may take before the process is given up altogether.
_GRACE = 3.0  # seconds


def judge_all(
    running: Running, timeout: float, *, show_progress: bool = False, finish: Callable[[Summary], None]
) -> Summary:
    """Run the plan and finish with its summary.

    A case that does not let itself be broken out of ends the process, after `finish`, with the summary's exit code.
    """
    bridge = _Bridge(running)
    options = [*lean_options(SUITE), "-ploopspec.plugin", f"--loopspec-timeout={timeout}", str(SUITE)]
    with os.fdopen(os.dup(sys.__stdout__.fileno() if sys.__stdout__ else 1), "w") as terminal, _own_environment():
        if show_progress:
            Progress(running, terminal)
        with _Watchdog(running, timeout + _GRACE, finish) as watchdog, warnings.catch_warnings():
            # Ctrl-C inside one of pytest-bdd's hooks is Ctrl-C, and not a plugin that is broken.
            warnings.simplefilter("ignore", PluggyTeardownRaisedWarning)
            code = pytest.main(options, plugins=[bridge, watchdog])
    if bridge.broken:
        raise RuntimeError(f"the suite itself is broken: {bridge.broken}")
    if running.canary is None:
        running.canary = canary_fails()
    summary = running.finish(interrupted=code == pytest.ExitCode.INTERRUPTED)
    finish(summary)
    return summary


def lean_options(root: Path) -> list[str]:
    """The options of pytest that leave out what the suite does not need, and everybody's configuration."""
    options = ["-c", os.devnull, f"--rootdir={root}", "--import-mode=importlib", "--noconftest", "--assert=plain"]
    return [*options, "-ppytest_bdd.plugin", *(f"-pno:{name}" for name in _UNUSED)]


@contextmanager
def _own_environment() -> Iterator[None]:
    """Keep the user's pytest settings, and other people's plugins, out of this run."""
    before = dict(os.environ)
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


class _Bridge:
    """Hands the planned run to the plugin, and hears of what no case can be blamed for."""

    def __init__(self, running: Running) -> None:
        self.broken = ""
        self._running = running

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.register(Session(config, self._running), plugin.SESSION)
        config.option.tbstyle = "native"  # tracebacks become sentences: the cheap ones will do

    def pytest_collection_finish(self) -> None:
        gc.freeze()  # the plan stays until the end: looking through it again and again frees nothing

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken = str(report.longrepr)

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.broken = f"{excinfo.typename}: {excinfo.value}"


class _Watchdog:
    """Ends the process when a case neither comes back nor lets itself be broken out of."""

    def __init__(self, running: Running, limit: float, finish: Callable[[Summary], None]) -> None:
        self._running = running
        self._limit = limit
        self._finish = finish
        self._under_way: tuple[pytest.Item, float] | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="loopspec-watchdog", daemon=True)

    def __enter__(self) -> _Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._under_way = (item, time.monotonic())
        try:
            return (yield)
        finally:
            self._under_way = None

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            under_way = self._under_way
            if under_way and time.monotonic() - under_way[1] > self._limit:
                self._end(under_way[0])

    def _end(self, item: pytest.Item) -> None:
        case = item.stash[CASE]
        message = f"{self._running.target.identity.name} did not come back within {self._limit:g} s"
        self._running.take(
            Result(case.id, case.rule.ids, "timed-out", self._limit, f"{case.file}:{case.line}", message=message)
        )
        summary = self._running.finish()
        if capturing := item.config.pluginmanager.get_plugin("capturemanager"):
            capturing.suspend_global_capture()  # what is printed now is for the user
        self._finish(summary)
        sys.stdout.flush()
        os._exit(summary.exit_code)
