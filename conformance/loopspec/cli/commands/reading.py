"""`loopspec list`, `explain`, `phrases` and `capabilities`: reading the specification."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import sys
from fnmatch import fnmatchcase

import msgspec

from loopspec_steps import BOOK

from ...contract.capabilities import CAPABILITIES, ROLES
from ...contract.faults import UsageError
from ...contract.specification import features_root
from ...contract.target import Target
from ...engine.judge import judge
from ...engine.verdict import Verdict, worst
from ...specification.cases import Case, Rule
from ...specification.ledger import Entry, cases_by_rule, entries, ledger
from ...targets.resolve import resolve


def list_rules(args: argparse.Namespace) -> int:
    """Print one line, or one JSON object, for each rule."""
    wanted = [entry for entry in entries() if _is_wanted(entry, args.globs)]
    if not wanted:
        raise UsageError(f"no rule or area is called {' or '.join(map(repr, args.globs))}: see `loopspec list`")
    for entry in wanted:
        if args.json:
            print(json.dumps(msgspec.to_builtins(entry), separators=(",", ":")))  # ASCII: any terminal takes it
        else:
            note = entry.excluded or f"{len(entry.scenarios)} scenarios"
            print(f"{entry.id:18} {entry.basis:10} {entry.sentence}  [{note}]")
    return 0


def _is_wanted(entry: Entry, globs: list[str]) -> bool:
    return not globs or any(fnmatchcase(name, glob) for glob in globs for name in (entry.id, entry.area))


def explain(args: argparse.Namespace) -> int:
    """Print everything there is about one rule, and how the reference and the given targets do with it."""
    known = {entry.id: entry for entry in entries()}
    if args.rule not in known:
        close = difflib.get_close_matches(args.rule, known, n=1)
        hint = f"did you mean {close[0]}?" if close else "see `loopspec list`"
        raise UsageError(f"there is no rule {args.rule!r}: {hint}")
    entry, row = known[args.rule], ledger().rules[args.rule]
    print(f"{entry.id}: {entry.sentence}\n")
    print(f"  {entry.basis}, {entry.document}" + "".join(f"\n    {section}" for section in row.sections))
    if entry.excluded:
        print(f"  no scenario: {entry.excluded}")
    if row.decision:
        print(f"  decision: {row.decision}")
    if row.mutant:
        print(f"  mutant: {row.mutant}")
    cases = cases_by_rule().get(entry.id, [])
    if cases:
        print(f"\n  {cases[0].file}:{cases[0].rule.line}\n")
        print(_gherkin(cases[0].rule))
        print()
        for name in ["reference", *args.targets]:
            target = resolve(name)
            print(f"  {_verdict_on(cases, name, target):12} {name}")
            target.close()
    return 0


def _verdict_on(cases: list[Case], name: str, target: Target) -> Verdict:
    """The worst of the cases; the first that hangs ends the process, for its thread would be waited for."""
    verdicts: list[Verdict] = []
    for case in cases:
        result = judge(case, target)
        if result.verdict == "timed-out":
            sys.stdout.flush()
            print(f"loopspec: {name} is unusable: {result.message}", file=sys.stderr, flush=True)
            os._exit(4)
        verdicts.append(result.verdict)
    return worst(verdicts)


def _gherkin(rule: Rule) -> str:
    """The rule as it stands in its feature."""
    lines = (features_root() / rule.file).read_text(encoding="utf-8").splitlines()
    rest = lines[rule.line :]
    end = next((n for n, line in enumerate(rest) if re.match(r"  (@|Rule:)", line)), len(rest))
    return "\n".join([lines[rule.line - 1], *rest[:end]]).rstrip()


def phrases(args: argparse.Namespace) -> int:
    """Print the phrasebook."""
    print(phrasebook() if args.markdown else _plain_phrasebook())
    return 0


def _plain_phrasebook() -> str:
    lines = []
    for phrase in BOOK.phrases:
        lines += [f"{phrase.kind.capitalize()} {phrase.readable}", f"    {phrase.meaning}"]
    return "\n".join(lines)


def phrasebook() -> str:
    """The phrasebook as a page: generated, so that it is true."""
    lines = [
        "# Phrasebook",
        "",
        "Every sentence a feature can be written in. `{words}` are holes; in quotes, a hole takes anything but quotes.",
        "This page is printed by `loopspec phrases --markdown`.",
    ]
    for kind in ("given", "when", "then"):
        lines += ["", f"## {kind.capitalize()}", "", "| sentence | meaning |", "| --- | --- |"]
        for phrase in BOOK.phrases:
            if phrase.kind == kind:
                lines.append(f"| `{phrase.readable}` | {phrase.meaning} |")
    return "\n".join(lines)


def capabilities(args: argparse.Namespace) -> int:
    """Print what a target can be and can be able to do; with a target, what it declares of that."""
    target = resolve(args.target) if args.target else None
    for title, names, declared in (
        ("Roles", ROLES.items(), target.roles if target else frozenset()),
        ("Capabilities", CAPABILITIES.items(), target.capabilities if target else frozenset()),
    ):
        print(f"{title}:")
        for name, meaning in names:
            mark = ("yes  " if name in declared else "no   ") if target else ""
            print(f"  {mark}{name:22} {meaning}")
    if target:
        target.close()
    return 0
