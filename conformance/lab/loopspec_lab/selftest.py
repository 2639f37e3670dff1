"""`loopspec selftest`: whether the suite passes the reference and catches every seeded mutant."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from types import ModuleType
from typing import Any, get_args

from loopspec.contract.faults import UsageError
from loopspec.contract.specification import mutants
from loopspec.engine.checking import never_happened
from loopspec.engine.judge import canary_fails, judge
from loopspec.engine.result import FAILURES, Result
from loopspec.reports.account import verdicts_of_rules
from loopspec.specification.cases import Case, CaseBasis
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, NORMATIVE, ledger
from loopspec.specification.museum import museum
from loopspec.specification.selection import shard_of, share
from loopspec.specification.sources import cases_by_default, cases_in, forms_named
from loopspec.targets.resolve import resolve


def selftest(args: argparse.Namespace) -> int:
    """Judge the canary, the reference and the mutants. Return 1 if a verdict is not what it should be.

    With names, judge only the mutants of these names or rules. With `--museum`, judge the real bugs instead. Raises
    `UsageError` for a name that fits none, and where no mutants are: in an installed wheel.
    """
    kit = mutants()
    if kit is None:
        raise UsageError(
            "the mutants are not installed, since they stand with the tests of loopspec: "
            "run `loopspec selftest` in a checkout, after `python -m pip install -e .`"
        )
    if args.conditions:
        _print_matrix(kit, args)
        return 0
    if args.museum:
        wrong = _museum(kit)
    elif args.mutants:
        wrong = _some(kit, args.mutants, args.full)
    else:
        wrong = [] if canary_fails() else ["the case that must fail does not fail"]
        wrong += _reference()
        wrong += _mutants(kit, args.full)
        wrong += _null_targets() if args.full else []
    for sentence in wrong:
        print(f"wrong: {sentence}")
    return 1 if wrong else 0


def _some(kit: ModuleType, patterns: list[str], full: bool) -> list[str]:
    """Judge the mutants of some names or rules."""
    trials = _tried(kit, _chosen(kit.MUTANTS.values(), patterns), full)
    for trial in trials:
        print(f"{trial.mutant.name}: {'caught by ' + trial.mutant.rule if trial.caught else 'not caught'}")
    return [str(trial) for trial in trials if not trial.caught]


def _chosen(known: Iterable[Any], patterns: list[str]) -> list[Any]:
    """The mutants of some names or rules. Raises `UsageError` for a pattern that fits none. Any: as in `_tried`."""
    known, chosen = list(known), set[str]()
    for pattern in patterns:
        fitting = {one.name for one in known if fnmatchcase(one.name, pattern) or fnmatchcase(one.rule, pattern)}
        if not fitting:
            raise UsageError(
                f"no mutant has the name or the rule {pattern!r}; `loopspec explain RULE` names a rule's mutant"
            )
        chosen |= fitting
    return [one for one in known if one.name in chosen]


def _print_matrix(kit: ModuleType, args: argparse.Namespace) -> None:
    """Print what a run sees of mutants that are wrong only while a condition holds: of normative rules, or as named.

    The cases are those of a plain run, with the transformed scenes that every run has. With variants, the cases of the
    mutants' own rules are judged in these, too.
    """
    matrix = importlib.import_module(f"{kit.__name__}.matrix")
    bases = frozenset(get_args(CaseBasis)) if args.mutants else NORMATIVE
    chosen = _chosen(matrix.conditional_mutants(compiled(), bases), args.mutants or ["*"])
    shard = shard_of(args.shard or "1/1")
    mine = [one for one in chosen if share(one.rule, shard.of) == shard.number]
    rules, forms = {one.rule for one in mine}, forms_named(tuple(args.variants))
    own = [case for case in compiled() if forms and rules.intersection(case.rule.ids)]
    cases = {case.id: case for case in compiled()}
    cases |= {form.id: form for case in compiled() for form in cases_by_default(case)}
    cases |= {form.id: form for case in own for form in cases_in(case, forms)}
    for line in matrix.report(matrix.tried(mine, [*cases.values()])):
        print(line, flush=True)


def _museum(kit: ModuleType) -> list[str]:
    """Judge the mutants that re-enact real bugs, each by the rules that the museum names."""
    known = {**kit.MUTANTS, **kit.BUGS}
    cases = compiled()
    missed = {bug: kit.missed_by(known[bug.mutant], set(bug.caught_by), cases) for bug in museum()}
    caught = sum(not rules for rules in missed.values())
    projects = len({bug.project for bug in museum()})
    print(f"{caught} of {len(missed)} real bugs of {projects} projects are caught by the rules that the museum names")
    return [
        f"{', '.join(sorted(rules))} should catch {bug.link} ({bug.mutant})" for bug, rules in missed.items() if rules
    ]


def _reference() -> list[str]:
    target = resolve("reference")
    cases = compiled()
    results = [judge(case, target) for case in cases]
    target.close()
    verdicts = verdicts_of_rules(each for result in results for each in (result, *result.broken))
    red = sorted(rule for rule, verdict in verdicts.items() if verdict in FAILURES)
    print(f"reference: {len(verdicts) - len(red)}/{len(verdicts)} rules passed")
    return [*_never_happened(cases, results), *(f"the reference fails {rule}" for rule in red)]


def _never_happened(cases: Iterable[Case], results: Iterable[Result]) -> list[str]:
    """The planned parts of cases that the reference never reached: a fault of the suite."""
    return [
        f"the suite is wrong: in {case.id}, {missed.sentence}"
        for case, result in zip(cases, results, strict=True)
        if result.observation
        for missed in never_happened(case, result.observation)
    ]


def _tried(kit: ModuleType, chosen: Iterable[Any], full: bool) -> list[Any]:
    """Judge each mutant by its own area, or by all cases.

    Any: the types are those of `loopspec_mutants`, which imports the kit.
    """
    cases = compiled()
    return [kit.try_mutant(mutant, kit.cases_for(mutant, cases, full=full), full=full) for mutant in chosen]


def _mutants(kit: ModuleType, full: bool) -> list[str]:
    """Judge all mutants."""
    trials = _tried(kit, kit.MUTANTS.values(), full)
    rows = ledger().rules.items()
    normative = {rule for rule, row in rows if row.status in JUDGED and row.basis in NORMATIVE}
    caught = {trial.mutant.rule for trial in trials if trial.caught} & normative
    where = "on every case" if full else "on its own area"
    print(f"mutants, each {where}: {sum(trial.caught for trial in trials)}/{len(trials)} caught")
    print(f"normative rules with a mutant: {len(caught)}/{len(normative)} = {len(caught) / len(normative):.3f}")
    wrong = [str(trial) for trial in trials if not trial.caught]
    wrong += [f"{trial.mutant.name} has more than 5 neighbors" for trial in trials if len(trial.mutant.neighbors) > 5]
    return wrong + [f"{rule} has no mutant that it catches" for rule in sorted(normative - caught)]


def _null_targets() -> list[str]:
    """Judge all cases on each null target."""
    nulls = importlib.import_module("loopspec_mutants.nulls")
    trials = [nulls.try_null(null, compiled()) for null in nulls.NULLS.values()]
    print(f"null targets: {len(trials)}, {sum(len(trial.passed) for trial in trials)} cases passed")
    return list(nulls.wrong_with(trials, nulls.listed()))
