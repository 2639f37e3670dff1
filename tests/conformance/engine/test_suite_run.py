"""A run takes results and adds them up."""

from __future__ import annotations

import pytest

from loopspec.engine.baseline import UNEXPLAINED, Baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import VERDICTS, Result, Verdict
from loopspec.engine.run import SuiteRun
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled

from ..staging import Acting, case_of, result_of

FIRST, SECOND = case_of("AMD-DEPTH-01"), case_of("AMD-DEPTH-01", 1)  # derived
ADVISORY = case_of("AMD-DEPTH-07")


def running(*cases: Case, baseline: Baseline | None = None, strict: bool = False) -> SuiteRun:
    """A run of these cases whose canary has failed as required."""
    run = SuiteRun(Acting(), "acting", cases, baseline=baseline or Baseline(), strict=strict)
    run.canary = True
    return run


def nonzero(counts: dict[Verdict, int]) -> dict[str, int]:
    """The verdicts with a nonzero count."""
    assert list(counts) == list(VERDICTS)
    return {verdict: count for verdict, count in counts.items() if count}


def test_watchers_receive_each_case_once() -> None:
    """The first result of a case counts, and a result of an unplanned case does not."""
    run = running(FIRST)
    received: list[Result] = []
    run.watchers.append(received.append)

    run.take(result_of(FIRST, "failed", "first"))
    run.take(result_of(FIRST, "passed", "second"))
    run.take(result_of(SECOND, "passed", "not planned"))

    assert received == [result_of(FIRST, "failed", "first")]
    assert run.finish().cases["failed"] == 1


def test_the_baseline_is_applied_before_watchers_are_called() -> None:
    """A listed failure is known; a listed pass is stale and has a message."""
    run = running(
        FIRST, SECOND, baseline=Baseline(known=(Known(case=FIRST.id, reason="a"), Known(case=SECOND.id, reason="b")))
    )

    known, stale = run.take(result_of(FIRST, "failed", "no")), run.take(result_of(SECOND, "passed"))

    assert (known.verdict, known.message) == ("known", "no")
    assert (stale.verdict, stale.message) == ("stale", "passes, although the baseline lists it")


def test_a_timeout_ends_the_run() -> None:
    """After the first time-out, the remaining cases are not run."""
    run = running(FIRST, SECOND, ADVISORY)

    run.take(result_of(FIRST, "timed-out", "it hangs"))
    run.take(result_of(SECOND, "timed-out", "it hangs again"))
    summary = run.finish()

    assert summary.aborted == "it hangs; a target that hangs in this process cannot be stopped"
    assert (run.results[ADVISORY.id].verdict, run.results[ADVISORY.id].message) == ("not-run", summary.aborted)
    assert (summary.planned, summary.accounted, summary.executed, summary.exit_code) == (3, 3, 2, 4)


def test_a_rule_has_the_verdict_of_its_worst_case() -> None:
    """Normative and advisory rules are counted separately."""
    run = running(FIRST, SECOND, ADVISORY)
    run.take(result_of(FIRST, "passed"))
    run.take(result_of(SECOND, "failed"))
    run.take(result_of(ADVISORY, "passed"))

    summary = run.finish()

    assert list(run.outcomes().items()) == [
        ("AMD-DEPTH-01", ("derived", "failed")),
        ("AMD-DEPTH-07", ("clarified", "passed")),
    ]
    assert (nonzero(summary.normative), nonzero(summary.advisory)) == ({"failed": 1}, {"passed": 1})
    assert summary.no_scenario.keys() <= {"merged", "quirk", "withdrawn", "excluded"}


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (["passed", "inapplicable"], 0),
        (["known", "passed"], 0),
        (["stale", "passed"], 3),
        (["stale", "failed"], 1),
        (["errored", "passed"], 1),
        (["crashed", "passed"], 1),
        (["timed-out", "failed"], 4),
        (["inapplicable", "inapplicable"], 5),
        (["passed"], 5),  # one of two is accounted for
        ([], 5),
    ],
)
def test_the_exit_code(verdicts: list[Verdict], code: int) -> None:
    """The order of precedence is 4, 5, 1, 3, 0."""
    cases = (FIRST, SECOND)
    listed = [case.id for case, verdict in zip(cases, verdicts, strict=False) if verdict in ("known", "stale")]
    run = running(*cases, baseline=Baseline(known=tuple(Known(case=name, reason="why") for name in listed)))
    before: dict[Verdict, Verdict] = {"known": "failed", "stale": "passed"}
    for case, verdict in zip(cases, verdicts, strict=False):
        run.take(result_of(case, before.get(verdict, verdict)))

    assert run.finish().exit_code == code


