"""A planned run, through pytest: lean, out of reach of the user's own configuration, and ending in any case."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from pluggy import PluggyTeardownRaisedWarning

from ..contract.faults import KitError, UsageError
from ..engine.canary import canary_fails
from ..engine.judge import Result
from ..engine.run import Running, Summary
from ..reports.terminal import Progress
from ..targets.absent import AbsentTarget
from . import entry as plugin
from .distributed.controller import CONTROLLER, Controller
from .session import CASE, Session
from .watchdog import Watchdog

SUITE = Path(__file__).parents[1] / "suite"

# What pytest loads by itself and this suite has no use for: every plugin is paid for in every step of every scenario.
_UNUSED = """
    cacheprovider debugging doctest faulthandler junitxml legacypath logging monkeypatch pastebin recwarn setuponly
    setupplan stepwise subtests terminal threadexception tmpdir unittest unraisableexception warnings
""".split()

# How many processes that were lost in a case are replaced; a target that takes each of them down has no end.
_REPLACED = 20


def judge_all(
    running: Running,
    timeout: float,
    *,
    workers: str = "",
    show_progress: bool = False,
    finish: Callable[[Summary], None],
) -> Summary:
    """Run the plan and finish with its summary; with `workers` in so many processes, a number or `auto`.

    A case that does not let itself be broken out of ends the process, after `finish`, with the summary's exit code;
    of several processes it ends its own only.
    """
    options = [*lean_options(SUITE), "-ploopspec.pytest_plugin.entry", f"--loopspec-timeout={timeout}", str(SUITE)]
    if workers:
        options += divided(workers)
        running.target.close()  # each worker has its own
        running.target = AbsentTarget.of(running.target)
    bridge = _Bridge(running)
    stdout = os.dup(sys.__stdout__.fileno() if sys.__stdout__ else 1)
    with os.fdopen(stdout, "w") as terminal, _own_environment(), _own_suite():
        if show_progress:
            Progress(running, terminal)
        with Watchdog(timeout, _giving_up(running, finish), lambda: None) as watchdog, warnings.catch_warnings():
            # Ctrl-C inside one of pytest-bdd's hooks is Ctrl-C, and not a plugin that is broken.
            warnings.simplefilter("ignore", PluggyTeardownRaisedWarning)
            code = pytest.main(options, plugins=[bridge, watchdog])
    if bridge.refused and not running.results:
        raise bridge.refused
    if bridge.broken:
        raise RuntimeError(f"the suite itself is broken: {bridge.broken}")
    if running.canary is None:
        running.canary = canary_fails()
    summary = running.finish(interrupted=code == pytest.ExitCode.INTERRUPTED)
    finish(summary)
    return summary


def divided(workers: str) -> list[str]:
    """The options of pytest-xdist. Raises `UsageError` where it is missing, and for no number of workers."""
    if workers != "auto" and not (workers.isdecimal() and int(workers)):
        raise UsageError(f"-n {workers} is no number of processes: say 1 or more, or auto")
    if find_spec("xdist") is None:
        raise UsageError("-n needs pytest-xdist, which is not installed: pip install 'loopspec[xdist]'")
    return ["-pxdist.plugin", f"-n{workers}", f"--max-worker-restart={_REPLACED}"]


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


@contextmanager
def _own_suite() -> Iterator[None]:
    """Let the suite be bound anew: what is in memory of another run holds what that one had planned."""
    names = ("loopspec.suite", "loopspec.suite.test_features")
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


class _Bridge:
    """Hands the planned run to the plugin, and hears of what no case can be blamed for."""

    def __init__(self, running: Running) -> None:
        self.broken = ""
        self._running = running
        self._controller: Controller | None = None

    @property
    def refused(self) -> KitError | None:
        """Why no worker could begin."""
        return self._controller.refused if self._controller else None

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        controller = config.pluginmanager.get_plugin(CONTROLLER)
        if isinstance(controller, Controller):
            self._controller = controller
            controller.ordered = self._running
        config.pluginmanager.register(Session(config, self._running), plugin.SESSION)
        config.option.tbstyle = "native"  # tracebacks become sentences: the cheap ones will do

    def pytest_collection_finish(self) -> None:
        gc.freeze()  # the plan stays until the end: looking through it again and again frees nothing

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken = str(report.longrepr)

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.broken = f"{excinfo.typename}: {excinfo.value}"


def _giving_up(running: Running, finish: Callable[[Summary], None]) -> Callable[[pytest.Item, float], None]:
    """What ends the process in the middle of a case, with everything accounted for."""

    def give_up(item: pytest.Item, limit: float) -> None:
        case = item.stash[CASE]
        message = f"{running.target.identity.name} did not come back within {limit:g} s"
        running.take(Result(case.id, case.rule.ids, "timed-out", limit, f"{case.file}:{case.line}", message=message))
        summary = running.finish()
        if capturing := item.config.pluginmanager.get_plugin("capturemanager"):
            capturing.suspend_global_capture()  # what is printed now is for the user
        finish(summary)
        sys.stdout.flush()
        os._exit(summary.exit_code)

    return give_up
