"""How the cases of variants are judged: where the plain case passes, several together, and in each order of calls."""

from __future__ import annotations

import time
from collections.abc import Iterable

from msgspec.structs import replace

from loopspec.contract.needs import CAPABILITY_OF_HOOK
from loopspec.contract.observation import Observation, Span
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.roles import Role
from loopspec.engine.checking import inapplicable
from loopspec.engine.judge import Judging, Subject
from loopspec.engine.result import FAILURES, Result
from loopspec.specification.cases import SEPARATOR, Case

from .at_once import able_parts
from .bundles import bundles_of, together
from .facts import Facts
from .variant import SOURCE, VariedCase, is_applied, varied, varied_case


class VariantJudging:
    """Judges the cases of variants in one run: see `loopspec.engine.judge.Strategy`.

    A bundle of the plan that passes is the result of each member. Any other result of a bundle is discarded, and each
    member is judged alone: a failure is always that of a single variant.
    """

    def __init__(self, judging: Judging, plan: Iterable[Case]) -> None:
        self._judging = judging
        bundles = [*bundles_of(varied(case) for case in plan if case.source == SOURCE)]
        self._waiting = {case.id: members for members in bundles for case in members}
        self._passed: dict[str, Result] = {}
        # of each plain case: the rules of its invariants, which a bundle must judge too, and the calls, if they order
        self._holds: dict[str, frozenset[str]] = {}
        self._calls: dict[str, tuple[Span, ...]] = {}
        self._ordered = {case.base.id for members in bundles for case in members if case.variant.orders}

    def earlier(self, case: Case) -> Result | None:
        """The result of a case whose bundle has passed."""
        return self._passed.pop(case.id, None)

    def take(self, result: Result, seen: Observation | None) -> None:
        """Take the result of a plain case, and the observation, if there is one."""
        self._holds[result.case] = frozenset(result.holds)
        if seen is not None and result.case in self._ordered:
            self._calls[result.case] = seen.spans

    def judge(self, case: Case) -> Result:
        """Judge a case of a variant if its plain case passes; judge that one before, if it has no verdict yet.

        An invariant, too, is judged in the variant where it holds in the plain case.
        """
        case = varied(case)
        if isinstance(role := self._judging.role_for(case), Inapplicable):
            return inapplicable(case, role)
        case = able_parts(case, self._judging.target) if case.variant.parts else case
        if not self._plain_passes(case):
            return inapplicable(case, Inapplicable("plain-case"))
        if case.id in self._waiting and self._bundle_passes(case, role):
            return self._passed.pop(case.id)
        result = self._judge_scenes(case, role)
        if (result.verdict != "passed" or result.broken) and not self._control_passes(case):
            return inapplicable(case, Inapplicable("control"))
        if case.variant.parts and result.verdict in FAILURES:
            result = replace(result, evidence={**result.evidence, "variants at once": self._alone(case, role)})
        own = [one for one in result.broken if self._of_plain(case, one) not in self._judging.verdicts]
        return replace(result, broken=tuple(own)) if len(own) < len(result.broken) else result

    def _alone(self, case: VariedCase, role: Role) -> str:
        """Which parts of a failing case fail alone: the first place to look at. A part may need those before it."""
        facts = Facts(case.base.scene)
        able = [one for one in case.variant.parts if is_applied(one, case.base, facts)]
        forms = [varied_case(case.base, one, case.rule) for one in able]
        alone = [one.form for one in forms if self._judging.perform(one, role)[1].verdict in FAILURES]
        parts = ", ".join(one.name for one in case.variant.parts)
        return f"{parts}\nThe case fails alone in: {', '.join(alone) or 'none of these, only in several at once'}\n"

    def _of_plain(self, case: VariedCase, broken: Result) -> Subject:
        """The case of an invariant in the plain case: where it does not hold there, it says nothing of the variant."""
        return Subject(f"{case.base.id}{SEPARATOR}{broken.case.rpartition(SEPARATOR)[2]}")

    def _plain_passes(self, case: VariedCase) -> bool:
        """Whether the plain case passes in a role of its own, or in that of the variant: the scene is the same."""
        verdicts, in_role = self._judging.verdicts, Subject(case.base.id, case.variant.judged_in)
        if verdicts.get(Subject(case.base.id)) == "passed":
            return True
        if in_role not in verdicts:
            self._judging.plain(case.base, in_role.role)
        return verdicts[in_role] == "passed"

    def _bundle_passes(self, case: VariedCase, role: Role) -> bool:
        """Whether the bundle of the case passes, of which the target may be able to take a part. Judged once.

        Each invariant that holds in the plain case must be judged: a variant may exclude one.
        """
        members = self._waiting[case.id]
        for member in members:
            del self._waiting[member.id]
        able = [member for member in members if self._judging.role_for(member) == role]
        if len(able) < 2:
            return False
        self._judging.several(True)
        result = self._judge_scenes(together(able, self._calls.get(case.base.id, ())), role)
        if result.verdict == "timed-out":
            self._judging.hung()
        self._judging.several(False)
        judged = self._holds.get(case.base.id, frozenset()).issubset(result.holds)
        if result.verdict != "passed" or result.broken or not judged:
            return False
        share = result.seconds / len(able)
        for member in able:
            self._passed[member.id] = Result(member.id, member.rule.ids, "passed", share, holds=result.holds)
        return True

    def _control_passes(self, case: VariedCase) -> bool:
        """Whether the case passes in the control of its variant, or has none: otherwise a failure is the framework's.

        The control is judged once, and only where the case itself does not pass.
        """
        declared = self._judging.target.capabilities
        control = case.control([hook for hook, capability in CAPABILITY_OF_HOOK.items() if capability in declared])
        if control is None:
            return True
        verdicts, of = self._judging.verdicts, Subject(case.id, control=True)
        if of not in verdicts:
            verdicts[of] = self._judging.once(control)[1].verdict
        return verdicts[of] == "passed"

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
