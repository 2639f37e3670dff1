"""`loopspec selftest`: whether the suite passes the reference and catches every seeded mutant."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from ...contract.faults import UsageError
from ...engine.canary import canary_fails
from ...engine.judge import judge
from ...engine.result import by_rule
from ...engine.verdict import FAILURES, worst
from ...specification.features import compiled
from ...specification.ledger import NORMATIVE, cases_by_rule, ledger
from ...targets.resolve import resolve


def selftest(args: argparse.Namespace) -> int:
    """Judge the canary, the reference and the mutants. Return 1 if a verdict is not what it should be.

    With names, judge only the mutants of these names or rules. Raises `UsageError` for a name that fits none.
    """
    if args.mutants:
        wrong = _some(args.mutants, args.full)
    else:
        wrong = [] if canary_fails() else ["the case that must fail does not fail"]
        wrong += _reference()
        wrong += _mutants(args.full)
    for sentence in wrong:
        print(f"wrong: {sentence}")
    return 1 if wrong else 0


def _some(patterns: list[str], full: bool) -> list[str]:
    """Judge the mutants of some names or rules."""
    known = importlib.import_module("loopspec_mutants").MUTANTS.values()
    chosen: set[str] = set()
    for pattern in patterns:
        fitting = {one.name for one in known if fnmatchcase(one.name, pattern) or fnmatchcase(one.rule, pattern)}
        if not fitting:
            raise UsageError(
                f"no mutant has the name or the rule {pattern!r}; `loopspec explain RULE` names a rule's mutant"
            )
        chosen |= fitting
    trials = _tried([one for one in known if one.name in chosen], full)
    for trial in trials:
        print(f"{trial.mutant.name}: {'caught by ' + trial.mutant.rule if trial.caught else 'not caught'}")
    return [str(trial) for trial in trials if not trial.caught]


def _reference() -> list[str]:
    target = resolve("reference")
    results = [judge(case, target) for case in compiled()]
    target.close()
    verdicts = {rule: worst(result.verdict for result in found) for rule, found in by_rule(results).items()}
    red = sorted(rule for rule, verdict in verdicts.items() if verdict in FAILURES)
    print(f"reference: {len(verdicts) - len(red)}/{len(verdicts)} rules passed")
    return [f"the reference fails {rule}" for rule in red]


def _tried(mutants: Iterable[Any], full: bool) -> list[Any]:
    """Judge each mutant by its own area, or by all cases.

    Any: the types are those of `loopspec_mutants`, which imports the kit.
    """
    kit = importlib.import_module("loopspec_mutants")
    cases = compiled()
    return [kit.try_mutant(mutant, cases if full else kit.cases_for(mutant, cases)) for mutant in mutants]


def _mutants(full: bool) -> list[str]:
    """Judge all mutants."""
    trials = _tried(importlib.import_module("loopspec_mutants").MUTANTS.values(), full)
    normative = {rule for rule in cases_by_rule() if ledger().rules[rule].basis in NORMATIVE}
    caught = {trial.mutant.rule for trial in trials if trial.caught} & normative
    where = "on every case" if full else "on its own area"
    print(f"mutants, each {where}: {sum(trial.caught for trial in trials)}/{len(trials)} caught")
    print(f"normative rules with a mutant: {len(caught)}/{len(normative)} = {len(caught) / len(normative):.3f}")
    wrong = [str(trial) for trial in trials if not trial.caught]
    wrong += [f"{trial.mutant.name} has more than 5 neighbors" for trial in trials if len(trial.mutant.neighbors) > 5]
    return wrong + [f"{rule} has no mutant that it catches" for rule in sorted(normative - caught)]
