"""Reports written without a run: one with each verdict, and others that tests need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from loopspec import Message
from loopspec.contract.calls import ModelRequest
from loopspec.contract.observation import ModelCall, Observation
from loopspec.contract.target import Identity
from loopspec.engine.baseline import Baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import VERDICTS, Result, Verdict
from loopspec.engine.run import SuiteRun, Summary
from loopspec.reports.account import Account, account_of
from loopspec.reports.jsonl import Report
from loopspec.specification.cases import Case
from loopspec.targets.resolve import AbsentTarget

from .staging import case_of, result_of

REQUEST = ModelRequest(messages=(Message(role="user", content="Hello."),))
SEEN = Observation(model_calls=(ModelCall(n=0, model="m", run="1", request=REQUEST),))
# One case for each verdict, the only case of its rule; the last rule is advisory.
CASES: dict[Verdict, Case] = {
    verdict: case_of(f"AMD-{rule}")
    for verdict, rule in zip(
        VERDICTS, "CFG-01 CFG-02 CFG-05 CFG-10 CYCLE-01 CYCLE-02 CYCLE-03 ERROR-01 DEPTH-07".split(), strict=True
    )
}
KNOWN = (CASES["stale"], CASES["known"])
HEARD = {"stderr": "it said\nthis"}


def failing(case: Case, message: str = "so", expected: str = "a", seen: str = "b") -> Result:
    """A case that fails at its last Then, with every field that a result can have."""
    step, _ = case.checks[-1]
    text = f"{message}\n  expected: {expected}\n  seen:     {seen}"
    place = f"{case.file}:{step.line}"
    return Result(
        case.id, case.rule.ids, "failed", 0.25, place, text, str(step), expected, seen, case.scene, SEEN, HEARD
    )


def broken(case: Case, verdict: Verdict) -> Result:
    """A case that could not be performed."""
    return replace(
        result_of(case, verdict, f"it {verdict}", 0.5), location=f"{case.file}:{case.line}", scene=case.scene
    )


def every_verdict() -> list[Result]:
    """Results that give each verdict once in a run with the baseline `KNOWN`."""
    return [
        broken(CASES["crashed"], "crashed"),
        broken(CASES["timed-out"], "timed-out"),
        broken(CASES["errored"], "errored"),
        result_of(CASES["not-run"], "not-run", "there was no time"),
        failing(CASES["failed"]),
        result_of(CASES["stale"], "passed", seconds=0.125),
        failing(CASES["known"]),
        result_of(CASES["passed"], "passed", seconds=0.125),
        result_of(CASES["inapplicable"], "inapplicable", "needs edits"),
    ]


def run_of(
    plan: Iterable[Case],
    *,
    known: Iterable[Case] = (),
    strict: bool = False,
    version: str = "1",
    selected: bool = False,
) -> SuiteRun:
    """A run of these cases, before the first result."""
    target = AbsentTarget(Identity(name="Acting", version=version), ["loader"], ["edits"])
    baseline = Baseline(tuple(Known(case=case.id, reason="as it is") for case in known))
    running = SuiteRun(target, "py:some:target", list(plan), baseline=baseline, strict=strict, selected=selected)
    running.canary = True
    return running


def recorded(path: Path, running: SuiteRun, results: Sequence[Result], *, finished: bool = True) -> Summary | None:
    """Write the report of a run with these results; one that is not finished has no last line."""
    report = Report(path)
    report.begin(running)
    running.watchers.append(report.case)
    for result in results:
        running.take(result)
    summary = running.finish() if finished else None
    if summary:
        report.write(summary)
    report.close()
    return summary


def account_with(running: SuiteRun, results: Iterable[Result], *, interrupted: bool = False) -> Account:
    """The account of a run with these results."""
    for result in results:
        running.take(result)
    return account_of(running, running.finish(interrupted))


def whole_account() -> Account:
    """The account of a run with each verdict once."""
    return account_with(run_of(CASES.values(), known=KNOWN), every_verdict())
