"""A run that pytest-xdist distributes: each worker leaves reports of its part, and the controller unites them.

A worker is to the whole run what a shard is. Its part is a report for each target, and the name of the case that it
performs, in which it may end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import loopspec_pytest

from ..engine.baseline import Baseline
from ..engine.result import Result, case_line
from ..reports.account import Account, read_account
from ..reports.jsonl import write_report
from ..reports.merging import run_again, united
from ..specification.cases import Case
from ..specification.sources import case_named
from .showing import show


class Part:
    """The part of a worker, in the folder that the controller names."""

    def __init__(self, folder: Path, worker: str) -> None:
        self._folder = folder
        self._worker = worker
        self._performed = folder / f"{worker}.performed"

    @classmethod
    def of(cls, config: pytest.Config) -> Part | None:
        """The part of this process; None if it is no worker."""
        given = getattr(config, "workerinput", None)
        return cls(Path(given[loopspec_pytest.KEY]), given["workerid"]) if given else None

    def report(self, number: int) -> Path:
        """The path of the report on the target with this number."""
        return self._folder / f"{self._worker}-{number}.jsonl"

    def performs(self, number: int, case: Case) -> None:
        """Leave the name of the case that is performed next, on the target with this number."""
        self._performed.write_text(f"{number} {case.id}", encoding="utf-8")

    def account_for_the_end(self, report: pytest.TestReport, baseline: Baseline) -> None:
        """Account for the case in which the worker has ended, if there is one, and show it as any other failure."""
        if not self._performed.exists():
            return
        number, _, name = self._performed.read_text(encoding="utf-8").partition(" ")
        account, case = read_account(self.report(int(number))), case_named(name)
        if case and name in account.missing:
            suite_run = run_again(account.run, baseline)
            message = f"{account.run.identity.name} ended the process that judged it"
            where = f"{case.file}:{case.when.line}"
            crashed = Result(name, case.rule.ids, "crashed", 0.0, where, message, str(case.when), scene=case.scene)
            show(report, case, suite_run.take(crashed), suite_run)
            write_report(account.paths[0], [account.run, *account.lines, case_line(crashed)])


def whole_runs(folder: Path, baseline: Baseline, *, interrupted: bool) -> Iterator[Account]:
    """The run on each target, of the parts that workers have left in a folder."""
    parts: dict[str, list[Account]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        account = read_account(path)
        parts.setdefault(account.run.target, []).append(account)
    for of_target in parts.values():
        yield united(of_target[0].run, of_target, baseline, interrupted=interrupted)
