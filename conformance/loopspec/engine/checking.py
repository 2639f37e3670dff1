"""Check an Observation with the checks of a case, and with the invariants."""

from __future__ import annotations

from dataclasses import replace

from ..contract.faults import in_one_line
from ..contract.mismatch import Mismatch, expect
from ..contract.observation import Observation
from ..specification.cases import Case, NotComparable, Step
from ..specification.invariants import case_of, looked_at
from ..specification.reasons import Inapplicable
from .planned import everything_planned_happened
from .result import IN_ORDER, Result
from .unexpected import explained
from .verdict import Verdict


def inapplicable(case: Case, reason: Inapplicable) -> Result:
    """The result of a case that does not apply, with the reason."""
    return Result(case.id, case.rule.ids, "inapplicable", message=str(reason), reason=reason)


def look(case: Case, seen: Observation, seconds: float = 0.0) -> Result:
    """Check an Observation from any source with the case's checks, and with the invariants."""
    if case.is_implied:
        return _look_at_invariant(case, seen, seconds)
    result = _look(case, seen, seconds)
    if result.verdict not in ("passed", "failed") or seen.stuck:
        return result
    holds: list[str] = []
    broken: list[Result] = []
    for invariant, no in looked_at(case, seen):
        if no is None:
            holds.append(invariant.rule)
        else:
            broken.append(_not_holding(case_of(case, invariant), seen, no))
    return replace(result, holds=tuple(holds), broken=tuple(broken))


def _look_at_invariant(case: Case, seen: Observation, seconds: float) -> Result:
    """Check one invariant alone."""
    for invariant, no in looked_at(case.base, seen):
        if invariant.name == case.form:
            passed = Result(case.id, case.rule.ids, "passed", seconds)
            return passed if no is None else replace(_not_holding(case, seen, no), seconds=seconds)
    return inapplicable(case, Inapplicable("own-scene"))


def _not_holding(case: Case, seen: Observation, no: Mismatch) -> Result:
    explained(no, [check for _, check in case.base.checks], seen)
    result = failed_at(case, case.when, "failed", str(no))
    return replace(result, expected=no.expected, seen=no.seen, scene=case.scene, observation=seen)


def _look(case: Case, seen: Observation, seconds: float) -> Result:
    step, of_plain = case.when, seen
    try:
        if case.source and seen.unreached:
            return inapplicable(case, Inapplicable("in-turn"))
        nothing_is_held(seen)
        of_plain = case.restored(seen)
        for step, check in case.checks:  # noqa: B007  # the last one is the failing step
            check(of_plain)
        step = case.when
        everything_planned_happened(case, seen)
    except NotComparable as why:
        return inapplicable(case, why.reason)
    except Mismatch as no:
        explained(no, [check for _, check in case.checks], of_plain)
        result = failed_at(case, step, "failed", str(no))
        return replace(result, seconds=seconds, expected=no.expected, seen=no.seen, scene=case.scene, observation=seen)
    except Exception as error:
        return replace(broken_suite(case, step, error, seconds), observation=seen)
    return Result(case.id, case.rule.ids, "passed", seconds)


def nothing_is_held(seen: Observation) -> None:
    """Raise `Mismatch` if a call was held until the end because its gate never opened."""
    expect("the calls that were held", (), seen.stuck + seen.unreached)


def broken_suite(case: Case, step: Step, error: Exception, seconds: float) -> Result:
    """The result for a bug of the suite, which is not the implementation's fault."""
    result = failed_at(case, step, "errored", f"the suite itself failed: {in_one_line(error)}")
    return replace(result, seconds=seconds, scene=case.scene)


def failed_at(case: Case, step: Step, verdict: Verdict, message: str) -> Result:
    """The result of a case at a step, with the Givens of its form."""
    if case.givens:
        message = "\n".join((message, IN_ORDER, *case.givens))
    return Result(case.id, case.rule.ids, verdict, 0.0, f"{case.file}:{step.line}", str(step), message)
