"""Judge an adapter with the command from its README, and read the result."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopspec.contract.capabilities import capabilities_of_role
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.result import VERDICTS, CaseLine, Verdict
from loopspec.engine.run import Summary
from loopspec.reports.jsonl import RunLine, read_report
from loopspec.specification.cases import SEPARATOR
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.sources import charged_rule, forms
from loopspec_known.declarations import undeclared

from ..process import PATIENCE

ADAPTERS = Path(__file__).parents[3] / "conformance" / "adapters"


@dataclass(frozen=True)
class Judged:
    """The result of the command for one target."""

    target: str
    baseline: Baseline
    report: Path
    exit_code: int
    output: str
    run: RunLine
    cases: tuple[CaseLine, ...]
    summary: Summary

    @property
    def needed(self) -> set[str]:
        """The capabilities that the performed cases need."""
        return self._needed_by(*set(VERDICTS) - {"inapplicable"})

    @property
    def proven(self) -> set[str]:
        """The capabilities that the passed cases need."""
        return self._needed_by("passed")

    def assert_all_else_has_a_reason(self, folder: Path) -> None:
        """Each capability of an agent is declared, or the adapter says why not."""
        reasons = {one for reason in undeclared(folder) or () for one in reason.capabilities}
        assert reasons == set(capabilities_of_role("agent")) - set(self.run.capabilities)

    def _needed_by(self, *verdicts: Verdict) -> set[str]:
        judged = {case.case for case in self.cases if case.verdict in verdicts}
        return {need for case in compiled() if case.id in judged for need in case.needs}


def must_match_baseline(judged: Judged) -> None:
    """Each known failure of a run without variants has an entry, and each entry a failure.

    A flaky entry names a rule that is judged.
    """
    flaky = {entry.case for entry in judged.baseline.known if entry.flaky}
    applicable = {rule for case in judged.cases if case.verdict != "inapplicable" for rule in case.rules}
    judged_alone = [case for case in judged.cases if case.verdict == "known" and is_without_variant(case.case)]
    known = [case.case for case in judged_alone if flaky.isdisjoint(case.rules)]
    assert flaky <= applicable
    expected = [one.case for one in judged.baseline.known if not one.flaky and is_without_variant(one.case)]
    assert sorted(known) == sorted(expected)


def is_without_variant(entry: str) -> bool:
    """Whether an entry is about a case that a run without variants judges."""
    return not set(entry.split(SEPARATOR)) & forms().keys() and ledger().rules[charged_rule(entry)].status != "variant"


def judged_by(command: Sequence[str], folder: Path, baseline: str, report: Path) -> Judged:
    """Run the command `run TARGET …` in the adapter's folder."""
    words = [sys.executable, "-m", "loopspec", *command, "--report", str(report)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    run, *cases, summary = read_report(report) if report.exists() else pytest.fail(done.stderr)
    assert isinstance(run, RunLine)
    assert isinstance(summary, Summary)
    return Judged(
        command[1],
        load_baseline(folder / baseline, compiled()),
        report,
        done.returncode,
        done.stdout,
        run,
        tuple(case for case in cases if isinstance(case, CaseLine)),
        summary,
    )
