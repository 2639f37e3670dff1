"""A planned run in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from ..contract.target import Target
from ..specification.cases import Case
from .canary import canary_fails
from .deadlines import Watchdog, longest
from .judge import Judging
from .printed import Printed
from .result import Result
from .run import SuiteRun, Summary


def judge_in_process(run: SuiteRun, timeout: float, printed: Printed, finish: Callable[[Summary], None]) -> Summary:
    """Judge the plan case by case, and call `finish` with the summary after `printed` has released the streams.

    A case that cannot be interrupted ends the process after `finish`, with the summary's exit code. Ctrl-C ends the
    run; the rest of the plan is accounted for.
    """
    under_way: Case | None = None
    judging = Judging(run.target, run.role, timeout, run.plan)

    def give_up() -> None:
        assert under_way is not None
        run.take(timed_out(under_way, run.target, limit))
        summary = run.finish()
        printed.release()
        finish(summary)
        sys.stdout.flush()
        os._exit(summary.exit_code)

    limit = longest(timeout, run.target.isolated)
    run.canary = canary_fails()
    interrupted = False
    with Watchdog(give_up) as watchdog:
        try:
            for case in run.plan:
                if run.is_over:
                    break
                if shared := judging.earlier(case):  # performed with an earlier case, which has had the output
                    run.take(shared)
                    continue
                under_way = case
                with watchdog.within(limit):
                    result = judging.judge(case)
                run.take(with_evidence(result, printed.take()))
        except KeyboardInterrupt:
            interrupted = True
    summary = run.finish(interrupted)
    printed.release()
    finish(summary)
    return summary


def timed_out(case: Case, target: Target, limit: float) -> Result:
    """The result of a case that could not be interrupted."""
    message = f"{target.identity.name} did not return within {limit:g} s"
    where = f"{case.file}:{case.when.line}"
    return Result(case.id, case.rule.ids, "timed-out", limit, where, str(case.when), message=message, scene=case.scene)


def with_evidence(result: Result, printed: Mapping[str, str]) -> Result:
    """The result with the printed output as evidence, unless it passed."""
    if not printed or result.verdict in ("passed", "inapplicable"):
        return result
    return replace(result, evidence={**printed, **result.evidence})
