"""The plugin in a pytest run with a target: the planned cases, and their results."""

from __future__ import annotations

import gc
from collections.abc import Generator, Sequence
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from msgspec.structs import replace
from pytest_bdd.parser import Feature, Scenario, Step

from ..contract.faults import KitError, SuiteError, UsageError
from ..contract.reasons import Inapplicable
from ..contract.roles import ROLES
from ..contract.target import Target
from ..engine.baseline import Baseline, load_baseline
from ..engine.checking import inapplicable
from ..engine.in_process import with_evidence
from ..engine.judge import Mute, canary_fails, role_for
from ..engine.result import VERDICTS, Result
from ..engine.run import SuiteRun
from ..reports.account import Account, account_of, ending
from ..reports.jsonl import Report
from ..specification.cases import Case
from ..specification.features import CANARY, compiled
from ..specification.ledger import ledger
from ..specification.selection import Selection, plan, shard_of
from ..specification.sources import case_named
from ..targets.resolve import resolve
from .binding import NotPassed, ScenarioRun, take_steps
from .showing import printed_in, show

CASE = pytest.StashKey[Case]()
SUITE_RUN = pytest.StashKey[SuiteRun]()
_SCENARIO_RUN = pytest.StashKey[ScenarioRun]()
_WHY_NOT = pytest.StashKey[Inapplicable]()  # the reason why a case is inapplicable

_MARKERS = {
    "rule(id)": "the rule of the specification that a scenario is an example of",
    "documented": "its basis: a document says it",
    "derived": "its basis: it follows from what a document says",
    "clarified": "its basis: the documents are silent, and a decision says what is required",
    "normative": "the rule is documented or derived, so it counts in any run",
    "advisory": "the rule is clarified, so it counts under --loopspec-strict",
}


class NotRun(Exception):
    """Raised for a case after the target has become unusable."""


