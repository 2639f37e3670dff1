"""Hostile adapters in one run: each misbehavior has its own case, with a healthy case before and after it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopspec.engine.result import CaseLine

from ..process import Ended, Reported, is_alive, reported, run_loopspec
from .hostile.command import adapters, hostile
from .hostile.misbehaviors import COSTS

pytestmark = pytest.mark.long

AREAS = ["--area=AMD-IMPORT", "--area=AMD-BACKEND", "--area=AMD-ERROR"]
AT = {misbehavior: 2 * number for number, misbehavior in enumerate(COSTS, 1)}


@dataclass(frozen=True)
class Runs:
    """A run without misbehaviors, and one with all of them."""

    folder: Path
    healthy: Reported
    hostile: Reported
    ended: Ended
    seconds: float

    def case(self, number: int) -> tuple[CaseLine, CaseLine]:
        """The lines of a case in both runs, by its number in the protocol."""
        found = [[line for line in run.cases if line.verdict != "inapplicable"] for run in (self.healthy, self.hostile)]
        return found[0][number - 1], found[1][number - 1]


class Table:
    """Prints the cost of each misbehavior at the end of a pytest run."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print one line for each misbehavior."""
        terminalreporter.section("what hostile adapters cost: their own case, and nothing else")
        for misbehavior, number in AT.items():
            _, line = self._runs.case(number)
            said = line.message.partition("\n")[0][:110]
            terminalreporter.write_line(f"{misbehavior:30} {line.verdict:10} {line.seconds:5.1f} s  {said}".rstrip())


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Runs:
    """Both runs."""
    folder = tmp_path_factory.mktemp("hostile")
    options = ["--role=loader", *AREAS, "--timeout=1", "--quiet"]
    run_loopspec(folder, "run", hostile(), *options, "--report=healthy.jsonl")
    began = time.monotonic()
    misbehaviors = [f"{misbehavior}@{number}" for misbehavior, number in AT.items()]
    ended = run_loopspec(folder, "run", hostile(*misbehaviors), *options, "--report=hostile.jsonl")
    seconds = time.monotonic() - began
    found = Runs(folder, reported(folder / "healthy.jsonl"), reported(folder / "hostile.jsonl"), ended, seconds)
    table = Table(found)
    pytestconfig.pluginmanager.register(table)
    return found


@pytest.mark.parametrize("misbehavior", COSTS)
def test_a_misbehavior_costs_its_own_case_at_most(misbehavior: str, runs: Runs) -> None:
    """The case has the expected verdict, and the cases around it have the same verdicts as without the misbehavior."""
    number, cost = AT[misbehavior], COSTS[misbehavior]
    before, own, after = (runs.case(number + n) for n in (-1, 0, 1))

    verdict, sentence = cost or (own[0].verdict, own[0].message)
    assert (own[1].verdict, own[1].case) == (verdict, own[0].case), own[1].message
    assert sentence in own[1].message
    assert [line.verdict for line in (before[1], after[1])] == [line.verdict for line in (before[0], after[0])]


def test_the_run_is_complete(runs: Runs) -> None:
    """No case is skipped, the exit code is 1, and no case takes much longer than its deadline."""
    assert (runs.ended.code, runs.hostile.summary.exit_code, runs.hostile.summary.aborted) == (1, 1, "")
    assert runs.hostile.verdicts.keys() == runs.healthy.verdicts.keys()
    assert "not-run" not in runs.hostile.verdicts.values()
    assert "errored AMD-IMPORT" in runs.ended.said
    assert max(line.seconds for line in runs.hostile.cases) < 30


def test_output_of_a_process_is_evidence(runs: Runs) -> None:
    """The evidence is standard error and the messages; of a long output, the beginning is kept."""
    exited, flooding = (runs.case(AT[misbehavior])[1].evidence for misbehavior in ("exits", "floods-stderr"))

    assert exited["standard error"] == "panic: nothing to load\n"
    assert '"method":"loader/load"' in exited["messages"].splitlines()[0]
    assert exited["messages"].splitlines()[-1].startswith('> {"jsonrpc":"2.0","id":"a')
    assert "all is well\nall is well\n" in flooding["standard error"]
    assert len(flooding["standard error"]) <= 1 << 16


def test_the_report_stays_small(runs: Runs) -> None:
    """A line of fifty megabytes is not copied into the report."""
    assert (runs.folder / "hostile.jsonl").stat().st_size < 10_000_000


def test_no_process_is_left(runs: Runs) -> None:
    """No grandchild and no zombie is left, whatever signals are ignored."""
    grandchildren = [int(pid) for pid in (runs.folder / "grandchildren").read_text(encoding="ascii").split()]

    assert len(grandchildren) == 3
    assert [pid for pid in grandchildren if is_alive(pid)] == []
    assert adapters(runs.folder) == []


def test_a_process_is_restarted_only_after_it_ended(runs: Runs) -> None:
    """A process that notices the cancellation, or whose misbehavior is harmless, is not restarted."""
    harmless = {misbehavior for misbehavior, cost in COSTS.items() if cost is None or cost[0] == "failed"}
    between = {"prints-between-cases", "exits-between-cases", "is-deaf-between-cases"}
    harmless = (harmless - between) | {"notices-the-cancellation"}

    twice = {"exits-at-once"}  # exits before any message of its case, so it may belong to an earlier case
    starts = 1 + 1 + len(COSTS) - len(harmless) + len(twice)
    assert (runs.folder / "starts").stat().st_size == starts
