"""`loopspec list` and `capabilities`: reading the specification."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from ...contract.axes import DIALECT, axes, value_on
from ...contract.capabilities import CAPABILITIES
from ...contract.dialects import DEFAULT_DIALECT, dialect, dialect_names, holders, instruction_axes, value_of_rule
from ...contract.faults import UsageError
from ...contract.names import did_you_mean
from ...contract.roles import ROLES
from ...contract.target import Target
from ...engine.output import counted
from ...specification.ledger import Basis, Entry, entries, ledger
from ...specification.order import rules_in_order
from ..page import paragraph

# The bases of rules, each with the color it has on a terminal.
BASES: dict[Basis, str] = {"documented": "green", "derived": "green", "clarified": "yellow"}


def list_rules(args: argparse.Namespace) -> int:
    """Print one line, or one JSON object, for each rule."""
    print_rules(args.globs, as_json=args.json)
    return 0


def print_rules(globs: Sequence[str], *, as_json: bool = False) -> None:
    """Print the rules whose id or area fits a glob, in reading order; all rules without globs.

    Raises `UsageError` if none fits.
    """
    by_id = {entry.id: entry for entry in entries()}
    known = [by_id[rule] for rule in rules_in_order()]
    every = [each for glob in globs for each in (glob, glob.upper())]
    wanted = [
        one for one in known if not globs or any(fnmatchcase(n, each) for n in (one.id, one.area) for each in every)
    ]
    if not wanted:
        names = [name for entry in known for name in (entry.id, entry.area)]
        hint = did_you_mean(globs[0], names, "see `loopspec list`")
        raise UsageError(f"no rule or area is called {' or '.join(map(repr, globs))}{hint}")
    if as_json:
        import json  # writes ASCII, which any terminal takes; loads slowly

        for entry in wanted:
            print(json.dumps(msgspec.to_builtins(entry), separators=(",", ":")))
        return
    for entry in wanted:
        note = entry.excluded or _judged_by(entry)
        lead = [(f"{entry.id:18} ", "bold cyan"), (f"{entry.basis:10} ", BASES[entry.basis])]
        if entry.excluded:
            lead = [(piece, "dim") for piece, _ in lead]
        paragraph(f"{entry.sentence}  [{note}]", lead=lead, hang=30, style="dim" if entry.excluded else "")
    if not globs:
        judged = sum(not entry.excluded for entry in wanted)
        paragraph(f"{len(wanted)} rules: targets are judged by {judged} of them", style="dim")


def _judged_by(entry: Entry) -> str:
    """What targets are judged by: scenarios of the rule, in some dialects only, or the cases of other rules."""
    if entry.scenarios:
        return counted(len(entry.scenarios), "scenario") + _in_dialects(entry.id)
    row = ledger().rules[entry.id]
    if row.variant:
        return f"variant {row.variant}"
    return "generated scenes" if row.status == "generated" else "in every case"


def _in_dialects(rule: str) -> str:
    """The dialects in which a rule of instruction files judges a target; empty for another rule."""
    if rule not in value_of_rule():
        return ""
    names = [one.judged_as for one in holders(*value_of_rule()[rule])]
    return f" in the dialect{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else " in no dialect"


def capabilities(args: argparse.Namespace) -> int:
    """Print the roles, capabilities and postures that there are; with a target, mark those that it declares."""
    target = None
    if args.target:
        from ...targets.resolve import resolve  # imports the drivers of every role

        target = resolve(args.target)
    for title, names, declared in (
        ("Roles", ROLES.items(), target.roles if target else frozenset()),
        ("Capabilities", CAPABILITIES.items(), target.capabilities if target else frozenset()),
    ):
        print(f"{title}:")
        for name, meaning in names:
            _print_declarable(name, str(meaning), (name in declared) if target else None)
    print("Postures, by axis:")
    for name, axis in axes().items():
        if axis.kind != "dialect":
            paragraph(axis.question, lead=[(f"{name}: ", "bold cyan")], indent=2, hang=2)
            for value, one in axis.values.items():
                judged = f"{one.sentence}  [{one.rule or 'the default'}]"
                has = value_on(name, target.postures) == value if target else None
                _print_declarable(value, judged, has, style="cyan", indent=4)
    _print_dialects(target)
    if target:
        target.close()
    return 0


def _print_declarable(name: str, meaning: str, has: bool | None, *, style: str = "bold cyan", indent: int = 2) -> None:
    """Print what a target can declare, with a mark that says whether it does; None: there is no target."""
    mark = "" if has is None else "yes  " if has else "no   "
    lead = [(mark, "green" if has else "dim"), (f"{name:22} ", style)]
    paragraph(meaning, lead=lead, indent=indent, hang=len(mark) + 23)


def _print_dialects(target: Target | None) -> None:
    """Print the dialects of instruction files; with a target of the role workspace, mark its dialect."""
    print("Dialects of instruction files, for the role workspace:")
    for name in dialect_names():
        known = dialect(name)
        measured = f"measured with version {known.version}" if known.judged else "by its document alone"
        default = "  [the default]" if name == DEFAULT_DIALECT else ""
        has = value_on(DIALECT, target.postures) == name if target and "workspace" in target.roles else None
        _print_declarable(name, f"{known.title}, {measured}{default}", has)
    print(f"  `loopspec list 'INS-*'` lists the rules of their values on {len(instruction_axes())} axes.")
