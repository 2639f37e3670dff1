"""The varied cases of a plan that one performance judges together, on one target."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from loopspec.contract.observation import Observation, Span
from loopspec.engine.result import Result
from loopspec.specification.cases import Case

from .bundles import bundles_of, together
from .variant import VariedCase


class Bundles:
    """The bundles of a plan, and the results of their members.

    A bundle that passes is the result of each member. Any other result of a bundle is discarded, and each member is
    judged alone: a failure is always that of a single variant. `hung` is called after a bundle that timed out.
    """

    def __init__(self, varied: Iterable[VariedCase], hung: Callable[[], None] = lambda: None) -> None:
        self._hung = hung
        self.is_performing = False  # read by the thread of a watchdog, too
        self._waiting = {case.id: members for members in bundles_of(varied) for case in members}
        self._passed: dict[str, Result] = {}
        self._holds: dict[str, frozenset[str]] = {}
        self._calls: dict[str, tuple[Span, ...]] = {}
        self._ordered = {case.base.id for members in self._waiting.values() for case in members if case.variant.orders}

    def take_plain(self, result: Result, seen: Observation | None) -> None:
        """Take the result of a plain case, whose invariants a bundle must judge too, and the observation, if any."""
        self._holds[result.case] = frozenset(result.holds)
        if seen is not None and result.case in self._ordered:
            self._calls[result.case] = seen.spans

    def passed(self, case: Case) -> Result | None:
        """The result of a member of a bundle that has passed."""
        return self._passed.pop(case.id, None) if self._passed else None

    def is_due(self, case: Case) -> bool:
        """Whether the bundle of the case is performed before the case alone."""
        return case.id in self._waiting

    def judge(
        self, case: VariedCase, is_able: Callable[[VariedCase], bool], judge: Callable[[VariedCase], Result]
    ) -> Result | None:
        """The result of the case, if its bundle is judged now and passes. A target may be able to take a part of it."""
        members = self._waiting.get(case.id, ())
        for member in members:
            del self._waiting[member.id]
        able = [member for member in members if is_able(member)]
        if len(able) < 2:
            return None
        self.is_performing = True
        result = judge(together(able, self._calls.get(case.base.id, ())))
        self.is_performing = False
        if result.verdict == "timed-out":
            self._hung()
        if result.verdict != "passed" or result.broken or not self._judges_enough(case, result):
            return None
        share = result.seconds / len(able)
        for member in able:
            self._passed[member.id] = Result(member.id, member.rule.ids, "passed", share, holds=result.holds)
        return self.passed(case)

    def _judges_enough(self, case: VariedCase, result: Result) -> bool:
        """Whether each invariant that holds in the plain case was judged: a variant may exclude one."""
        return self._holds.get(case.base.id, frozenset()) <= frozenset(result.holds)
