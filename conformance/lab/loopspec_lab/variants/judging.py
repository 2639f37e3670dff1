"""How the cases of variants are judged: only where the plain case passes, and in each order of concurrent calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from loopspec.contract.needs import CAPABILITY_OF_HOOK
from loopspec.contract.observation import Observation
from loopspec.contract.roles import Role
from loopspec.engine.checking import inapplicable
from loopspec.engine.judge import Judging
from loopspec.engine.result import Result
from loopspec.specification.cases import SEPARATOR, Case
from loopspec.specification.reasons import Inapplicable

from .shared import Bundles
from .variant import VariedCase


class VariantJudging:
    """Judges the cases of variants in one run: see `loopspec.engine.judge.Strategy`."""

    def __init__(self, judging: Judging, plan: Iterable[Case], hung: Callable[[], None]) -> None:
        self._judging = judging
        self._bundles = Bundles((case for case in plan if isinstance(case, VariedCase)), hung)

    @property
    def performs_several(self) -> bool:
        """Whether a bundle is performed now."""
        return self._bundles.is_performing

    def earlier(self, case: Case) -> Result | None:
        """The result of a case whose bundle has passed."""
        return self._bundles.passed(case)

    def take(self, result: Result, seen: Observation | None) -> None:
        """Take the result of a plain case: a bundle judges the invariants that hold in it."""
        self._bundles.take_plain(result, seen)

    def judge(self, case: Case) -> Result:
        """Judge a case of a variant if its plain case passes; judge that one before, if it has no verdict yet.

        An invariant, too, is judged in the variant where it holds in the plain case.
        """
        assert isinstance(case, VariedCase)
        verdicts = self._judging.verdicts
        if isinstance(role := self._judging.role_for(case), Inapplicable):
            return inapplicable(case, role)
        plain = case.base.id
        # a scene without a handler under test is the same scene in both roles
        if verdicts.get(plain) != "passed" and case.plain not in verdicts:
            self._judging.plain(case.base, "" if case.plain == plain else case.plain)
        if "passed" not in (verdicts.get(plain), verdicts.get(case.plain)):
            return inapplicable(case, Inapplicable("plain-case"))
        if self._bundles.is_due(case):
            together = self._bundles.judge(
                case,
                lambda member: self._judging.role_for(member) == role,
                lambda bundle: self._judge_scenes(bundle, role),
            )
            if together is not None:
                return together
        result = self._judge_scenes(case, role)
        is_clean = result.verdict == "passed" and not result.broken
        if not is_clean and not self._control_passes(case):
            return inapplicable(case, Inapplicable("control"))
        # an invariant that does not hold in the plain case says nothing about the variant
        own = [
            broken
            for broken in result.broken
            if f"{plain}{SEPARATOR}{broken.case.rpartition(SEPARATOR)[2]}" not in verdicts
        ]
        return replace(result, broken=tuple(own)) if len(own) < len(result.broken) else result

    def _control_passes(self, case: VariedCase) -> bool:
        """Whether the case passes in the control of its variant, or has none: otherwise a failure is the framework's.

        The control is judged once, and only where the case itself does not pass.
        """
        declared = self._judging.target.capabilities
        hooks = [hook for hook, capability in CAPABILITY_OF_HOOK.items() if capability in declared]
        if (control := case.control(hooks)) is None:
            return True
        verdicts = self._judging.verdicts
        if case.id not in verdicts:  # the verdict of the control: that of the case itself is asked for by no other case
            verdicts[case.id] = self._judging.once(control)[1].verdict
        return verdicts[case.id] == "passed"

    def _judge_scenes(self, case: VariedCase, role: Role) -> Result:
        """Judge the case in its own scene, and if its variant has orders, in each order."""
        if case.variant.orders is not None and not case.scene.held:
            return self._judge_orders(case, role)
        return self._judging.perform(case, role)[1]

    def _judge_orders(self, case: VariedCase, role: Role) -> Result:
        """Judge the case in its own scene, and then in each order; the result is that of the first failing scene.

        A group of calls of which one is not made while another is held is not judged any further. Without any group,
        the case's own scene decides, if it differs from the plain one.
        """
        began = time.perf_counter()
        seen, own = self._judging.perform(case, role)
        if seen is None or own.verdict != "passed":
            return own
        judged = in_turn = 0
        for scenes in case.orders(seen):
            for scene in scenes:
                held, result = self._judging.perform(case.with_scene(scene), role)
                if held is not None and held.unreached:
                    in_turn += 1
                    break
                judged += 1
                if result.verdict != "passed" or result.broken:
                    return replace(result, seconds=time.perf_counter() - began)
        if in_turn and not judged:
            return inapplicable(case, Inapplicable("in-turn"))
        if not judged and case.scene is case.base.scene:
            return inapplicable(case, Inapplicable("alone"))
        return replace(own, seconds=time.perf_counter() - began)
