"""The hostile adapter, judged on a few cases in this process."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec.engine.judge import judge
from loopspec.engine.result import Result
from loopspec.engine.run import SuiteRun
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.process.target import ProcessTarget

from .command import hostile

# five loads that the adapter performs correctly; the third has the most messages
CASES = tuple(
    next(case for case in compiled() if case.id == name)
    for name in (
        "AMD-BACKEND-01 :: A configured file and its import",
        "AMD-ORDER-03 :: Three files shown in an order other than by name",
        "AMD-ERROR-01 :: The first of two configured files is missing",
        "AMD-BACKEND-04 :: An I/O error with the words of a missing file",
        "AMD-ERROR-03 :: The second of two configured files fails with an I/O error",
    )
)
HEALTHY = ["passed"] * len(CASES)


def run(*misbehaviors: str, cases: Sequence[Case] = CASES, timeout: float = 1.0) -> tuple[list[Result], str]:
    """The results in order, and the reason if the run stopped. No process is left."""
    command = hostile(*misbehaviors)
    target = ProcessTarget(command.removeprefix("cmd:"))
    running = SuiteRun(target, command, cases)
    try:
        for case in cases:
            if not running.aborted:
                running.take(judge(case, target, "loader", timeout))
    finally:
        target.close()
    running.finish()
    return list(running.results.values()), running.aborted
