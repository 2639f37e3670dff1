"""Judge one case on one target."""

from __future__ import annotations

import time
from dataclasses import replace

from ..contract.capabilities import Capability, Role
from ..contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable, in_one_line
from ..contract.mismatch import Mismatch, expect
from ..contract.observation import Observation
from ..contract.scene import Scene
from ..contract.target import Target
from ..specification.cases import Case, Step
from .deadlines import DEFAULT_DEADLINE
from .perform import perform
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


def judge(case: Case, target: Target, only: Role | None = None, deadline: float = DEFAULT_DEADLINE) -> Result:
    """Perform the case's scene and check the observation.

    A fault of the target, of its adapter or of the suite is a result; only KeyboardInterrupt is raised.
    """
    role, why_not = role_for(case, target, only)
    if role is None:
        return Result(case.id, case.rule.ids, "inapplicable", message=why_not)
    began = time.perf_counter()
    try:
        seen = perform(target, case.scene, role, deadline)
    except (AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable) as error:
        result = _at(case, case.when, verdict_of(error), str(error))
        return replace(result, seconds=time.perf_counter() - began, scene=case.scene, evidence=target.evidence)
    except Exception as error:
        return _broken(case, case.when, error, time.perf_counter() - began)
    result = look(case, seen, time.perf_counter() - began)
    return result if result.verdict == "passed" else replace(result, evidence=target.evidence)


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
    """Check an Observation from any source with the case's checks."""
    step = case.when
    try:
        nothing_is_held(seen)
        for step, check in case.checks:  # noqa: B007  # the last one is the failing step
            check(seen)
        step = case.when
        everything_planned_happened(case.scene, seen)
    except Mismatch as no:
        result = _at(case, step, "failed", str(no))
        return replace(result, seconds=seconds, expected=no.expected, seen=no.seen, scene=case.scene, observation=seen)
    except Exception as error:
        return replace(_broken(case, step, error, seconds), observation=seen)
    return Result(case.id, case.rule.ids, "passed", seconds)


def nothing_is_held(seen: Observation) -> None:
    """Raise `Mismatch` if a call was held until the end because its gate never opened."""
    expect("the calls that were held", (), seen.stuck)


def everything_planned_happened(scene: Scene, seen: Observation) -> None:
    """Raise `Mismatch` if a planned run did not take place, or if a run to resume had not stopped.

    A rejected construction is an outcome without runs.
    """
    if seen.created is not None:
        return
    ended = {end.run: end for end in seen.runs}
    planned = scene.runs if scene.act == "run" else ()
    expect("the runs that did not take place", (), tuple(run.id for run in planned if run.id not in ended))
    resumed = [ended[run.resume] for run in planned if run.resume]
    not_stopped = tuple(end.run for end in resumed if not end.interrupted and end.cancelled is None)
    expect("the runs that were to be resumed and had not stopped", (), not_stopped)


def _broken(case: Case, step: Step, error: Exception, seconds: float) -> Result:
    """The result for a bug of the suite, which is not the implementation's fault."""
    result = _at(case, step, "errored", f"the suite itself failed: {in_one_line(error)}")
    return replace(result, seconds=seconds, scene=case.scene)


def _at(case: Case, step: Step, verdict: Verdict, message: str) -> Result:
    return Result(case.id, case.rule.ids, verdict, 0.0, f"{case.file}:{step.line}", str(step), message)
