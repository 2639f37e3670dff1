"""Judge one case on one target."""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from dataclasses import replace

from ..contract.capabilities import Capability, Role
from ..contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable, in_one_line
from ..contract.mismatch import Mismatch, expect
from ..contract.observation import Observation
from ..contract.target import Target
from ..specification.cases import Case, Step
from ..specification.invariants import InvariantCase, case_of, looked_at
from ..specification.variants import NotComparable, VariedCase
from .deadlines import DEFAULT_DEADLINE
from .perform import perform
from .planned import everything_planned_happened
from .result import Result
from .verdict import Verdict

# capabilities that a role implies
GIVEN: dict[Role, frozenset[Capability]] = {"loader": frozenset({"agentsmd"}), "middleware": frozenset({"agentsmd"})}


def role_for(case: Case, target: Target, only: Role | None = None) -> tuple[Role | None, str]:
    """The role in which a target performs a case, or None and the reason."""
    offered = [role for role in case.roles if role in target.roles and only in (None, role)]
    if not offered:
        wanted = " or ".join(case.roles)
        if only is not None and only not in case.roles:
            return None, f"is not for the role {only}"
        return None, f"needs the role {only or wanted}"
    lacking = {role: case.needs - target.capabilities - GIVEN.get(role, frozenset()) for role in offered}
    able = [role for role in offered if not lacking[role]]
    return (able[0], "") if able else (None, f"needs {', '.join(sorted(lacking[offered[0]]))}")


# The verdicts of the cases of features by id, on one target. A variant is judged where its plain case passes.
Verdicts = MutableMapping[str, Verdict]


def judge(
    case: Case,
    target: Target,
    only: Role | None = None,
    deadline: float = DEFAULT_DEADLINE,
    verdicts: Verdicts | None = None,
) -> Result:
    """Perform the case's scene and check the observation.

    `verdicts` has the verdicts so far, and takes that of this case. A fault of the target, of its adapter or of the
    suite is a result; only KeyboardInterrupt is raised.
    """
    verdicts = {} if verdicts is None else verdicts
    if isinstance(case, VariedCase):
        return _judge_varied(case, target, only, deadline, verdicts)
    result = _judge(case, target, only, deadline)
    verdicts[case.id] = result.verdict
    return result


def _judge_varied(case: VariedCase, target: Target, only: Role | None, deadline: float, verdicts: Verdicts) -> Result:
    """Judge a case of a variant if its plain case passes; judge that one before, if it has no verdict yet."""
    role, why_not = role_for(case, target, only)
    if role is None:
        return _inapplicable(case, why_not)
    plain = case.base.id
    if plain not in verdicts:
        verdicts[plain] = _judge(case.base, target, only, deadline).verdict
    if verdicts[plain] != "passed":
        return _inapplicable(case, "needs a plain case that passes")
    return _judge(case, target, only, deadline)


def _inapplicable(case: Case, why: str) -> Result:
    return Result(case.id, case.rule.ids, "inapplicable", message=why)


def _judge(case: Case, target: Target, only: Role | None, deadline: float) -> Result:
    role, why_not = role_for(case, target, only)
    if role is None:
        return _inapplicable(case, why_not)
    began = time.perf_counter()
    try:
        seen = perform(target, case.scene, role, deadline)
    except (AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable) as error:
        result = _at(case, case.when, verdict_of(error), str(error))
        return replace(result, seconds=time.perf_counter() - began, scene=case.scene, evidence=target.evidence)
    except Exception as error:
        return _broken(case, case.when, error, time.perf_counter() - began)
    result = look(case, seen, time.perf_counter() - began)
    if result.verdict == "passed" and not result.broken:
        return result
    evidence = target.evidence
    broken = tuple(replace(each, evidence=evidence) for each in result.broken)
    return replace(result, evidence={} if result.verdict == "passed" else evidence, broken=broken)


def verdict_of(error: AdapterError | TargetCrashed | TargetTimedOut | TargetUnusable) -> Verdict:
    """The verdict of a scene that could not be performed."""
    match error:
        case TargetCrashed():
            return "crashed"
        case TargetTimedOut():
            return "timed-out"
        case TargetUnusable():
            return "not-run"
        case _:
            return "errored"


def look(case: Case, seen: Observation, seconds: float = 0.0) -> Result:
    """Check an Observation from any source with the case's checks, and with the invariants."""
    if isinstance(case, InvariantCase):
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


def _look_at_invariant(case: InvariantCase, seen: Observation, seconds: float) -> Result:
    """Check one invariant alone."""
    for invariant, no in looked_at(case.base, seen):
        if invariant is case.invariant:
            passed = Result(case.id, case.rule.ids, "passed", seconds)
            return passed if no is None else replace(_not_holding(case, seen, no), seconds=seconds)
    return _inapplicable(case, "needs a scene that does not break the invariant itself")


def _not_holding(case: InvariantCase, seen: Observation, no: Mismatch) -> Result:
    result = _at(case, case.when, "failed", str(no))
    return replace(result, expected=no.expected, seen=no.seen, scene=case.scene, observation=seen)


def _look(case: Case, seen: Observation, seconds: float) -> Result:
    step = case.when
    try:
        nothing_is_held(seen)
        of_plain = case.restored(seen) if isinstance(case, VariedCase) else seen
        for step, check in case.checks:  # noqa: B007  # the last one is the failing step
            check(of_plain)
        step = case.when
        everything_planned_happened(case, seen)
    except NotComparable as why:
        return _inapplicable(case, str(why))
    except Mismatch as no:
        result = _at(case, step, "failed", str(no))
        return replace(result, seconds=seconds, expected=no.expected, seen=no.seen, scene=case.scene, observation=seen)
    except Exception as error:
        return replace(_broken(case, step, error, seconds), observation=seen)
    return Result(case.id, case.rule.ids, "passed", seconds)


def nothing_is_held(seen: Observation) -> None:
    """Raise `Mismatch` if a call was held until the end because its gate never opened."""
    expect("the calls that were held", (), seen.stuck)


def _broken(case: Case, step: Step, error: Exception, seconds: float) -> Result:
    """The result for a bug of the suite, which is not the implementation's fault."""
    result = _at(case, step, "errored", f"the suite itself failed: {in_one_line(error)}")
    return replace(result, seconds=seconds, scene=case.scene)


def _at(case: Case, step: Step, verdict: Verdict, message: str) -> Result:
    return Result(case.id, case.rule.ids, verdict, 0.0, f"{case.file}:{step.line}", str(step), message)
