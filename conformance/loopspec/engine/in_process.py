"""A planned run in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from ..contract.target import Target
from ..specification.cases import Case
from .checking import failed_at
from .deadlines import Watchdog, longest
from .judge import Judging, canary_fails
from .output import Printed
from .result import Result
from .run import SuiteRun, Summary


def judge_in_process(run: SuiteRun, timeout: float, printed: Printed, finish: Callable[[Summary], None]) -> Summary:
    """Judge the plan case by case, and call `finish` with the summary after `printed` has released the streams.

    A case that cannot be interrupted ends the process after `finish`, with the summary's exit code. Ctrl-C ends the
    run; the rest of the plan is accounted for.
    """
    limit = longest(timeout, run.target.isolated)
    judging = Judging(run.target, run.role, timeout, run.plan)

    def end(interrupted: bool = False) -> Summary:
        summary = run.finish(interrupted)
        printed.release()
        finish(summary)
        return summary

    def give_up(case: Case) -> None:
        run.take(timed_out(case, run.target, limit))
        summary = end()
        sys.stdout.flush()
        os._exit(summary.exit_code)

    run.canary = canary_fails()
    with Watchdog(give_up) as watchdog:
        try:
            for result in judged(run.plan, judging, watchdog, limit, printed):
                run.take(result)
                if run.is_over:
                    break
        except KeyboardInterrupt:
            return end(interrupted=True)
    return end()


def judged(
    cases: Iterable[Case], judging: Judging, watchdog: Watchdog[Case], limit: float, printed: Printed
) -> Iterator[Result]:
    """Judge cases in this process, each within a limit of seconds. What the implementation prints becomes evidence."""
    for case in cases:
        if result := judging.earlier(case):  # performed with an earlier case, which has had the output
            yield result
        else:
            with watchdog.within(limit, case):
                result = judging.judge(case)
            yield with_evidence(result, printed.take())


def timed_out(case: Case, target: Target, limit: float) -> Result:
    """The result of a case that could not be interrupted."""
    return failed_at(case, case.when, "timed-out", f"{target.identity.name} did not return within {limit:g} s", limit)


def with_evidence(result: Result, printed: Mapping[str, str]) -> Result:
    """The result with the printed output as evidence, unless it passed."""
    if not printed or result.verdict in ("passed", "inapplicable"):
        return result
    return replace(result, evidence={**printed, **result.evidence})
