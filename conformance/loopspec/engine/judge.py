"""One case on one target, to a verdict; without pytest."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..contract.capabilities import Capability, Role
from ..contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable
from ..contract.mismatch import Mismatch, expect
from ..contract.observation import Observation
from ..contract.scene import Scene
from ..contract.target import Target
from ..specification.cases import Case
from .perform import DEFAULT_DEADLINE, perform
from .verdict import Verdict


@dataclass(frozen=True)
class Result:
    """What became of a case. `location` is the file and line of the step that said no; `seconds` is wall time.

    The Scene and the Observation are the evidence, kept where the case did not pass; `evidence` are texts besides, by
    what they are: what a process of its own has left behind. `inexact` says why an Observation that has come as JSON is
    not exactly what was seen.
    """

    case: str
    rules: tuple[str, ...]
    verdict: Verdict
    seconds: float = 0.0
    location: str = ""
    step: str = ""
    message: str = ""
    expected: str = ""
    seen: str = ""
    scene: Scene | None = None
    observation: Observation | None = None
    evidence: Mapping[str, str] = field(default_factory=dict)
    inexact: str = ""


# What a target of a role has without declaring it: the role is about nothing else.
_GIVEN: dict[Role, frozenset[Capability]] = {"loader": frozenset({"agentsmd"}), "middleware": frozenset({"agentsmd"})}


def role_for(case: Case, target: Target, only: Role | None = None) -> tuple[Role | None, str]:
    """The role in which a target answers for a case, or None and why it does not."""
    offered = [role for role in case.roles if role in target.roles and only in (None, role)]
    if not offered:
        wanted = " or ".join(case.roles)
        if only is not None and only not in case.roles:
            return None, f"is not for the role {only}"
        return None, f"needs the role {only or wanted}"
    lacking = {role: case.needs - target.capabilities - _GIVEN.get(role, frozenset()) for role in offered}
    able = [role for role in offered if not lacking[role]]
    return (able[0], "") if able else (None, f"needs {', '.join(sorted(lacking[offered[0]]))}")


def judge(case: Case, target: Target, only: Role | None = None, deadline: float = DEFAULT_DEADLINE) -> Result:
    """Perform the case's scene and let its checks look."""
    role, why_not = role_for(case, target, only)
    if role is None:
        return Result(case.id, case.rule.ids, "inapplicable", message=why_not)
    began = time.perf_counter()
    try:
        seen = perform(target, case.scene, role, deadline)
    except (AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable) as error:
        verdict = verdict_of(error)
        return Result(
            case.id,
            case.rule.ids,
            verdict,
            _since(began),
            f"{case.file}:{case.line}",
            "",
            str(error),
            scene=case.scene,
            evidence=target.evidence,
        )
    result = look(case, seen, _since(began))
    return result if result.verdict == "passed" else replace(result, evidence=target.evidence)


def verdict_of(error: AdapterError | TargetCrashed | TargetTimedOut | TargetUnusable) -> Verdict:
    """The verdict for a scene that could not be performed."""
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
    """Let the case's checks look at an Observation, wherever it comes from."""
    where, said = case.line, ""
    try:
        nothing_is_held(seen)
        for step, check in case.checks:
            where, said = step.line, str(step)
            check(seen)
    except Mismatch as no:
        return Result(
            case.id,
            case.rule.ids,
            "failed",
            seconds,
            f"{case.file}:{where}",
            said,
            str(no),
            no.expected,
            no.seen,
            case.scene,
            seen,
        )
    return Result(case.id, case.rule.ids, "passed", seconds)


def nothing_is_held(seen: Observation) -> None:
    """Raise `Mismatch` when a call was held to the end: what was to let it go never came."""
    expect("the calls that were held", (), seen.stuck)


def by_rule(results: Iterable[Result]) -> dict[str, list[Result]]:
    """The results of each rule; a case counts for every rule it is tagged with."""
    rules: dict[str, list[Result]] = {}
    for result in results:
        for rule in result.rules:
            rules.setdefault(rule, []).append(result)
    return rules


def _since(began: float) -> float:
    return time.perf_counter() - began
