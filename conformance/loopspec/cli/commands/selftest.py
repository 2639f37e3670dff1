"""`loopspec selftest`: what the suite itself is worth, here and now."""

from __future__ import annotations

import argparse
import importlib

from ...engine.canary import canary_fails
from ...engine.judge import by_rule, judge
from ...engine.verdict import FAILURES, worst
from ...specification.cases import compiled
from ...specification.ledger import DECIDING, cases_by_rule, ledger
from ...targets.resolve import resolve


def selftest(args: argparse.Namespace) -> int:
    """Try the canary, the reference and the liars; exit 1 when one of them is not what it should be."""
    wrong = [] if canary_fails() else ["the case that must fail does not fail"]
    wrong += _reference()
    wrong += _liars(args.full)
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


def _liars(full: bool) -> list[str]:
    """Each liar on its own area, or on everything."""
    liars = importlib.import_module("loopspec_mutants")
    cases = compiled()
    trials = [liars.try_liar(liar, cases if full else liars.cases_for(liar, cases)) for liar in liars.LIARS.values()]
    deciding = {rule for rule in cases_by_rule() if ledger().rules[rule].provenance in DECIDING}
    caught = {trial.liar.rule for trial in trials if trial.caught} & deciding
    where = "on every case" if full else "on its own area"
    print(f"liars, each {where}: {sum(trial.caught for trial in trials)}/{len(trials)} caught")
    print(f"deciding rules with a liar: {len(caught)}/{len(deciding)} = {len(caught) / len(deciding):.3f}")
    wrong = [str(trial) for trial in trials if not trial.caught]
    wrong += [f"{trial.liar.name} has more than 5 neighbours" for trial in trials if len(trial.liar.neighbours) > 5]
    return wrong + [f"{rule} has no liar that it catches" for rule in sorted(deciding - caught)]
