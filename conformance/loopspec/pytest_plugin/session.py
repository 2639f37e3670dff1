"""What the plugin does in a pytest run with a target: which cases, which verdicts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from pytest_bdd.parser import Step

from ..contract.capabilities import ROLES, Role
from ..contract.faults import AdapterError, KitError, TargetCrashed, TargetTimedOut, TargetUnusable, UsageError
from ..contract.mismatch import Mismatch
from ..contract.target import Target
from ..engine.baseline import Baseline, load_baseline
from ..engine.canary import CANARY, Mute, canary_fails
from ..engine.judge import Result, role_for, verdict_of
from ..engine.run import Running, Summary
from ..engine.verdict import FAILURES
from ..reports.jsonl import Report
from ..specification.cases import Case, compiled
from ..specification.ledger import ledger
from ..specification.selection import Selection, plan
from ..specification.shards import shard_of
from ..targets.resolve import resolve
from .distributed.folder import KEY
from .scenario import Playing

CASE = pytest.StashKey[Case]()
RUNNING = pytest.StashKey[Running]()
RESULT = pytest.StashKey[Result]()  # before the baseline has its say
_ROLE = pytest.StashKey[Role]()
_PLAYING = pytest.StashKey[Playing]()


class NotRun(Exception):
    """Raised for a case that comes after the target was found unusable."""


class Session:
    """One pytest run. `running` is given by the command line, which has planned already."""

    def __init__(self, config: pytest.Config, running: Running | None = None) -> None:
        self._config = config
        self._given = running
        self._runnings: dict[str, Running] = {}
        self._reports: list[Report] = []
        self._summaries: dict[str, Summary] = {}
        self._binding = False
        self._step = ("", 0)
        for name, what in (
            ("rule(id)", "the rule of the specification that a scenario is an example of"),
            ("provenance(name)", "what that rule rests on: documented, derived or clarified"),
        ):
            config.addinivalue_line("markers", f"{name}: {what}")

    def planned_files(self) -> frozenset[str] | None:
        """The feature files that the command line has planned cases of; None: whatever there is."""
        return frozenset(case.file for case in self._given.plan) if self._given else None

    # -- binding -----------------------------------------------------------------------------------------------

    @contextmanager
    def binding(self) -> Iterator[None]:
        """While the features are bound, their tags become no markers: every id would need to be registered."""
        self._binding = True
        try:
            yield
        finally:
            self._binding = False

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_bdd_apply_tag(self, tag: str, function: Callable[..., object]) -> bool | None:
        """Swallow the tags of our own features. Without `tryfirst`, pytest-bdd never asks."""
        return True if self._binding else None

    # -- collection --------------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Find out which case each item is, and keep those that were asked for."""
        of_target: dict[str, list[pytest.Item]] = {}
        whole: set[ModuleType] = set()
        for item in items:
            if isinstance(item, pytest.Function) and (cases := vars(item.function).get("loopspec_cases")):
                if item.module not in whole:
                    _check_suite(item)
                    whole.add(item.module)
                item.stash[CASE] = cases[_row(item)]
                of_target.setdefault(self._target_name(item), []).append(item)
        kept: list[pytest.Item] = [item for item in items if CASE not in item.stash]
        try:
            for name, its_items in of_target.items():
                kept += self._planned(name, its_items)
        except KitError as error:
            raise pytest.UsageError(f"loopspec: {error}") from None
        if left := list(set(items) - set(kept)):
            self._config.hook.pytest_deselected(items=left)
        items[:] = kept

    def _target_name(self, item: pytest.Function) -> str:
        name = getattr(item.module, "LOOPSPEC_TARGET", None) or self._config.getoption("--loopspec-target")
        if self._given:
            return self._given.name
        if not isinstance(name, str):
            raise pytest.UsageError(
                f"loopspec: {item.path} names no target: set LOOPSPEC_TARGET in it, or pass --loopspec-target"
            )
        return name

    def _planned(self, name: str, items: Sequence[pytest.Function | pytest.Item]) -> list[pytest.Item]:
        canaries = [item for item in items if CANARY in item.stash[CASE].rule.ids]
        by_case = {item.stash[CASE].id: item for item in items if item not in canaries}
        cases = [item.stash[CASE] for item in by_case.values()]
        running = self._given or self._running(name, cases)
        self._runnings[name] = running
        for item in items:
            item.stash[RUNNING] = running
        return [*canaries, *(by_case[case.id] for case in running.plan if case.id in by_case)]

    def _running(self, name: str, cases: Sequence[Case]) -> Running:
        option = self._config.getoption
        role = option("--loopspec-role")
        if role is not None and role not in ROLES:
            raise UsageError(f"there is no role {role!r}: the roles are {', '.join(ROLES)}")
        if not option("--loopspec-timeout") > 0:
            raise UsageError("--loopspec-timeout must be more than 0 seconds")
        selection = Selection(
            rules=option("--loopspec-rule"),
            areas=option("--loopspec-area"),
            cases=option("--loopspec-case"),
            deselect=option("--loopspec-deselect"),
            role=role,
            seed=option("--loopspec-seed"),
        )
        return self.begin(name, resolve(name), plan(cases, selection, ledger().rules))

    def begin(self, name: str, target: Target, whole: Sequence[Case]) -> Running:
        """Begin to judge a target, by the options; or to hear of it from those who judge it."""
        option = self._config.getoption
        file = option("--loopspec-baseline")
        baseline = load_baseline(Path(file), compiled()) if file else Baseline()
        running = Running(
            target,
            name,
            whole,
            baseline=baseline,
            strict=option("--loopspec-strict"),
            role=option("--loopspec-role"),
            seed=option("--loopspec-seed"),
            shard=shard_of(option("--loopspec-shard")) if option("--loopspec-shard") else None,
        )
        worker = getattr(self._config, "workerinput", None)
        path = option("--loopspec-report")
        if path and worker is not None and KEY not in worker:
            raise UsageError("--loopspec-report needs loopspec in the process that divides this run: leave out -n")
        if path and worker is None:
            if self._reports:
                raise UsageError("--loopspec-report is for one target, and this run has several")
            report = Report(Path(path))
            report.begin(running)
            running.watchers.append(report.case)
            self._reports.append(report)
        self._runnings[name] = running
        return running

    # -- one case ----------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip what is inapplicable; refuse what comes after the target was found unusable."""
        if CASE not in item.stash:
            return
        case, running = item.stash[CASE], item.stash[RUNNING]
        self._step = ("", case.line)
        if CANARY in case.rule.ids:
            item.stash[_ROLE] = "loader"
            return
        if running.aborted:
            raise NotRun(running.aborted)
        role, why_not = role_for(case, running.target, running.role)
        if role is None:
            pytest.skip(why_not)
        item.stash[_ROLE] = role

    def playing(self, item: pytest.Item) -> Playing:
        """The scenario of an item, ready for its first step."""
        deadline = self._config.getoption("--loopspec-timeout")
        canary = CANARY in item.stash[CASE].rule.ids
        target = Mute() if canary else item.stash[RUNNING].target
        item.stash[_PLAYING] = Playing(target, item.stash[_ROLE], deadline)
        return item.stash[_PLAYING]

    @pytest.hookimpl(optionalhook=True)
    def pytest_bdd_before_step(self, step: Step) -> None:
        """Remember where we are."""
        self._step = (f"{step.type.capitalize()} {step.name}", step.line_number)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Turn what pytest saw into a verdict, and the verdict into what pytest shows."""
        report = yield
        if CASE not in item.stash or call.when == "teardown" or (call.when == "setup" and call.excinfo is None):
            return report
        case, running = item.stash[CASE], item.stash[RUNNING]
        result = self._result(item, case, call)
        if result.verdict in ("failed", "errored", "timed-out", "crashed"):
            result = replace(result, evidence=running.target.evidence)
        item.stash[RESULT] = result
        if CANARY in case.rule.ids:
            running.canary = result.verdict == "failed"
            report.outcome = "passed" if running.canary else "failed"
            report.longrepr = None if running.canary else "the case that must fail did not fail"
            return report
        result = running.take(result)
        show(report, case, result, running)
        return report

    def _result(self, item: pytest.Item, case: Case, call: pytest.CallInfo[None]) -> Result:
        error = call.excinfo.value if call.excinfo else None
        playing = item.stash.get(_PLAYING, None)
        scene, seen = (playing.scene, playing.observation) if playing else (None, None)
        step, line = self._step
        where = f"{case.file}:{line}"
        ids, seconds = case.rule.ids, call.duration
        match error:
            case None:
                return Result(case.id, ids, "passed", seconds)
            case Mismatch():
                return Result(
                    case.id, ids, "failed", seconds, where, step, str(error), error.expected, error.seen, scene, seen
                )
            case AdapterError() | TargetCrashed() | TargetTimedOut() | TargetUnusable():
                return Result(case.id, ids, verdict_of(error), seconds, where, step, str(error), scene=case.scene)
            case pytest.skip.Exception():
                return Result(case.id, ids, "inapplicable", message=str(error))
            case NotRun():
                return Result(case.id, ids, "not-run", message=str(error))
        message = f"the suite itself failed: {type(error).__name__}: {error}"
        return Result(case.id, ids, "errored", seconds, where, step, message, scene=scene, observation=seen)

    # -- the end -----------------------------------------------------------------------------------------------

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Account for everything; nothing judged is a failure, too."""
        if self._given or session.config.option.collectonly or hasattr(session.config, "workerinput"):
            return  # the command adds up by itself, nothing has run, or this process sees but a part of the run
        stopped = session.exitstatus == pytest.ExitCode.INTERRUPTED  # of workers, `-x` is told in the same way
        for name, running in self._runnings.items():
            if running.canary is None:
                running.canary = canary_fails()
            summary = running.finish(interrupted=stopped and not session.shouldfail)
            self._summaries[name] = summary
            for report in self._reports:
                report.end(summary)
                report.close()
            running.target.close()
            if summary.exit_code and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self._problems() and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR  # as of a report that cannot be begun

    def _problems(self) -> list[str]:
        return [report.problem for report in self._reports if report.problem]

    def pytest_unconfigure(self) -> None:
        """Close what no end came for: a run that only collects, or one that is refused."""
        for report in self._reports:
            report.close()
        if not self._given:
            for name in self._runnings.keys() - self._summaries.keys():
                self._runnings[name].target.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the counts of every verdict, and what became of a report that is not whole."""
        for name, summary in self._summaries.items():
            label = self._runnings[name].label
            for what, counts in (("rules", summary.rules), ("clarified rules", summary.clarified)):
                line = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
                terminalreporter.write_line(f"loopspec {label}: {what}: {line or 'none'}")
        for problem in self._problems():
            terminalreporter.write_line(f"loopspec: {problem}", red=True)


def _check_suite(item: pytest.Function) -> None:
    """Refuse a module that has overridden or deleted a test of the suite."""
    module = item.module
    for name, function in vars(module).get("LOOPSPEC_SUITE", {}).items():
        if vars(module).get(name) is not function:
            done = "overrides" if name in vars(module) else "deletes"
            raise pytest.UsageError(
                f"loopspec: {item.path} {done} {name}: what a target is known to do differently belongs into a "
                "baseline, see --loopspec-baseline"
            )


def _row(item: pytest.Function) -> tuple[str, ...]:
    """The cells of an outline's row: the one parameter that pytest-bdd gives its tests."""
    callspec = getattr(item, "callspec", None)
    return tuple(next(iter(callspec.params.values())).values()) if callspec else ()


def show(report: pytest.TestReport, case: Case, result: Result, running: Running) -> None:
    """Let pytest show a verdict its own way: one paragraph instead of a traceback through the harness."""
    sentence = f"{', '.join(case.rule.ids)}: {case.rule.sentence}"
    if result.verdict == "known":
        entry = running.baseline.entry(result)
        report.outcome = "skipped"
        report.wasxfail = entry.reason if entry else ""
    elif result.verdict in FAILURES and not running.decides(result):
        report.outcome = "skipped"
        report.wasxfail = f"clarified, so it decides under --loopspec-strict only: {result.message}"
    elif result.verdict not in ("passed", "inapplicable"):
        report.outcome = "failed"
        report.longrepr = f"{result.verdict}: {sentence}\n{result.location}  {result.step}\n{result.message}"
