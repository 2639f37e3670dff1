"""The controller of a distributed run adds up the results of its workers, and judges nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn, Protocol

import msgspec
import pytest

import loopspec_pytest

from ...contract.faults import KitError
from ...engine.result import Result, result_of
from ...engine.run import SuiteRun
from ...specification.features import compiled
from ...targets.absent import AbsentTarget
from .. import activate
from ..showing import show
from .folder import Folder
from .wire import Judged, Plan


class _Gateway(Protocol):
    id: str


class _Node(Protocol):
    """The used part of xdist's `WorkerController`, which has no types."""

    gateway: _Gateway


class Controller:
    """Takes the results of all workers into one `SuiteRun` for each target, as the workers planned them."""

    def __init__(self, config: pytest.Config, folder: Path) -> None:
        self._config = config
        self._folder = Folder(folder)
        self._runs: dict[str, SuiteRun] = {}
        self._tests: dict[str, tuple[str, str]] = {}  # by node id: the target and the case
        self._ready: set[str] = set()
        self._lost: list[str] = []  # the cases in which workers were lost

    # -- workers come and go -------------------------------------------------------------------------------------------

    def collected(self, node: _Node) -> None:
        """Begin when the first worker has collected."""
        self._ready.add(node.gateway.id)
        plan = self._plan(node)
        if plan and plan.refusal:
            self._refuse(plan.refusal)
        if plan and not self._tests:
            self._begin(plan)

    def lost(self, node: _Node, error: object) -> None:
        """Find the reason why a worker was lost. A worker that is lost before its first case ends the run."""
        if error is None or error == "keyboard-interrupt":
            return
        plan = self._plan(node)
        if plan and plan.refusal:
            self._refuse(plan.refusal)
        if node.gateway.id not in self._ready and self._runs:
            why = str(error).strip().rpartition("\n")[2]  # of a traceback
            which = "several worker processes were lost, and the last one" if self._ready else "a worker process"
            self._refuse(f"{which} ended before its first case: {why}")

    def _plan(self, node: _Node) -> Plan | None:
        file = self._folder.plan(node.gateway.id)
        return msgspec.json.decode(file.read_bytes(), type=Plan) if file.exists() else None

    def _begin(self, plan: Plan) -> None:
        cases = {case.id: case for case in compiled()}
        for name, part in plan.parts.items():
            self._tests |= {test: (name, case) for test, case in part.tests.items()}
            target = AbsentTarget(part.identity, part.roles, part.capabilities, part.postures)
            try:
                planned = [cases[case] for case in part.cases]
                self._runs[name] = activate(self._config).begin(name, target, planned)
            except KitError as error:
                self._refuse(str(error))

    def _refuse(self, why: str) -> NoReturn:
        """End the run, and account for the existing results."""
        for suite_run in self._runs.values():
            suite_run.aborted = suite_run.aborted or why
        raise pytest.UsageError(f"loopspec: {why}")

    # -- results -------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the result of a worker before any reporter shows it, or account for a lost worker."""
        if sent := vars(report).get(loopspec_pytest.KEY):
            self._take(msgspec.json.decode(sent, type=Judged))
        elif report.nodeid in self._tests and report.when not in ("setup", "call", "teardown"):
            self._lose(report)

    def _take(self, judged: Judged) -> None:
        suite_run = self._runs[judged.target]
        if judged.canary is not None:
            suite_run.canary = judged.canary
        if judged.line:
            broken = tuple(map(result_of, judged.broken))
            suite_run.take(replace(result_of(judged.line), broken=broken))
        suite_run.aborted = suite_run.aborted or judged.aborted

    def _lose(self, report: pytest.TestReport) -> None:
        """Account for the case in which a worker ended, with the worker's last message if there is one."""
        name, id_ = self._tests[report.nodeid]
        suite_run = self._runs[name]
        case = next((case for case in suite_run.plan if case.id == id_), None)
        self._lost.append(id_)
        if case is None:
            return  # the canary is judged again in this process
        file = self._folder.last_words(vars(report)["node"].gateway.id)
        if id_ in suite_run.results:
            self._refuse(f"a worker process ended after {id_!r}, which was judged by then")
        if file.exists():
            self._take(msgspec.json.decode(file.read_bytes(), type=Judged))
        else:
            message = f"{suite_run.target.identity.name} ended the process that judged it"
            where = f"{case.file}:{case.when.line}"
            crashed = Result(case.id, case.rule.ids, "crashed", 0.0, where, str(case.when), message, scene=case.scene)
            suite_run.take(crashed)
        show(report, case, suite_run.results[id_], suite_run)

    # -- the end -------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the reason for missing results if xdist has stopped replacing workers."""
        for suite_run in self._runs.values():
            missing = not suite_run.is_complete
            if missing and self._lost and not suite_run.aborted and session.exitstatus != pytest.ExitCode.INTERRUPTED:
                suite_run.aborted = f"{len(self._lost)} worker processes were lost, the last one in {self._lost[-1]!r}"

    def pytest_unconfigure(self) -> None:
        """Remove the files of the workers."""
        self._folder.remove()
