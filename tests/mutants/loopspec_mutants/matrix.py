"""The matrix of mutants and conditions: what the suite sees of a mutant that is wrong only while a condition holds.

Which case calls which changed function under which condition is recorded once, on the reference. A pair of mutant and
condition is then tried by the cases that reach it: those of the mutant's own rule, and a few others. What a changed
constructor does cannot depend on what happens in the run: such a pair is irrelevant, as one that the sentence excludes.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import cache
from itertools import groupby
from pathlib import Path
from types import FunctionType
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec import Struct

from loopspec.contract.harness import HarnessStage
from loopspec.engine.judge import Judging
from loopspec.engine.result import FAILURES
from loopspec.specification.cases import Case, area_of
from loopspec.specification.ledger import NORMATIVE, ledger
from loopspec.specification.sources import fits
from loopspec.stage import LiveStage

from .conditions import CONDITIONS, IN_A_RUN, Watch
from .registry import MUTANTS, Mutant, MutantTarget, Patch
from .rewriting import LostError, Rewriting, watched
from .trial import DEADLINE

Outcome = Literal["caught", "caught elsewhere", "survives", "not reached", "irrelevant"]

_OTHERS = 60  # cases of other rules that try a pair
_BUILDING = "The changed code builds an agent, and the condition is about what happens in its run."
_IRRELEVANT = Path(__file__).parents[1] / "irrelevant.toml"


class Irrelevant(Struct, frozen=True, forbid_unknown_fields=True):
    """Pairs that say nothing of a rule, because its sentence excludes the condition. `rules` are globs."""

    rules: tuple[str, ...]
    conditions: tuple[str, ...]
    reason: str


class _Declared(Struct, frozen=True, forbid_unknown_fields=True):
    irrelevant: tuple[Irrelevant, ...]


@cache
def irrelevant() -> tuple[Irrelevant, ...]:
    """The declared ones."""
    return msgspec.toml.decode(_IRRELEVANT.read_bytes(), type=_Declared).irrelevant


class Tried(NamedTuple):
    """A pair of mutant and condition, what came of it, and the case that is red, or the reason."""

    mutant: Mutant
    condition: str
    outcome: Outcome
    by: str = ""


class Watched(MutantTarget):
    """The reference without a bug, watched, in the roles and with the backend of some mutants."""

    def __init__(self, mutants: Sequence[Mutant], watch: Watch) -> None:
        first = mutants[0]
        super().__init__(Mutant(first.name, first.rule, nullcontext, backend=first.backend))
        self.roles = self._target.roles & frozenset().union(*(one.roles for one in mutants))
        self._mutants, self._watch = mutants, watch

    def perform(self, stage: HarnessStage) -> None:
        """Perform the scene on the reference."""
        assert isinstance(stage, LiveStage), "a target in this process performs the harness's own stage"
        self._watch.begin(stage)
        super().perform(stage)

    def rebuilt(self) -> Watched:
        """Return a new target, which has the same watch."""
        return Watched(self._mutants, self._watch)


class Reach:
    """Which cases call which changed functions under which conditions: recorded once, on the reference.

    `functions` are those that a mutant changes, by the mutant's name; of one that changes a value, there are none.
    """

    def __init__(self, mutants: Collection[Mutant], cases: Iterable[Case]) -> None:
        self.functions = {one.name: functions_of(one.bug) for one in mutants}
        self._cases = {case.id: case for case in cases}
        self._found: dict[tuple[FunctionType, str], set[str]] = defaultdict(set)
        self._in_runs = set[FunctionType]()
        for backend in {one.backend for one in mutants}:
            self._record([one for one in mutants if one.backend == backend])

    def of(self, mutant: Mutant, condition: str) -> list[Case]:
        """The cases that call a changed function of the mutant while the condition holds, in order."""
        found = set[str]().union(*(self._found[each, condition] for each in self.functions[mutant.name]))
        return [case for name, case in self._cases.items() if name in found and mutant.roles.intersection(case.roles)]

    def judged(self, cases: Iterable[Case]) -> list[Case]:
        """These cases, each form after its plain case: where that passes in a role of its own, the form is judged."""
        names = dict.fromkeys(name for case in cases for name in (case.base.id, case.id))
        return [self._cases[name] for name in names]

    def only_builds(self, mutant: Mutant) -> bool:
        """Whether the cases call the changed functions of the mutant, and never in a run."""
        functions = self.functions[mutant.name]
        return any(found in functions for found, _ in self._found) and self._in_runs.isdisjoint(functions)

    def _record(self, mutants: Sequence[Mutant]) -> None:
        watch, seen = Watch(), set[tuple[FunctionType, str]]()

        def note(function: FunctionType) -> None:
            if watch.runs:
                self._in_runs.add(function)
            seen.update((function, name) for name in CONDITIONS if (function, name) not in seen and watch.holds(name))

        functions = {each for one in mutants for each in self.functions[one.name]}
        with closing(Watched(mutants, watch)) as target, watched(functions, note):
            judging = Judging(target, deadline=DEADLINE)
            for case in self._cases.values():
                seen.clear()
                judging.judge(case)
                for each in seen:
                    self._found[each].add(case.id)


def conditional_mutants(cases: Iterable[Case], bases: Collection[str] = NORMATIVE) -> tuple[Mutant, ...]:
    """The mutants of the rules with one of these bases that have examples, in the order of the rules."""
    rules = {rule for case in cases for rule in case.rule.ids if ledger().rules[rule].basis in bases}
    found = (one for one in MUTANTS.values() if one.rule in rules and not one.dialect and not one.postures)
    order = list(ledger().rules)
    return tuple(sorted(found, key=lambda one: order.index(one.rule)))


def tried(mutants: Collection[Mutant], cases: Sequence[Case]) -> Iterator[Tried]:
    """Try each mutant under each condition of its part of the suite, by the cases that reach it."""
    reach = Reach(mutants, cases)
    for mutant in mutants:
        for condition, described in CONDITIONS.items():
            if _part(mutant) in described.parts and reach.functions[mutant.name]:
                yield _tried(mutant, condition, reach)


def _tried(mutant: Mutant, condition: str, reach: Reach) -> Tried:
    if reason := _irrelevant(mutant.rule, condition):
        return Tried(mutant, condition, "irrelevant", reason)
    found = reach.of(mutant, condition)
    if not found and condition in IN_A_RUN and not mutant.backend and reach.only_builds(mutant):
        return Tried(mutant, condition, "irrelevant", _BUILDING)
    if not found:
        return Tried(mutant, condition, "not reached")
    own = [case for case in found if mutant.rule in case.base.rule.ids]
    others = [case for case in found if mutant.rule not in case.base.rule.ids]
    random.Random(f"{mutant.name} {condition}").shuffle(others)
    others.sort(key=lambda case: (area_of(case.base.rule.ids[0]) != area_of(mutant.rule), case.source == ""))
    red = first_red(mutant, condition, reach.judged([*own, *others[:_OTHERS]]))
    if red is None:
        return Tried(mutant, condition, "survives")
    return Tried(mutant, condition, "caught" if mutant.rule in red.base.rule.ids else "caught elsewhere", red.id)


def report(found: Iterable[Tried]) -> Iterator[str]:
    """The lines of the matrix: what is not caught of each mutant, then the numbers by condition and in all."""
    counts: dict[str, Counter[Outcome]] = {name: Counter() for name in CONDITIONS}
    for (rule, name), pairs in groupby(found, key=lambda one: (one.mutant.rule, one.mutant.name)):
        missed: dict[Outcome, list[str]] = {"survives": [], "not reached": []}
        for one in pairs:
            counts[one.condition][one.outcome] += 1
            missed.get(one.outcome, []).append(one.condition)
        said = (f"{outcome}: {', '.join(conditions)}" for outcome, conditions in missed.items() if conditions)
        yield f"{rule} {name}: {'; '.join(said) or 'caught'}"
    yield f"{'':24}{''.join(f'{outcome:>18}' for outcome in get_args(Outcome))}"
    total = sum(counts.values(), Counter[Outcome]())
    for name, of_condition in (*counts.items(), ("all", total)):
        if of_condition:
            yield f"{name:24}{''.join(f'{of_condition[outcome]:18}' for outcome in get_args(Outcome))}"
    relevant = total.total() - total["irrelevant"]
    red = total["caught"] + total["caught elsewhere"]
    yield f"conditional mutants caught: {red}/{relevant} = {red / max(relevant, 1):.3f}"


def first_red(mutant: Mutant, condition: str, cases: Iterable[Case]) -> Case | None:
    """The first of these cases that fails on the mutant under the condition."""
    watch = Watch()
    assert isinstance(mutant.bug, Rewriting)
    with closing(Watched([mutant], watch)) as target, mutant.bug.sometimes(lambda function: watch.holds(condition)):
        judging = Judging(target, deadline=DEADLINE)
        for case in cases:
            result = judging.judge(case)
            if any(each.verdict in FAILURES for each in (result, *result.broken)):
                return case
    return None


def functions_of(patch: Patch) -> tuple[FunctionType, ...]:
    """Return the functions that a change changes; none of one that changes a value."""
    try:
        return patch.functions() if isinstance(patch, Rewriting) else ()
    except LostError:
        return ()


def _irrelevant(rule: str, condition: str) -> str:
    """The reason why a rule says nothing under a condition; empty if it does."""
    declared = (one for one in irrelevant() if condition in one.conditions and any(fits(rule, g) for g in one.rules))
    return next((one.reason for one in declared), "")


def _part(mutant: Mutant) -> str:
    """The part of the suite: see `CONDITIONS`."""
    if mutant.backend:
        return "b"
    parts = {"AMD-": "m", "XP-": "p", "PLUGIN-": "p", "BACKEND-": "b"}
    return next((part for prefix, part in parts.items() if mutant.rule.startswith(prefix)), "a")
