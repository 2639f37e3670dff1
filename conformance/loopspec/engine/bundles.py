"""The varied cases of a plan that one performance judges together, on one target."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..contract.observation import Observation
from ..specification.cases import Case
from ..specification.variants import VariedCase
from ..specification.variants.bundles import bundles_of, together
from .result import Result


class Bundles:
    """The bundles of a plan, and the results of their members.

    A bundle that passes is the result of each member. Any other result of a bundle is discarded, and each member is
    judged alone: a failure is always that of a single variant.
    """

    def __init__(self, plan: Iterable[Case]) -> None:
        varied = (case for case in plan if isinstance(case, VariedCase))
        self._waiting = {case.id: members for members in bundles_of(varied) for case in members}
        self._passed: dict[str, Result] = {}
        self._holds: dict[str, frozenset[str]] = {}
        self._plain: tuple[str, Observation | None] = ("", None)

    def take_plain(self, result: Result, seen: Observation | None = None) -> None:
        """Take the result of a plain case, whose invariants a bundle must judge too, and its observation.

        Only the latest observation is kept: the varied cases of a plan follow their plain case.
        """
        self._holds[result.case] = frozenset(result.holds)
        self._plain = (result.case, seen)

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
        result = judge(together(able, self._seen(case)))
        if result.verdict != "passed" or result.broken or not self._judges_enough(case, result):
            return None
        share = result.seconds / len(able)
        for member in able:
            self._passed[member.id] = Result(member.id, member.rule.ids, "passed", share, holds=result.holds)
        return self.passed(case)

    def _judges_enough(self, case: VariedCase, result: Result) -> bool:
        """Whether each invariant that holds in the plain case was judged: a variant may exclude one."""
        return self._holds.get(case.base.id, frozenset()) <= frozenset(result.holds)

    def _seen(self, case: VariedCase) -> Observation | None:
        """The observation of the plain case, if that is the latest one."""
        name, seen = self._plain
        return seen if name == case.base.id else None
