"""A run that pytest-xdist distributes: each worker judges its part, and the controller adds the results up."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import pytest
from msgspec import Struct
from msgspec.json import decode

import loopspec_pytest

from ..contract.axes import Posture
from ..contract.faults import KitError
from ..contract.target import Identity
from ..engine.result import CaseLine, Result, case_line, encoded, result_of
from ..engine.run import SuiteRun
from ..specification.features import CANARY, compiled
from ..targets.resolve import AbsentTarget
from .session import CASE, RESULT, SUITE_RUN, Session
from .showing import show


class Part(Struct, frozen=True):
    """The plan of a worker for one target. `tests` has the case of each test, by node id."""

    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    postures: dict[str, Posture]
    cases: frozenset[str]
    tests: dict[str, str]


class Judged(Struct, frozen=True):
    """The result of one case on a target, and of the invariants that do not hold in it.

    The first one of a worker has the plan of the worker, by target.
    """

    target: str
    line: CaseLine
    broken: tuple[CaseLine, ...]
    aborted: str
    parts: dict[str, Part]


class Worker:
    """Sends the result of each case to the controller, in pytest's report of the test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._parts: dict[str, Part] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None]:
        """Keep the plan, or the reason why this worker cannot continue."""
        try:
            yield
        except pytest.UsageError as error:
            vars(self._config)["workeroutput"][loopspec_pytest.KEY] = str(error)
            raise
        for item in items:
            if CASE in item.stash:
                suite_run = item.stash[SUITE_RUN]
                part = self._parts.setdefault(suite_run.name, _part(suite_run))
                part.tests[item.nodeid] = item.stash[CASE].id

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the result before the baseline is applied, which is the controller's task."""
        report = yield
        result = item.stash.get(RESULT, None)
        if result is None or CANARY in result.rules:  # the controller judges the canary itself
            return report
        del item.stash[RESULT]
        suite_run = item.stash[SUITE_RUN]
        broken = tuple(map(case_line, result.broken))
        judged = Judged(suite_run.name, case_line(result), broken, suite_run.aborted, self._parts)
        setattr(report, loopspec_pytest.KEY, encoded(judged))
        self._parts = {}
        for name in ("longrepr", "wasxfail"):
            if isinstance(text := vars(report).get(name), str):  # xdist cannot send a lone surrogate
                setattr(report, name, text.encode("utf-8", "backslashreplace").decode())
        return report


def _part(suite_run: SuiteRun) -> Part:
    target = suite_run.target
    return Part(
        identity=target.identity,
        roles=tuple(sorted(target.roles)),
        capabilities=tuple(sorted(target.capabilities)),
        postures=dict(target.postures),
        cases=frozenset(case.id for case in suite_run.whole),
        tests={},
    )


class Controller:
    """Takes the results of all workers into the session of the controller.

    `lost` are the reports of tests in which a worker was lost before the first result.
    """

    def __init__(self, session: Session, lost: list[pytest.TestReport]) -> None:
        self._session = session
        self._runs: dict[str, SuiteRun] = {}
        self._tests: dict[str, tuple[str, str]] = {}  # by node id: the target and the case
        self._lost = lost

    def take(self, report: pytest.TestReport) -> None:
        """Take the result of a case, or account for a lost worker. Raises `pytest.UsageError`."""
        if sent := vars(report).get(loopspec_pytest.KEY):
            judged = decode(sent, type=Judged)
            if not self._runs:
                self._begin(judged.parts)
            suite_run = self._runs[judged.target]
            suite_run.take(replace(result_of(judged.line), broken=tuple(map(result_of, judged.broken))))
            suite_run.aborted = suite_run.aborted or judged.aborted
        elif report.when not in ("setup", "call", "teardown"):
            self._lost.append(report)
        while self._lost:
            self._lose(self._lost.pop())

    def _begin(self, parts: dict[str, Part]) -> None:
        for name, part in parts.items():
            self._tests |= {test: (name, case) for test, case in part.tests.items()}
            target = AbsentTarget(part.identity, part.roles, part.capabilities, part.postures)
            planned = self._session.selected([case for case in compiled() if case.id in part.cases])
            try:
                self._runs[name] = self._session.begin(name, target, planned)
            except KitError as error:
                raise pytest.UsageError(f"loopspec: {error}") from None

    def _lose(self, report: pytest.TestReport) -> None:
        """Account for the case in which a worker ended."""
        name, id_ = self._tests.get(report.nodeid, ("", ""))
        for case in self._runs[name].plan if name else ():
            if case.id == id_:
                message = f"{self._runs[name].target.identity.name} ended the process that judged it"
                where = f"{case.file}:{case.when.line}"
                crashed = Result(id_, case.rule.ids, "crashed", 0.0, where, str(case.when), message, scene=case.scene)
                show(report, case, self._runs[name].take(crashed), self._runs[name])
