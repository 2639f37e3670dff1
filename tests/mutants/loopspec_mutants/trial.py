"""Trials of mutants: whether the suite catches a mutant, and with the expected rules only."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass

from loopspec.engine.judge import Verdicts, judge
from loopspec.engine.verdict import FAILURES
from loopspec.specification.cases import Case, area_of
from loopspec.specification.variants import varied_cases
from loopspec.specification.variants.expanding import variants

from .registry import Bug, Mutant

# A mutant may hang. Scenes are small, so a short deadline is enough.
DEADLINE = 2.0  # seconds


@dataclass(frozen=True)
class Trial:
    """The result of a mutant: the failed rules, the expected ones that passed, and the unexpected ones."""

    mutant: Mutant
    red: frozenset[str]
    missed: frozenset[str]
    extra: frozenset[str]

    @property
    def caught(self) -> bool:
        """Whether exactly the rule of the mutant and its neighbors have failed."""
        return not self.missed and not self.extra

    def __str__(self) -> str:
        parts = [f"{self.mutant.name} ({self.mutant.rule})"]
        if self.missed:
            parts.append(f"not caught by {', '.join(sorted(self.missed))}")
        if self.extra:
            parts.append(f"also turns red {', '.join(sorted(self.extra))}")
        return ": ".join([parts[0], "; ".join(parts[1:]) or "caught"])


def cases_for(mutant: Mutant, cases: Iterable[Case]) -> list[Case]:
    """Return the cases of the areas of the mutant's rule and of its neighbors.

    Of a variant these are its varied cases, after the plain cases that they vary: a mutant of a variant passes those.
    """
    rules = (mutant.rule, *mutant.neighbors)
    wanted = [variant for variant in variants().values() if variant.rule in rules]
    areas = {area_of(rule) for rule in rules}
    found: list[Case] = []
    for case in cases:
        varied = list(varied_cases(case, wanted))
        if varied or areas & {area_of(rule) for rule in case.rule.ids}:
            found.append(case)
        found += varied
    return found


def try_mutant(mutant: Mutant, cases: Iterable[Case]) -> Trial:
    """Judge the mutant by these cases."""
    with closing(mutant.target()) as target:
        verdicts: Verdicts = {}
        results = [judge(case, target, deadline=DEADLINE, verdicts=verdicts) for case in cases]
    red = frozenset(rule for result in results if result.verdict in FAILURES for rule in result.rules)
    expected = {mutant.rule, *mutant.neighbors}
    return Trial(mutant, red, frozenset(expected - red), frozenset(red - expected))


def missed_by(bug: Bug, cases: Iterable[Case]) -> frozenset[str]:
    """Return the rules that should catch the bug and do not."""
    wanted = frozenset(bug.caught_by)
    with closing(bug.target()) as target:
        results = [judge(case, target, deadline=DEADLINE) for case in cases if wanted & set(case.rule.ids)]
    return wanted - {rule for result in results if result.verdict in FAILURES for rule in result.rules}
