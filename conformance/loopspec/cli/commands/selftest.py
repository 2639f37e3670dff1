"""`loopspec selftest`: whether the suite passes the reference and catches every seeded mutant."""

from __future__ import annotations

import argparse
import importlib

from ...engine.canary import canary_fails
from ...engine.judge import judge
from ...engine.result import by_rule
from ...engine.verdict import FAILURES, worst
from ...specification.features import compiled
from ...specification.ledger import NORMATIVE, cases_by_rule, ledger
from ...targets.resolve import resolve


def selftest(args: argparse.Namespace) -> int:
    """Judge the canary, the reference and the mutants. Return 1 if a verdict is not what it should be."""
    wrong = [] if canary_fails() else ["the case that must fail does not fail"]
    wrong += _reference()
    wrong += _mutants(args.full)
    for sentence in wrong:
        print(f"wrong: {sentence}")
    return 1 if wrong else 0


def _reference() -> list[str]:
    target = resolve("reference")
    results = [judge(case, target) for case in compiled()]
    target.close()
    verdicts = {rule: worst(result.verdict for result in found) for rule, found in by_rule(results).items()}
    red = sorted(rule for rule, verdict in verdicts.items() if verdict in FAILURES)
    print(f"reference: {len(verdicts) - len(red)}/{len(verdicts)} rules passed")
    return [f"the reference fails {rule}" for rule in red]


def _mutants(full: bool) -> list[str]:
    """Judge each mutant by its own area, or by all cases."""
    mutants = importlib.import_module("loopspec_mutants")
    cases = compiled()
    trials = [
        mutants.try_mutant(mutant, cases if full else mutants.cases_for(mutant, cases))
        for mutant in mutants.MUTANTS.values()
    ]
    normative = {rule for rule in cases_by_rule() if ledger().rules[rule].basis in NORMATIVE}
    caught = {trial.mutant.rule for trial in trials if trial.caught} & normative
    where = "on every case" if full else "on its own area"
    print(f"mutants, each {where}: {sum(trial.caught for trial in trials)}/{len(trials)} caught")
    print(f"normative rules with a mutant: {len(caught)}/{len(normative)} = {len(caught) / len(normative):.3f}")
    wrong = [str(trial) for trial in trials if not trial.caught]
    wrong += [f"{trial.mutant.name} has more than 5 neighbors" for trial in trials if len(trial.mutant.neighbors) > 5]
    return wrong + [f"{rule} has no mutant that it catches" for rule in sorted(normative - caught)]
