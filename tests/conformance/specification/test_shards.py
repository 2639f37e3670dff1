"""A shard is a part of a run, for one of several machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec.engine.baseline import Baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import Verdict
from loopspec.engine.run import SuiteRun
from loopspec.specification.features import compiled
from loopspec.specification.selection import Shard, shard_of, share

from .. import broken
from ..process import reported
from ..staging import Acting, result_of

LOADER = f"py:{broken.__name__}:Loader"
BACKEND = f"py:{broken.__name__}:Backend"
CFG = "AMD-CFG-01 :: No configuration"
DEPTH = [case for case in compiled() if "AMD-DEPTH-01" in case.rule.ids]


@pytest.mark.parametrize(
    ("case", "shares"),
    [
        ("AMD-CFG-01 :: No configuration at all", (1, 2, 3, 2, 38)),
        ("AMD-DEPTH-01 :: A chain that reaches level 0", (1, 2, 2, 4, 60)),
        ("AMD-DEPTH-03 :: A level that exists", (1, 2, 3, 4, 56)),
    ],
)
def test_a_case_is_in_the_same_shard_on_every_machine(case: str, shares: tuple[int, ...]) -> None:
    """The share does not depend on Python's hash and must never change."""
    assert tuple(share(case, of) for of in (1, 2, 3, 4, 100)) == shares


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_shards_are_the_whole_plan_and_nothing_twice(of: int) -> None:
    """Each shard has the order of the plan, and shards have similar sizes."""
    plan = list(reversed(compiled()))

    parts = [Shard(number, of).part(plan) for number in range(1, of + 1)]

    assert sorted(plan.index(case) for part in parts for case in part) == list(range(len(plan)))
    assert all(part == sorted(part, key=plan.index) for part in parts)
    assert all(0.5 < len(part) * of / len(plan) < 1.5 for part in parts)


@pytest.mark.parametrize("text", ["0/4", "5/4", "1/0", "1", "1/", "a/b", "-1/4", "1/4/2", "1.0/4", ""])
def test_an_invalid_shard_is_rejected(text: str) -> None:
    """The error has an example."""
    with pytest.raises(UsageError, match=r"there is no shard .*: use i/n, such as 1/4 for the first of four"):
        shard_of(text)


def test_a_shard_records_the_whole_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report and the last sentence of a shard name the whole plan, so that gaps and overlaps can be found."""
    options = ["--area=AMD-DEPTH", "--seed=5", "-q"]
    main(["run", LOADER, *options, f"--report={tmp_path / 'whole'}"])
    capsys.readouterr()

    code = main(["run", LOADER, *options, "--shard=2/3", f"--report={tmp_path / 'part'}"])

    whole, part = reported(tmp_path / "whole"), reported(tmp_path / "part")
    assert (part.run.shard, part.run.whole) == (Shard(2, 3), whole.run.planned)
    assert part.run.planned == tuple(case for case in whole.run.planned if share(case, 3) == 2)
    assert {case: whole.verdicts[case] for case in part.verdicts} == part.verdicts
    assert (whole.run.shard, whole.run.whole) == (None, ())
    assert (code, part.summary.canary, part.summary.planned) == (1, True, len(part.run.planned))
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{LOADER} (shard 2/3) is not conformant: ")


def test_an_empty_shard_is_no_failure_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The applicable cases are in another shard. The canary runs nevertheless."""
    code = main(["run", "reference", f"--case={CFG}", "--shard=1/2", "-q", f"--report={tmp_path / 'r'}"])

    report = reported(tmp_path / "r")
    sentence = "reference (shard 1/2) has nothing to judge: the applicable cases are in other shards.\n"
    assert (code, capsys.readouterr().out) == (0, sentence)
    assert (report.run.planned, report.run.whole) == ((), (CFG,))
    assert (report.summary.planned, report.summary.canary, report.summary.exit_code) == (0, True, 0)


def test_a_shard_of_inapplicable_cases_is_no_failure_if_another_shard_judges(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A role with few cases in many shards is an example."""
    loader, backend = case_in("AMD-CYCLE", 1), case_in("AMD-BACKEND-05", 2)
    codes = [
        main(["run", BACKEND, f"--case={loader}", f"--case={backend}", f"--shard={shard}", "-q"])
        for shard in ("1/2", "2/2")
    ]

    assert codes == [0, 1]
    assert capsys.readouterr().out.startswith(f"{BACKEND} (shard 1/2) has nothing to judge: ")


@pytest.mark.parametrize("shard", ["1/2", "2/2"])
def test_if_no_shard_judges_a_case_every_shard_fails(shard: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty shard knows that no other shard has an applicable case."""
    code = main(["run", BACKEND, f"--case={CFG}", f"--shard={shard}", "-q"])

    assert (code, capsys.readouterr().out.splitlines()[-1][:20]) == (5, "Nothing was judged: ")


def case_in(rule: str, number: int) -> str:
    """The first case of rules whose ids begin so, among the cases of one of two shards."""
    return next(case.id for case in compiled() if case.rule.ids[0].startswith(rule) and share(case.id, 2) == number)


def shard_with(entry: str, verdict: Verdict, *, of: int) -> tuple[str, ...]:
    """The stale entries of the first of `of` shards if all of its cases have this verdict."""
    running = SuiteRun(
        Acting(), "acting", DEPTH, baseline=Baseline(known=(Known(case=entry, reason="why"),)), shard=Shard(1, of)
    )
    running.canary = True
    for case in running.plan:
        running.take(result_of(case, verdict))
    return running.finish().stale


def test_a_case_of_another_shard_is_not_stale() -> None:
    """A case of another shard, or a rule with a case in another shard, is not stale."""
    elsewhere = next(case.id for case in DEPTH if share(case.id, 2) == 2)
    here = next(case.id for case in DEPTH if share(case.id, 2) == 1)

    assert shard_with(elsewhere, "passed", of=2) == ()
    assert shard_with("AMD-DEPTH-01", "passed", of=2) == ()
    assert shard_with(here, "passed", of=2) == (here,)
    assert shard_with("AMD-DEPTH-01", "passed", of=1) == ("AMD-DEPTH-01",)