class Session:
    """One pytest run. Several suite modules may name several targets."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._runs: dict[str, SuiteRun] = {}
        self._reports: list[Report] = []
        self._ended: list[Account] = []
        self._problems: list[str] = []
        self._is_worker = hasattr(config, "workerinput")  # of pytest-xdist: it has only a part of the tests
        for name, what in _MARKERS.items():
            config.addinivalue_line("markers", f"{name}: {what}")

    # -- collection ----------------------------------------------------------------------------------------------------

    def cases(self) -> Sequence[Case]:
        """The cases to bind: those of the feature files with a selected case."""
        try:
            files = {case.file for case in self._selected(compiled())}
        except UsageError:
            return []  # raised again when the items are planned, where pytest can report it
        return [case for case in compiled() if case.file in files]

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Find the case of an item; `-k` accepts the ids of its rules."""
        if isinstance(item, pytest.Function) and (cases := vars(item.function).get("loopspec_cases")):
            item.stash[CASE] = case = cases[_row(item)]
            item.extra_keyword_matches.update(case.rule.ids)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Plan the items that pytest's options have left, and deselect cases of other roles."""
        of_target: dict[str, list[pytest.Item]] = {}
        whole: set[ModuleType] = set()
        for item in items:
            if isinstance(item, pytest.Function) and CASE in item.stash:
                if item.module not in whole:
                    _check_suite(item)
                    whole.add(item.module)
                of_target.setdefault(self._target_name(item), []).append(item)
        if self._config.getoption("--loopspec-target") and not of_target and not session.testsfailed:
            self._must_be_right()
            raise pytest.UsageError(
                "loopspec: --loopspec-target is given, and no conformance case is among the tests: name no file or "
                "folder on the command line, or one with a module that says `from loopspec.suite import *`"
            )
        kept: list[pytest.Item] = [item for item in items if CASE not in item.stash]
        try:
            for name, its_items in of_target.items():
                kept += self._planned(name, its_items)
        except KitError as error:
            raise pytest.UsageError(f"loopspec: {error}") from None
        if left := list(set(items) - set(kept)):
            self._config.hook.pytest_deselected(items=left)
        items[:] = kept

    def _must_be_right(self) -> None:
        """Raise the error of the options, if the error is why there is no case."""
        try:
            self._selected(compiled())
        except UsageError as error:
            raise pytest.UsageError(f"loopspec: {error}") from None

    def _target_name(self, item: pytest.Function) -> str:
        name = getattr(item.module, "LOOPSPEC_TARGET", None) or self._config.getoption("--loopspec-target")
        if not isinstance(name, str):
            raise pytest.UsageError(
                f"loopspec: {item.path} names no target: set LOOPSPEC_TARGET in it, or pass --loopspec-target"
            )
        return name

    def _planned(self, name: str, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        canaries = [item for item in items if CANARY in item.stash[CASE].rule.ids]
        by_case = {item.stash[CASE].id: item for item in items if item not in canaries}
        cases = [item.stash[CASE] for item in by_case.values()]
        if not cases:
            self._must_be_right()
        suite_run = self._begin(name, resolve(name), self._selected(cases))
        for item in items:
            item.stash[SUITE_RUN] = suite_run
        for case in suite_run.plan:
            by_case[case.id].stash[CASE] = case  # as planned: a case that takes long in its short form
        left = [case.id for case in suite_run.plan if case.id not in suite_run.results]
        return [*canaries, *(by_case[case] for case in left if case in by_case)]

    def _selected(self, cases: Sequence[Case]) -> list[Case]:
        """The selected examples, in order. No test judges a variant or an invariant, so neither can be planned."""
        selected = plan(cases, self._selection(), ledger().rules)
        examples = [case for case in selected if case.base is case]
        if not examples:
            raise UsageError(
                "only variants or invariants are selected, which `loopspec run` judges and pytest does not"
            )
        return examples

    def _selection(self) -> Selection:
        option = self._config.getoption
        role = option("--loopspec-role")
        if role is not None and role not in ROLES:
            raise UsageError(f"there is no role {role!r}: the roles are {', '.join(ROLES)}")
        return Selection(
            rules=option("--loopspec-rule"),
            areas=option("--loopspec-area"),
            cases=option("--loopspec-case"),
            deselect=option("--loopspec-deselect"),
            role=role,
            seed=option("--loopspec-seed"),
            variants=("none",),
            soak=option("--loopspec-soak"),
        )

    def _begin(self, name: str, target: Target, whole: Sequence[Case]) -> SuiteRun:
        """Start judging a target with the options.

        Cases of roles that the target lacks are inapplicable from the start, and are not shown.
        """
        option = self._config.getoption
        if not option("--loopspec-timeout") > 0:
            raise UsageError("--loopspec-timeout must be more than 0 seconds")
        suite_run = SuiteRun(
            target,
            name,
            whole,
            baseline=self.baseline(),
            strict=option("--loopspec-strict"),
            role=option("--loopspec-role"),
            seed=option("--loopspec-seed"),
            shard=shard_of(option("--loopspec-shard")) if option("--loopspec-shard") else None,
            selected=self._selection().is_named,
        )
        self._open_report(suite_run)
        for case in suite_run.plan:
            if target.roles.isdisjoint(case.roles):
                suite_run.take(inapplicable(case, Inapplicable("role", case.roles)))
        self._runs[name] = suite_run
        return suite_run

    def baseline(self) -> Baseline:
        """The known failures of the run."""
        file = self._config.getoption("--loopspec-baseline")
        return load_baseline(Path(file), compiled()) if file else Baseline()

    def _open_report(self, suite_run: SuiteRun) -> None:
        path = self._config.getoption("--loopspec-report")
        if path and self._reports:
            raise UsageError("--loopspec-report is for one target, and this run has several")
        if path:
            report = Report(Path(path))
            report.begin(suite_run)
            suite_run.watchers.append(report.case)
            self._reports.append(report)

    # -- one case ------------------------------------------------------------------------------------------------------

    def pytest_collection_finish(self) -> None:
        """Exclude the plan from garbage collection: it is large and stays until the end."""
        if self._runs:
            gc.freeze()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip an inapplicable case; fail a case after the target has become unusable."""
        if CASE not in item.stash or CANARY in item.stash[CASE].rule.ids:
            return
        case, suite_run = item.stash[CASE], item.stash[SUITE_RUN]
        if isinstance(reason := role_for(case, suite_run.target, suite_run.role), Inapplicable):
            item.stash[_WHY_NOT] = reason
            pytest.skip(str(reason))
        if suite_run.aborted:
            raise NotRun(suite_run.aborted)

    @pytest.hookimpl(trylast=True, optionalhook=True)
    def pytest_bdd_before_scenario(self, request: pytest.FixtureRequest, feature: Feature, scenario: Scenario) -> None:
        """Let the engine take the steps of a case, since pytest-bdd would look for a function of each."""
        item: pytest.Item = request.node
        if CASE not in item.stash:
            return
        case, suite_run = item.stash[CASE], item.stash[SUITE_RUN]
        target, role = (Mute(), None) if CANARY in case.rule.ids else (suite_run.target, suite_run.role)
        scenario_run = ScenarioRun(case, target, role, self._config.getoption("--loopspec-timeout"))
        item.stash[_SCENARIO_RUN] = scenario_run
        scenario.steps = cast("list[Step]", take_steps(scenario_run, scenario.steps, request, feature, scenario))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Take the result of the case, and let pytest show it."""
        report = yield
        if CASE not in item.stash or call.when == "teardown" or (call.when == "setup" and call.excinfo is None):
            return report
        case, suite_run = item.stash[CASE], item.stash[SUITE_RUN]
        result = with_evidence(self._result(item, case, call), printed_in(report))
        if CANARY in case.rule.ids:
            suite_run.canary = result.verdict == "failed"
            report.outcome = "passed" if suite_run.canary else "failed"
            report.longrepr = None if suite_run.canary else "the case that must fail did not fail"
            return report
        show(report, *_failing(case, suite_run.take(result), suite_run), suite_run)
        return report

    def _result(self, item: pytest.Item, case: Case, call: pytest.CallInfo[None]) -> Result:
        error = call.excinfo.value if call.excinfo else None
        scenario_run = item.stash.get(_SCENARIO_RUN, None)
        result = scenario_run.result if scenario_run else None
        if _WHY_NOT in item.stash:
            return inapplicable(case, item.stash[_WHY_NOT])
        if isinstance(error, NotRun | pytest.skip.Exception):
            why = str(error) if isinstance(error, NotRun) else f"it was skipped: {error}"
            return Result(case.id, case.rule.ids, "not-run", message=why)
        if error is None and scenario_run and not scenario_run.is_complete:
            error = SuiteError(f"{case.file}: pytest-bdd has not read all steps of {case.title!r}")
        if result and (error is None or isinstance(error, NotPassed)):
            return result
        message = f"the suite itself failed: {type(error).__name__}: {error}"
        where = f"{case.file}:{case.when.line}"
        broken = Result(case.id, case.rule.ids, "errored", call.duration, where, message, str(case.when))
        return replace(broken, scene=case.scene, observation=result.observation if result else None)

    # -- the end -------------------------------------------------------------------------------------------------------

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Account for every case; a run without a judged case fails."""
        if session.config.option.collectonly or self._is_worker:
            return  # nothing was run, or the other workers have run the rest
        interrupted = session.exitstatus == pytest.ExitCode.INTERRUPTED and not session.shouldfail
        for number, suite_run in enumerate(self._runs.values()):
            if suite_run.canary is None:
                suite_run.canary = canary_fails()
            summary = suite_run.finish(interrupted)
            for report in self._reports[number : number + 1]:
                report.write(summary)
                report.close()
                self._problems += [report.problem] * bool(report.problem)
            suite_run.target.close()
            self._end(session, account_of(suite_run, summary))

    def _end(self, session: pytest.Session, account: Account) -> None:
        """Keep the account of a run for the summary, and see that the exit code is not that of a success."""
        self._ended.append(account)
        if account.summary and account.summary.exit_code and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self._problems and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            # the same as for a report whose first line cannot be written
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_unconfigure(self) -> None:
        """Close targets and reports of a run that only collects, that is rejected, or that is a worker's."""
        for report in self._reports:
            report.close()
        if not self._ended:
            for suite_run in self._runs.values():
                suite_run.target.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the counts of every verdict, the last sentence of each run, and the problem of a report."""
        for account in self._ended:
            for what in ("normative rules", "advisory rules"):
                counts = account.counts[what]
                line = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
                terminalreporter.write_line(f"loopspec {account.label}: {what}: {line or 'none'}")
            failed = account.summary is None or account.summary.exit_code != 0
            terminalreporter.write_line(f"loopspec: {ending(account)}", red=failed)
        for problem in self._problems:
            terminalreporter.write_line(f"loopspec: {problem}", red=True)


def _failing(case: Case, result: Result, suite_run: SuiteRun) -> tuple[Case, Result]:
    """The case with its result; if it passes, an invariant that does not hold in it and fails the run."""
    for broken in result.broken if result.verdict == "passed" else ():
        taken, of_invariant = suite_run.results[broken.case], case_named(broken.case)
        if of_invariant and suite_run.fails_run(taken):
            return of_invariant, taken
    return case, result


def _check_suite(item: pytest.Function) -> None:
    """Raise `pytest.UsageError` for a module that has overridden or deleted a test of the suite."""
    module = item.module
    for name, function in vars(module).get("LOOPSPEC_SUITE", {}).items():
        if vars(module).get(name) is not function:
            done = "overrides" if name in vars(module) else "deletes"
            raise pytest.UsageError(
                f"loopspec: {item.path} {done} {name}: known differences of a target belong in a "
                "baseline, see --loopspec-baseline"
            )


def _row(item: pytest.Function) -> tuple[str, ...]:
    """The cells of an outline's row, which is the only parameter of the test."""
    callspec = getattr(item, "callspec", None)
    return tuple(next(iter(callspec.params.values())).values()) if callspec else ()
