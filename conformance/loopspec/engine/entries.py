"""The entries of a baseline at the end of a run: stale ones, and those that name nothing that was judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from ..contract.target import Target
from ..specification.cases import SEPARATOR, Case
from ..specification.features import compiled
from ..specification.invariants import Invariant, invariants
from .baseline import Baseline
from .judge import another_posture
from .result import Result
from .verdict import Verdict

# What an observation leaves, without which no invariant is looked at.
_LOOKED_AT: frozenset[Verdict] = frozenset({"passed", "failed", "known", "stale"})


class Entries:
    """The entries of a baseline, and the results of the planned cases by name."""

    def __init__(self, baseline: Baseline, plan: Iterable[Case], results: Mapping[str, Result], target: Target) -> None:
        self._names = [entry.case for entry in baseline.known]
        self._flaky = {entry.case for entry in baseline.known if entry.flaky}
        self._plan = plan
        self._results = results
        self._target = target

    def stale(self) -> tuple[str, ...]:
        """The entries whose cases were all judged without a failure, apart from flaky entries.

        A partly judged rule is no evidence.
        """
        if not self._names:
            return ()
        found = self._verdicts
        names = [name for name in self._names if name not in self._flaky]
        verdicts = ((name, {"passed"} if self._holds_again(name) else found.get(name, set())) for name in names)
        return tuple(
            name for name, of in verdicts if of & {"passed", "stale"} and of <= {"passed", "stale", "inapplicable"}
        )

    def not_judged(self) -> dict[str, str]:
        """The entries that name a planned case or its invariant which was not judged, each with the reason.

        A case outside the plan is none of them, and neither is one that the run did not reach.
        """
        if not self._names:
            return {}
        found = self._verdicts
        reasons = ((name, self._why_not(name, found.get(name, set()))) for name in self._names)
        return {name: reason for name, reason in reasons if reason}

    @cached_property
    def _verdicts(self) -> dict[str, set[Verdict]]:
        """The verdicts of each case and of each rule, `not-run` for a case outside the plan."""
        verdicts: dict[str, set[Verdict]] = {}
        for case in (*compiled(), *(case for case in self._plan if case.source)):
            verdict = self._results[case.id].verdict if case.id in self._results else "not-run"
            for name in (case.id, *case.rule.ids):
                verdicts.setdefault(name, set()).add(verdict)
        return verdicts

    def _holds_again(self, name: str) -> bool:
        """Whether this is the name of an invariant's case, and the invariant holds in the case that was judged."""
        base, invariant = _of_invariant(name)
        return invariant is not None and base in self._results and invariant.rule in self._results[base].holds

    def _why_not(self, name: str, verdicts: set[Verdict]) -> str:
        """The reason why an entry names nothing that was judged; empty for another entry."""
        if name in self._results:
            result = self._results[name]
            return result.message if result.verdict == "inapplicable" else ""
        base, invariant = _of_invariant(name)
        if invariant is not None:
            return self._why_no_invariant(base, invariant)
        return "each case of the rule is inapplicable" if verdicts == {"inapplicable"} else ""

    def _why_no_invariant(self, base: str, invariant: Invariant) -> str:
        if base and base not in self._results:
            return ""
        if other := another_posture(invariant.postures, self._target):
            return str(other)
        if not base or self._holds_again(f"{base}{SEPARATOR}{invariant.name}"):
            return ""
        result = self._results[base]
        if result.verdict == "inapplicable":
            return result.message
        return "the invariant is not judged in this case" if result.verdict in _LOOKED_AT else ""


def _of_invariant(name: str) -> tuple[str, Invariant | None]:
    """The base case and the invariant of an invariant's case; no base case for the name of an invariant's rule."""
    base, _, invariant = name.rpartition(SEPARATOR)
    if base:
        return base, invariants().get(invariant)
    return "", next((one for one in invariants().values() if one.rule == name), None)
