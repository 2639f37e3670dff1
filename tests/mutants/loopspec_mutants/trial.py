"""Trials of mutants: whether the suite catches a mutant, and with the expected rules only."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import closing
from dataclasses import dataclass

from loopspec.engine.judge import Judging
from loopspec.engine.result import FAILURES
from loopspec.specification.cases import Case, area_of
from loopspec.specification.ledger import ledger
from loopspec.specification.sources import case_named
from loopspec_lab.variants import variants, varied_cases

from .registry import Mutant

# A mutant may hang. Scenes are small, so a short deadline is enough.
DEADLINE = 2.0  # seconds

ENOUGH = 150  # cases that judge a mutant at least: a variant and an invariant have thousands


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


def cases_for(mutant: Mutant, cases: Iterable[Case], *, full: bool = False) -> Iterator[Case]:
    """Yield the cases that judge the rule of the mutant and its neighbors: those of their areas, or `full`: all cases.

    Of a variant, these are the cases in this variant; of an invariant, all cases. Unless `full`, they come in an order
    of the mutant's own, so that those of all areas are among the first: after the cases that show the mutant, and those
    of the expected rules that have cases of their own.
    """
    rules, every = {mutant.rule, *mutant.neighbors}, list(cases)
    if not full:
        yield from filter(None, map(case_named, mutant.shown_by))
        own = rules - {variant.rule for variant in variants().values()}
        random.Random(mutant.name).shuffle(every)
        every.sort(key=lambda case: own.isdisjoint(case.rule.ids))
    yield from _judging(rules, every, (lambda rule: "") if full else area_of)


def _judging(rules: Set[str], cases: Iterable[Case], key: Callable[[str], str]) -> Iterator[Case]:
    """The cases of these rules, and of the rules with the same key; and the cases of variants among the rules."""
    wanted = {key(rule) for rule in rules}
    everywhere = bool(rules & _of_every_case())
    judged = [variant for variant in variants().values() if variant.rule in rules]
    for case in cases:
        varied = list(varied_cases(case, judged)) if judged else []
        if varied or everywhere or wanted & {key(rule) for rule in case.rule.ids}:
            yield case  # a mutant of a variant passes the plain cases
        yield from varied


def try_mutant(mutant: Mutant, cases: Iterable[Case], *, full: bool = False) -> Trial:
    """Judge the mutant by these cases; unless `full`, only until it is caught, and by `ENOUGH` of them at least."""
    expected = {mutant.rule, *mutant.neighbors}
    red = _red(mutant, cases, frozenset() if full else expected)
    return Trial(mutant, red, frozenset(expected - red), frozenset(red - expected - _of_every_case()))


def missed_by(bug: Mutant, caught_by: Set[str], cases: Iterable[Case]) -> frozenset[str]:
    """Return the rules that should catch a realistic bug and do not. Once all of them do, no further case is judged."""
    return frozenset(caught_by) - _red(bug, _judging(caught_by, cases, lambda rule: rule), caught_by, 0)


def _red(mutant: Mutant, cases: Iterable[Case], expected: Set[str], at_least: int = ENOUGH) -> frozenset[str]:
    """The rules that fail, those of invariants included; of `expected` ones, until all do, and in enough cases."""
    red = set[str]()
    with closing(mutant.target()) as target:
        judging = Judging(target, deadline=DEADLINE)
        for number, case in enumerate(cases):
            if expected and number >= at_least and expected <= red:
                break
            result = judging.judge(case)
            failed = (each for each in (result, *result.broken) if each.verdict in FAILURES)
            red.update(rule for each in failed for rule in each.rules)
    return frozenset(red)


def _of_every_case() -> frozenset[str]:
    """The rules of invariants: they are judged in the cases of all rules, so they may fail with any of them."""
    return frozenset(rule for rule, row in ledger().rules.items() if row.status == "invariant")
