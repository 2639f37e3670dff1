"""Trying liars: does the suite catch each of them, and only where it lies?"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass

from loopspec.engine.judge import judge
from loopspec.engine.verdict import FAILURES
from loopspec.specification.cases import Case, area_of

from .registry import Liar

# A liar may hang: what it is asked for is small, so it need not be waited for long.
DEADLINE = 2.0  # seconds


@dataclass(frozen=True)
class Trial:
    """What became of a liar: the rules that turned red, and what is wrong with that."""

    liar: Liar
    red: frozenset[str]
    missed: frozenset[str]
    extra: frozenset[str]

    @property
    def caught(self) -> bool:
        """Whether its rule turned red, its neighbours too, and nothing else."""
        return not self.missed and not self.extra

    def __str__(self) -> str:
        parts = [f"{self.liar.name} ({self.liar.rule})"]
        if self.missed:
            parts.append(f"not caught by {', '.join(sorted(self.missed))}")
        if self.extra:
            parts.append(f"also turns red {', '.join(sorted(self.extra))}")
        return ": ".join([parts[0], "; ".join(parts[1:]) or "caught"])


def cases_for(liar: Liar, cases: Iterable[Case]) -> list[Case]:
    """The cases of the liar's own area and of its neighbours."""
    areas = {area_of(rule) for rule in (liar.rule, *liar.neighbours)}
    return [case for case in cases if areas & {area_of(rule) for rule in case.rule.ids}]


def try_liar(liar: Liar, cases: Iterable[Case]) -> Trial:
    """Judge the liar on these cases."""
    with closing(liar.target()) as target:
        results = [judge(case, target, deadline=DEADLINE) for case in cases]
    red = frozenset(rule for result in results if result.verdict in FAILURES for rule in result.rules)
    expected = {liar.rule, *liar.neighbours}
    return Trial(liar, red, frozenset(expected - red), frozenset(red - expected))
