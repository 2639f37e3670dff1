"""A worker of a distributed run judges the cases that it receives."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest

import loopspec_pytest

from ...engine.deadlines import Watchdog, longest
from ...engine.in_process import timed_out
from ...engine.result import Result, case_line, encoded
from ...engine.run import SuiteRun
from ...specification.features import CANARY
from ..session import CASE, RESULT, SUITE_RUN, Session
from .folder import Folder
from .wire import Judged, Part, Plan


def join(config: pytest.Config) -> Session:
    """Return the session object of this worker."""
    worker = Worker(config)
    config.pluginmanager.register(worker, "loopspec-worker")
    return Session(config)


class Worker:
    """Sends the result of each case with pytest's report.

    A case that hangs ends this process, since it cannot be interrupted. xdist starts another process for the remaining
    cases.
    """

    def __init__(self, config: pytest.Config) -> None:
        given = vars(config)["workerinput"]
        self._id: str = given["workerid"]
        self._timeout: float = config.getoption("--loopspec-timeout")
        self._folder = Folder(Path(given[loopspec_pytest.KEY]))
        self._under_way: pytest.Item | None = None
        self._watchdog = Watchdog(self._give_up)
        self._watchdog.__enter__()

    # -- collection ----------------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None]:
        """Write the plan before xdist reports the collected tests."""
        try:
            yield
        except pytest.UsageError as error:
            self._write(self._folder.plan(self._id), Plan(refusal=str(error).removeprefix("loopspec: ")))
            raise
        tests: dict[str, dict[str, str]] = {}
        runs: dict[str, SuiteRun] = {}
        for item in items:
            if CASE in item.stash:
                suite_run = item.stash[SUITE_RUN]
                runs[suite_run.name] = suite_run
                tests.setdefault(suite_run.name, {})[item.nodeid] = item.stash[CASE].id
        if runs:
            parts = {name: _part(suite_run, tests[name]) for name, suite_run in runs.items()}
            self._write(self._folder.plan(self._id), Plan(parts))

    def _write(self, path: Path, value: Plan | Judged) -> None:
        """Write a file atomically."""
        new = path.with_suffix(".new")
        try:
            self._folder.make()
            new.write_bytes(encoded(value))
            new.replace(path)
        except OSError as error:
            where = f"{path.parent} ({error.strerror})"
            raise pytest.UsageError(
                f"loopspec: a worker cannot write into {where}: all must be on one machine"
            ) from None

    # -- one case ------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Start the watchdog for conformance cases only."""
        if CASE not in item.stash:
            return (yield)
        self._under_way = item
        with self._watchdog.within(longest(self._timeout, item.stash[SUITE_RUN].target.isolated)):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the result before the baseline is applied, which is the controller's task."""
        report = yield
        result = item.stash.get(RESULT, None)
        if result is not None:
            del item.stash[RESULT]
            judged = _judged(item, result)
            if result.verdict == "timed-out" and not item.stash[SUITE_RUN].target.isolated:
                self._end(item, judged)
            setattr(report, loopspec_pytest.KEY, encoded(judged))
            for name in ("longrepr", "wasxfail"):
                if isinstance(text := vars(report).get(name), str):  # xdist cannot send a lone surrogate
                    setattr(report, name, text.encode("utf-8", "backslashreplace").decode())
        return report

    def _give_up(self) -> None:
        item = self._under_way
        assert item is not None
        target = item.stash[SUITE_RUN].target
        result = timed_out(item.stash[CASE], target, longest(self._timeout, target.isolated))
        self._end(item, _judged(item, result))

    def _end(self, item: pytest.Item, judged: Judged) -> NoReturn:
        """End this process during a case, so that xdist blames no other case."""
        try:
            self._write(self._folder.last_words(self._id), judged)
            target = item.stash[SUITE_RUN].target
            if target.isolated:  # one in this process ends with it
                with suppress(Exception):
                    target.close()
        finally:
            os._exit(4)

    def pytest_unconfigure(self) -> None:
        """Stop the watchdog."""
        self._watchdog.__exit__()


def _part(suite_run: SuiteRun, tests: dict[str, str]) -> Part:
    target = suite_run.target
    return Part(
        identity=target.identity,
        roles=tuple(sorted(target.roles)),
        capabilities=tuple(sorted(target.capabilities)),
        cases=tuple(case.id for case in suite_run.whole),
        tests=tests,
        postures=dict(target.postures),
    )


def _judged(item: pytest.Item, result: Result) -> Judged:
    suite_run = item.stash[SUITE_RUN]
    if CANARY in result.rules:
        return Judged(suite_run.name, canary=suite_run.canary)
    aborted = suite_run.aborted if suite_run.target.isolated else ""  # otherwise only this worker ends
    return Judged(suite_run.name, case_line(result), tuple(map(case_line, result.broken)), aborted=aborted)
