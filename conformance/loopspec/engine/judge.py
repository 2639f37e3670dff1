"""Judge one case on one target."""

from __future__ import annotations

import time
from collections.abc import Mapping, MutableMapping
from dataclasses import replace

from ..contract.axes import dialect_of, value_on
from ..contract.capabilities import Capability, Role
from ..contract.dialects import instruction_axes
from ..contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable
from ..contract.needs import CAPABILITY_OF_HOOK
from ..contract.observation import Observation
from ..contract.target import Target
from ..specification.cases import Case
from ..specification.invariants import invariants
from ..specification.variants import SEPARATOR, VariedCase
from ..targets.workspaces import reads_forbidden_files
from .bundles import Bundles
from .checking import broken_suite, failed_at, inapplicable, look
from .deadlines import DEFAULT_DEADLINE
from .perform import perform
from .refusals import refusal_in
from .result import Result
from .verdict import Verdict

# The reason why a case is inapplicable that presupposes another value than the target has, before axis and value.
ANOTHER_POSTURE = "another posture: "
ANOTHER_VALUE = "another value in the target's dialect: "  # the same of an axis of instruction files

_NEEDS = "needs "  # the reason why a case is inapplicable, before the missing capabilities or the role

# What the harness's own loop around a middleware reports.
_REPORTS: frozenset[Capability] = frozenset(
    {"reports-instruction", "reports-recovery", "reports-return-directly", "reports-tools"}
)
# The capabilities that a role implies. Around a middleware the harness plays the agent, and calls the other handlers.
GIVEN: dict[Role, frozenset[Capability]] = {
    "loader": frozenset({"agentsmd"}),
    "middleware": _REPORTS.union(
        {
            "agentsmd",
            "after-model-edits",
            "after-model-hooks",
            "before-model-edits",
            "before-model-hooks",
            "raw-arguments",
            "several-handlers",
        }
    ),
}


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
    if not able:
        return None, f"{_NEEDS}{', '.join(sorted(lacking[offered[0]]))}"
    other = another_posture(case.postures, target) or _lacking_for_workspace(case, able[0], target)
    return (None, other) if other else (able[0], "")


def _lacking_for_workspace(case: Case, role: Role, target: Target) -> str:
    """What the dialect of the target or this user lacks for a workspace; empty if nothing."""
    workspace = case.scene.workspace
    if role != "workspace" or workspace is None:
        return ""
    if lacks := dialect_of(target.postures).lacks(workspace):
        return f"the dialect {lacks}"
    forbids = any(entry.kind == "forbidden" for entry in workspace.entries.values())
    if forbids and reads_forbidden_files(in_process=not target.isolated):
        return f"{_NEEDS}a user without access to every file"
    return ""


def another_posture(presupposed: Mapping[str, str], target: Target) -> str:
    """The reason why a target with another value than a presupposed one is not judged; empty if it has all values."""
    for axis, value in presupposed.items():
        if (own := value_on(axis, target.postures)) != value:
            return f"{ANOTHER_VALUE if axis in instruction_axes() else ANOTHER_POSTURE}{axis} is {own}"
    return ""


def only_lacks(case: Case, target: Target, why_not: str) -> str:
    """The capability that alone would make an inapplicable case applicable; empty if there is none.

    `why_not` is the reason why the case is inapplicable.
    """
    needed = why_not.removeprefix(_NEEDS)
    is_one = why_not.startswith(_NEEDS) and " " not in needed
    return needed if is_one and not another_posture(case.postures, target) else ""


# The verdicts of the cases of features by id, on one target. A variant is judged where its plain case passes.
Verdicts = MutableMapping[str, Verdict]


def judge(
    case: Case,
    target: Target,
    only: Role | None = None,
    deadline: float = DEFAULT_DEADLINE,
    verdicts: Verdicts | None = None,
    bundles: Bundles | None = None,
) -> Result:
    """Perform the case's scene and check the observation.

    `verdicts` has the verdicts so far, and takes that of this case. With `bundles`, variants of one case are judged
    together where they pass together. A fault of the target, of its adapter or of the suite is a result; only
    KeyboardInterrupt is raised.
    """
    verdicts = {} if verdicts is None else verdicts
    if isinstance(case, VariedCase):
        return _judge_varied(case, target, only, deadline, verdicts, bundles)
    return _judge_plain(case, target, only, deadline, verdicts, bundles, case.id)


def _judge_plain(
    case: Case,
    target: Target,
    only: Role | None,
    deadline: float,
    verdicts: Verdicts,
    bundles: Bundles | None,
    key: str,
) -> Result:
    """Judge a plain case. `key` is the key of its verdict."""
    seen, result = _judge(case, target, only, deadline)
    verdicts[key] = result.verdict
    if bundles is not None and key == case.id:
        bundles.take_plain(result, seen)
    verdicts.update({broken.case: broken.verdict for broken in result.broken})
    return result


