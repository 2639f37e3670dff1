"""Judge one case on one target, and the canary."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple, Protocol, cast

from msgspec.structs import replace

from ..contract.axes import value_on
from ..contract.dialects import instruction_axes
from ..contract.faults import AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable
from ..contract.observation import Observation
from ..contract.reasons import Inapplicable
from ..contract.roles import ROLES, Role
from ..contract.stage import Stage
from ..contract.target import Identity, Target
from ..specification.cases import Case
from ..specification.features import canary
from ..specification.invariants import invariants
from ..specification.sources import CaseSource, sources
from ..targets.resolve import AbsentTarget
from .checking import broken_suite, failed_at, inapplicable, look
from .deadlines import DEFAULT_DEADLINE
from .perform import perform
from .result import Result, Verdict

# The verdict of a scene that could not be performed.
_VERDICTS: Mapping[type[Exception], Verdict] = {
    AdapterError: "errored",
    TargetCrashed: "crashed",
    TargetTimedOut: "timed-out",
    TargetUnusable: "not-run",
}


def role_for(case: Case, target: Target, only: Role | None = None) -> Role | Inapplicable:
    """The role in which a target performs a case, or why it performs the case in none."""
    offered = [role for role in case.roles if role in target.roles and only in (None, role)]
    if not offered:
        if only is not None and only not in case.roles:
            return Inapplicable("other-role", (only,))
        return Inapplicable("role", (only,) if only else case.roles)
    lacking = case.needs - target.capabilities
    able = next((role for role in offered if not lacking or lacking <= ROLES[role].implies), None)
    if able is None:
        return Inapplicable("capability", tuple(sorted(lacking - ROLES[offered[0]].implies)))
    if reason := another_posture(case.postures, target):
        return reason
    return ((lacks := ROLES[able].lacks) and lacks(case.scene, target)) or able


def applies(case: Case, target: Target, only: Role | None = None) -> bool:
    """Whether a target is judged by a case."""
    return not isinstance(role_for(case, target, only), Inapplicable)


def another_posture(presupposed: Mapping[str, str], target: Target) -> Inapplicable | None:
    """Why a target with another value than a presupposed one is not judged; None if it has all values."""
    for axis, value in presupposed.items():
        if (own := value_on(axis, target.postures)) != value:
            return Inapplicable("dialect" if axis in instruction_axes() else "posture", (axis, own))
    return None


def only_lacks(case: Case, target: Target, reason: Inapplicable | None) -> str:
    """The capability that alone would make an inapplicable case applicable; empty if there is none.

    `reason` is why the case is inapplicable.
    """
    if reason is None or reason.kind != "capability" or len(reason.names) != 1:
        return ""
    return "" if another_posture(case.postures, target) else reason.names[0]


class Subject(NamedTuple):
    """What a verdict is about: a case; in a `role` that the case is not for; or its scene in a control of a variant."""

    case: str
    role: Role | None = None
    control: bool = False


class Strategy(Protocol):
    """Judges the cases of one source in one run: what a source of cases adds to `Judging`."""

    def earlier(self, case: Case) -> Result | None:
        """The result of a case, if an earlier performance has it. Asked once."""

    def judge(self, case: Case) -> Result:
        """Judge a case of the source."""

    def take(self, result: Result, seen: Observation | None) -> None:
        """Take the result of a case of a feature, and the observation, if there is one."""


class JudgedSource(CaseSource, Protocol):
    """A case source whose cases are judged in a way of its own."""

    def strategy(self, judging: Judging, plan: Iterable[Case]) -> Strategy:
        """The strategy for the cases of a plan."""


@dataclass(eq=False)
class Judging:
    """Judges cases on one target, and keeps their verdicts.

    `plan` are the cases that can be judged together with others of the plan; without any, each is performed alone.
    `several` is called with True before a performance of several cases, and with False after it; `hung`, if such a
    performance has timed out: no case is judged in such a process.
    """

    target: Target
    role: Role | None = None
    deadline: float = DEFAULT_DEADLINE
    plan: Sequence[Case] = ()
    _: KW_ONLY
    verdicts: dict[Subject, Verdict] = field(default_factory=dict)
    several: Callable[[bool], None] = lambda is_several: None
    hung: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        """Find how the cases of each source in the plan are judged."""
        self._strategies = {name: self._strategy(name) for name in {case.source for case in self.plan} if name}
        # no invariant is judged that presupposes another posture than the target has
        all_of = invariants().values() if self.target.postures else ()
        self._others = frozenset(one.rule for one in all_of if another_posture(one.postures, self.target))

    def _strategy(self, source: str) -> Strategy:
        found = cast("JudgedSource", sources()[source])  # as its entry point promises
        return found.strategy(self, self.plan)

    def earlier(self, case: Case) -> Result | None:
        """The result of a case, if a performance with other cases has it already."""
        strategy = self._strategies.get(case.source)
        return strategy.earlier(case) if strategy else None

    def judge(self, case: Case) -> Result:
        """Perform the case's scene and check the observation.

        A fault of the target, of its adapter or of the suite is a result; only KeyboardInterrupt is raised.
        """
        if not case.source:
            return self.plain(case)
        if case.source not in self._strategies:
            self._strategies[case.source] = self._strategy(case.source)
        return self._strategies[case.source].judge(case)

    def plain(self, case: Case, role: Role | None = None) -> Result:
        """Judge a case in its own scene alone, and keep its verdict and those of its invariants.

        `role` is the role of the verdict, if the case is not for it.
        """
        seen, result = self.once(case)
        self.verdicts[Subject(case.id, role)] = result.verdict
        if role is None:
            for strategy in self._strategies.values():
                strategy.take(result, seen)
        for broken in result.broken:
            self.verdicts[Subject(broken.case)] = broken.verdict
        return result

    def once(self, case: Case) -> tuple[Observation | None, Result]:
        """Perform a case, and keep no verdict. None without an observation."""
        if isinstance(role := self.role_for(case), Inapplicable):
            return None, inapplicable(case, role)
        return self.perform(case, role)

    def role_for(self, case: Case) -> Role | Inapplicable:
        """The role in which the target performs a case, or why it performs the case in none."""
        return role_for(case, self.target, self.role)

    def perform(self, case: Case, role: Role) -> tuple[Observation | None, Result]:
        """Perform a case in a role, and check the observation. None without an observation."""
        target, began = self.target, time.perf_counter()
        try:
            seen = perform(target, case.scene, role, self.deadline)
        except (AdapterError, TargetCrashed, TargetTimedOut, TargetUnusable) as error:
            verdict = next(verdict for kind, verdict in _VERDICTS.items() if isinstance(error, kind))
            result = failed_at(case, case.when, verdict, str(error), time.perf_counter() - began)
            return None, replace(result, evidence=target.evidence)
        except Exception as error:
            return None, broken_suite(case, case.when, error, time.perf_counter() - began)
        result = look(case, seen, time.perf_counter() - began, self._others)
        if result.verdict == "passed" and not result.broken:
            refusals = (call.error for call in seen.store_calls if call.error and call.error.kind == "cannot_store")
            return seen, replace(result, refused=refusal.message) if (refusal := next(refusals, None)) else result
        evidence = target.evidence
        broken = tuple([replace(each, evidence=evidence) for each in result.broken])
        return seen, replace(result, evidence={} if result.verdict == "passed" else evidence, broken=broken)


def judge(case: Case, target: Target, role: Role | None = None, deadline: float = DEFAULT_DEADLINE) -> Result:
    """Judge a single case, as `Judging` does."""
    return Judging(target, role, deadline).judge(case)


class Mute(AbsentTarget):
    """The canary's target, which loads nothing. The load ends, so that only a Then can fail the canary."""

    isolated = False

    def __init__(self) -> None:
        super().__init__(Identity(name="mute"), ("loader",), ())

    def perform(self, stage: Stage) -> None:
        """Load nothing."""
        stage.outcomes.loaded()


def canary_fails() -> bool:
    """Whether the canary, a case that must fail, fails. If it passes, no verdict can be trusted."""
    return judge(canary(), Mute()).verdict == "failed"
