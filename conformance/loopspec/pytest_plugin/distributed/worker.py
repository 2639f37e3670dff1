"""A worker of a divided run: it judges what it is given, and adds nothing up."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, cast

import msgspec
import pytest

from ...contract.capabilities import Role
from ...contract.faults import KitError
from ...engine.canary import CANARY
from ...engine.judge import Result
from ...engine.run import Running
from ...reports.jsonl import case_line, encoded
from ...specification.cases import compiled
from ...targets.resolve import resolve
from ..session import CASE, RESULT, RUNNING, Session
from ..watchdog import Watchdog
from .folder import KEY, ORDER, Folder
from .wire import Order, Part, Plan, Told


def join(config: pytest.Config) -> Session:
    """What does the work in this worker, which knows from its controller what there is to do."""
    worker = Worker(config)
    session = worker.begin()
    config.pluginmanager.register(worker, "loopspec-worker")
    return session


class Worker:
    """Sends the result of each case along with what pytest reports of it.

    A case that hangs costs this process: in it nothing can be stopped. xdist starts another for what is left.
    """

    def __init__(self, config: pytest.Config) -> None:
        given = vars(config)["workerinput"]
        self._config = config
        self._id: str = given["workerid"]
        self._folder = Folder(given[KEY])
        self._order = msgspec.json.decode(given[ORDER], type=Order) if ORDER in given else None
        self._running: Running | None = None  # the one that was ordered
        self._parent = os.getppid()
        self._watchdog = Watchdog(config.getoption("--loopspec-timeout"), self._give_up, self._abandon)

    def begin(self) -> Session:
        """Make a session, which plans by itself, or of what was ordered."""
        if self._order:
            # Ctrl-C is the controller's to answer: it takes the folder away, and every worker ends.
            signal.signal(signal.SIGINT, lambda signum, frame: None)
            self._config.option.tbstyle = "native"
            try:
                self._running = _ordered(self._order)
            except KitError as error:
                self._refuse(str(error))
        self._watchdog.__enter__()
        self._config.pluginmanager.register(self._watchdog, "loopspec-watchdog")
        return Session(self._config, self._running)

    def _refuse(self, sentence: str) -> NoReturn:
        _write(self._folder.plan(self._id), Plan(refusal=sentence))
        raise pytest.UsageError(f"loopspec: {sentence}")

    # -- collection --------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None]:
        """Let the controller know what is planned, before xdist tells it which tests there are."""
        try:
            yield
        except pytest.UsageError as error:
            self._refuse(str(error).removeprefix("loopspec: "))
        tests: dict[str, dict[str, str]] = {}
        runnings: dict[str, Running] = {}
        for item in items:
            if CASE in item.stash:
                running = item.stash[RUNNING]
                runnings[running.name] = running
                tests.setdefault(running.name, {})[item.nodeid] = item.stash[CASE].id
        if runnings:
            parts = {name: _part(running, tests[name]) for name, running in runnings.items()}
            _write(self._folder.plan(self._id), Plan(parts))
        if self._order:
            gc.freeze()  # as in a run in one process

    # -- one case ----------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the result along, as it was before the baseline had its say: that is the controller's."""
        report = yield
        result = item.stash.get(RESULT, None)
        if result is not None:
            del item.stash[RESULT]
            told = _told(item, result)
            if result.verdict == "timed-out" and not item.stash[RUNNING].target.isolated:
                self._end(item, told)
            setattr(report, KEY, encoded(told))
            for name in ("longrepr", "wasxfail"):
                if isinstance(text := vars(report).get(name), str):  # xdist has no way to send a lone surrogate
                    setattr(report, name, text.encode("utf-8", "backslashreplace").decode())
        return report

    def _give_up(self, item: pytest.Item, limit: float) -> None:
        case, target = item.stash[CASE], item.stash[RUNNING].target
        message = f"{target.identity.name} did not come back within {limit:g} s"
        where = f"{case.file}:{case.line}"
        self._end(item, _told(item, Result(case.id, case.rule.ids, "timed-out", limit, where, message=message)))

    def _end(self, item: pytest.Item, told: Told) -> NoReturn:
        """End this process in the middle of a case, so that xdist blames no other."""
        try:
            _write(self._folder.last_words(self._id), told)
            _let_go(item.stash[RUNNING])
        finally:
            os._exit(4)

    def _abandon(self) -> None:
        """End when nobody waits: the controller is gone, or was interrupted."""
        if self._running and (os.getppid() != self._parent or not self._folder.exists()):
            _let_go(self._running)
            os._exit(130)

    def pytest_unconfigure(self) -> None:
        """Let go of what was ordered."""
        self._watchdog.__exit__()
        if self._running:
            self._running.target.close()


def _ordered(order: Order) -> Running:
    cases = {case.id: case for case in compiled()}
    plan = [cases[name] for name in order.cases]
    return Running(resolve(order.target), order.target, plan, role=cast("Role | None", order.role))


def _part(running: Running, tests: dict[str, str]) -> Part:
    target = running.target
    return Part(
        identity=target.identity,
        roles=tuple(sorted(target.roles)),
        capabilities=tuple(sorted(target.capabilities)),
        cases=tuple(case.id for case in running.whole),
        shard=running.shard,
        tests=tests,
    )


def _told(item: pytest.Item, result: Result) -> Told:
    running = item.stash[RUNNING]
    if CANARY in result.rules:
        return Told(running.name, canary=running.canary)
    aborted = running.aborted if running.target.isolated else ""  # one that hangs in here costs this worker only
    return Told(running.name, case_line(result), aborted=aborted)


def _let_go(running: Running) -> None:
    """End the processes of a target; one in this process ends with it."""
    if running.target.isolated:
        with suppress(Exception):
            running.target.close()


def _write(path: Path, value: Plan | Told) -> None:
    """Write a file that is either whole or not there."""
    new = path.with_suffix(".new")
    try:
        new.write_bytes(encoded(value))
        new.replace(path)
    except OSError as error:
        where = f"{path.parent} ({error.strerror})"
        raise pytest.UsageError(f"loopspec: a worker cannot write into {where}: all must be on one machine") from None