def _judge_varied(
    case: VariedCase, target: Target, only: Role | None, deadline: float, verdicts: Verdicts, bundles: Bundles | None
) -> Result:
    """Judge a case of a variant if its plain case passes; judge that one before, if it has no verdict yet.

    An invariant, too, is judged in the variant where it holds in the plain case.
    """
    if bundles is not None and (result := bundles.passed(case)):
        return result
    role, why_not = role_for(case, target, only)
    if role is None:
        return inapplicable(case, why_not)
    plain = case.base.id
    # a scene without a handler under test is the same scene in both roles
    if verdicts.get(plain) != "passed" and case.plain not in verdicts:
        _judge_plain(case.base, target, only, deadline, verdicts, bundles, case.plain)
    if "passed" not in (verdicts.get(plain), verdicts.get(case.plain)):
        return inapplicable(case, "needs a plain case that passes")
    if bundles is not None and bundles.is_due(case):
        together = bundles.judge(
            case,
            lambda member: role_for(member, target, only)[0] == role,
            lambda bundle: _judge_scenes(bundle, target, role, deadline),
        )
        if together is not None:
            return together
    result = _judge_scenes(case, target, role, deadline)
    is_clean = result.verdict == "passed" and not result.broken
    if not is_clean and not _control_passes(case, target, only, deadline, verdicts):
        return inapplicable(case, "needs a case that passes with a handler that does nothing")
    # an invariant that does not hold in the plain case says nothing about the variant
    own = [
        broken
        for broken in result.broken
        if f"{plain}{SEPARATOR}{broken.case.rpartition(SEPARATOR)[2]}" not in verdicts
    ]
    return replace(result, broken=tuple(own)) if len(own) < len(result.broken) else result


def _control_passes(case: VariedCase, target: Target, only: Role | None, deadline: float, verdicts: Verdicts) -> bool:
    """Whether the case passes in the control of its variant, or has none: otherwise a failure is the framework's.

    The control is judged once, and only where the case itself does not pass.
    """
    hooks = [hook for hook, capability in CAPABILITY_OF_HOOK.items() if capability in target.capabilities]
    if (control := case.control(hooks)) is None:
        return True
    if case.id not in verdicts:  # the verdict of the control: that of the case itself is asked for by no other case
        verdicts[case.id] = _judge(control, target, only, deadline)[1].verdict
    return verdicts[case.id] == "passed"


def _judge_scenes(case: VariedCase, target: Target, role: Role, deadline: float) -> Result:
    """Judge the case in its own scene, and if its variant has orders, in each order."""
    if case.variant.orders is not None and not case.scene.held:
        return _judge_orders(case, target, role, deadline)
    return _performed(case, target, role, deadline)[1]


def _judge_orders(case: VariedCase, target: Target, role: Role, deadline: float) -> Result:
    """Judge the case in its own scene, and then in each order; the result is that of the first failing scene.

    A group of calls of which one is not made while another is held is not judged any further. Without any group, the
    case's own scene decides, if it differs from the plain one.
    """
    began = time.perf_counter()
    seen, own = _performed(case, target, role, deadline)
    if seen is None or own.verdict != "passed":
        return own
    judged = in_turn = 0
    for scenes in case.orders(seen):
        for scene in scenes:
            ordered = case.with_scene(scene)
            held, result = _performed(ordered, target, role, deadline)
            if held is not None and held.unreached:
                in_turn += 1
                break
            judged += 1
            if result.verdict != "passed" or result.broken:
                return replace(result, seconds=time.perf_counter() - began)
    if in_turn and not judged:
        return inapplicable(case, "makes these calls in turn")
    if not judged and case.scene is case.base.scene:
        return inapplicable(case, "makes no calls that could be concurrent")
    return replace(own, seconds=time.perf_counter() - began)


def _judge(case: Case, target: Target, only: Role | None, deadline: float) -> tuple[Observation | None, Result]:
    role, why_not = role_for(case, target, only)
    if role is None:
        return None, inapplicable(case, why_not)
    return _performed(case, target, role, deadline)


def _performed(case: Case, target: Target, role: Role, deadline: float) -> tuple[Observation | None, Result]:
    """Perform the case's scene and check the observation; None without one."""
    began = time.perf_counter()
    try:
        seen = perform(target, case.scene, role, deadline)
    except (AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable) as error:
        result = failed_at(case, case.when, verdict_of(error), str(error))
        return None, replace(result, seconds=time.perf_counter() - began, scene=case.scene, evidence=target.evidence)
    except Exception as error:
        return None, broken_suite(case, case.when, error, time.perf_counter() - began)
    result = _without_other_postures(look(case, seen, time.perf_counter() - began), target)
    if result.verdict == "passed" and not result.broken:
        return seen, replace(result, message=refusal_in(seen)) if seen.store_calls else result
    evidence = target.evidence
    broken = tuple(replace(each, evidence=evidence) for each in result.broken)
    return seen, replace(result, evidence={} if result.verdict == "passed" else evidence, broken=broken)


def _without_other_postures(result: Result, target: Target) -> Result:
    """The result without the invariants that presuppose another posture than the target has."""
    if not target.postures:
        return result
    others = {one.rule for one in invariants().values() if another_posture(one.postures, target)}
    return replace(
        result,
        holds=tuple(rule for rule in result.holds if rule not in others),
        broken=tuple(one for one in result.broken if others.isdisjoint(one.rules)),
    )


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