@pytest.mark.parametrize(
    ("verdict", "strict", "fails_run"),
    [("failed", False, False), ("failed", True, True), ("errored", False, True), ("passed", True, False)],
)
def test_an_advisory_rule_counts_under_strict_only(verdict: Verdict, strict: bool, fails_run: bool) -> None:
    """An error counts without `--strict` as well."""
    run = running(ADVISORY, strict=strict)
    result = run.take(result_of(ADVISORY, verdict))

    assert run.fails_run(result) is fails_run
    assert run.finish().exit_code == int(fails_run)


@pytest.mark.parametrize(("last", "stale"), [("passed", ("AMD-DEPTH-01",)), ("failed", ()), (None, ())])
def test_a_rule_is_stale_if_none_of_its_cases_fails(last: Verdict | None, stale: tuple[str, ...]) -> None:
    """A case that fails, or that was not judged, keeps the entry."""
    cases = [case for case in compiled() if "AMD-DEPTH-01" in case.rule.ids]
    chosen = cases if last else cases[:-1]
    run = running(*chosen, baseline=Baseline(known=(Known(case="AMD-DEPTH-01", reason="why"),)))
    for case in cases[:-1]:
        assert run.take(result_of(case, "passed")).verdict == "passed"
    if last:
        run.take(result_of(cases[-1], last))

    summary = run.finish()

    assert (summary.stale, summary.exit_code) == (stale, 3 if stale else 0)


def test_a_run_that_stops_early_judges_nothing_after_a_failure_that_counts() -> None:
    """Known and advisory failures do not stop the run; the rest is not run, and the exit code is 1."""
    known = Baseline(known=(Known(case=FIRST.id, reason="why"),))
    third = case_of("AMD-DEPTH-02")
    run = SuiteRun(Acting(), "acting", (FIRST, ADVISORY, SECOND, third), baseline=known, stop_early=True)
    run.canary = True

    over = []
    for case in (FIRST, ADVISORY, SECOND):
        run.take(result_of(case, "failed"))
        over.append(run.is_over)
    summary = run.finish()

    assert over == [False, False, True]
    assert (summary.stopped, summary.aborted, summary.is_whole) == (SECOND.id, "", False)
    assert nonzero(summary.cases) == {"not-run": 1, "failed": 2, "known": 1}
    assert run.results[third.id].message == f"the run stopped after {SECOND.id!r}"
    assert (summary.planned, summary.accounted, summary.executed, summary.exit_code) == (4, 4, 3, 1)


def test_known_failures_without_a_reason_are_counted() -> None:
    """`--write-baseline` leaves a placeholder until an entry gets a reason."""
    known = Baseline(known=(Known(case=FIRST.id, reason=UNEXPLAINED), Known(case=SECOND.id, reason="on purpose")))
    run = running(FIRST, SECOND, baseline=known)
    run.take(result_of(FIRST, "failed"))
    run.take(result_of(SECOND, "failed"))

    summary = run.finish()

    assert (nonzero(summary.cases), summary.unexplained, summary.exit_code) == ({"known": 2}, 1, 0)


def test_a_cause_counts_once() -> None:
    """By its kind, whatever the number of its cases; a cause without a name is its reason."""
    third = case_of("AMD-DEPTH-02")
    same = {"reason": "why", "cause": "one", "kind": "defect"}
    known = [Known(case=case.id, **same) for case in (FIRST, SECOND)]  # type: ignore[arg-type]  # texts by name
    run = running(FIRST, SECOND, third, baseline=Baseline((*known, Known(case=third.id, reason="other", kind="open"))))
    for case in (FIRST, SECOND, third):
        run.take(result_of(case, "failed"))

    assert run.finish().causes == {"defect": 1, "open": 1}
    assert [(result.cause, result.kind) for result in run.results.values()] == [
        *[("one", "defect")] * 2,
        ("other", "open"),
    ]


def test_a_long_baseline_is_looked_up_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cases are traversed once, whatever the number of entries."""
    looked: list[None] = []

    def looking() -> tuple[Case, ...]:
        looked.append(None)
        return compiled()

    monkeypatch.setattr("loopspec.engine.baseline.compiled", looking)
    listed = sorted({rule for case in compiled() for rule in case.rule.ids})
    run = running(FIRST, baseline=Baseline(known=tuple(Known(case=name, reason="why") for name in listed)))

    run.finish()

    assert len(looked) <= 1
