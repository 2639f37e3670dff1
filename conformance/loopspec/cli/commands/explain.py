"""`loopspec explain`: print one rule with its source, its scenarios, and the verdicts of given targets."""

from __future__ import annotations

import argparse
import os
import re
import sys
from itertools import groupby
from operator import itemgetter

from ...contract.axes import axes, posture_hint, posture_rules
from ...contract.dialects import instruction_axes, value_of_rule
from ...contract.faults import UsageError
from ...contract.names import did_you_mean
from ...contract.registered import loaded
from ...contract.specification import feature_path
from ...engine.output import counted
from ...engine.result import Verdict, worst
from ...specification.cases import Case, Rule, area_of
from ...specification.features import cases_of_rule
from ...specification.ledger import NORMATIVE, Row, ledger
from ...specification.names import NO_NAME, names_of_area
from ..page import gherkin, paragraph
from .explain_axis import explain_axis
from .explain_dialects import KIND, RELATION, print_dialects
from .listing import BASES, print_rules

# How the basis of a rule relates to its document.
_RELATION = {
    "documented": "{0} states the rule",
    "derived": "the rule follows from {0}",
    "clarified": "{0} is silent or unclear, and we chose",
}
_STYLES: dict[Verdict, str] = {"passed": "green", "inapplicable": "dim", "known": "yellow", "stale": "yellow"}


def explain(args: argparse.Namespace) -> int:
    """Print one rule, and the verdicts of the given targets."""
    book = ledger()
    name = args.rule if args.rule in book.rules else args.rule.upper()
    if name not in book.rules:
        _explain_other(args.rule)
        return 0
    row, cases = book.rules[name], cases_of_rule(name)
    paragraph(
        cases[0].rule.sentence if cases else row.sentence, lead=[(f"{name}: ", "bold cyan")], style="bold", hang=2
    )
    print()
    _print_source(name, row)
    if cases:
        print()
        rule = cases[0].rule
        paragraph(f"{rule.file}:{rule.line}", indent=2, style="dim")
        print()
        text = feature_path(rule.file).read_text(encoding="utf-8")
        if prose := _prose(text):
            paragraph(prose, lead=[(f"{rule.feature}: ", "bold")], indent=2, hang=2)
            print()
        gherkin(_written(rule, text.splitlines()))
        print()
        paragraph("`loopspec phrases` explains each step, column and action, and the defaults.", indent=2, style="dim")
    _print_posture(name)
    print_dialects(name)
    _print_presupposed(cases)
    if row.variant:
        _print_variant(row.variant)
    _print_names(area_of(name))
    if cases and args.targets:
        print()
        for target in args.targets:
            verdict, hint = _verdict_on(cases, target)
            paragraph(target, lead=[(f"{verdict:12} ", _STYLES.get(verdict, "red"))], indent=2, hang=13)
            if hint:
                paragraph(hint, indent=15)
    return 0


def _explain_other(name: str) -> None:
    """Print what is no rule of the ledger: the rules of an area or a glob, an axis, or what a product explains."""
    areas = {area_of(rule) for rule in ledger().rules}
    if name.upper() in areas or set(name) & set("*?["):
        print_rules([name.upper()])
    elif explained := loaded("explained", name.upper().partition("-")[0]):
        explained(name.upper())
    elif name in axes() or name in instruction_axes():
        explain_axis(name)
    else:
        names = [*ledger().rules, *areas, *axes(), *instruction_axes()]
        raise UsageError(f"there is no rule {name!r}{did_you_mean(name, names, 'see `loopspec list`')}")


def _print_posture(rule: str) -> None:
    """Print the axis of the value that the rule judges, if the rule judges one."""
    for name, axis in axes().items():
        for value, meaning in axis.values.items():
            if meaning.rule == rule:
                print()
                paragraph(
                    f"{axis.question} {meaning.sentence} The default is {axis.default}: "
                    f"{axis.values[axis.default].sentence} `loopspec capabilities` lists all axes.",
                    lead=[(f"{name}: {value} ", "bold")],
                    indent=2,
                    hang=2,
                )


def _print_presupposed(cases: tuple[Case, ...]) -> None:
    """Print the default values that scenarios of the rule presuppose."""
    presupposed = {
        axis: value
        for case in cases
        for axis, value in case.postures.items()
        if axis in axes() and value == axes()[axis].default
    }
    for axis, value in presupposed.items():
        those = [case for case in cases if case.postures.get(axis) == value]
        print()
        paragraph(
            f"{axes()[axis].question} {len(those)} of {counted(len(cases), 'case')} presuppose"
            f"{'s' if len(those) == 1 else ''} the default, {value}: {axes()[axis].values[value].sentence} An "
            "implementation that documents another choice declares a posture.",
            lead=[(f"the axis {axis}: ", "bold")],
            indent=2,
            hang=2,
        )


def _print_variant(name: str) -> None:
    """Print how many cases a variant has, and those that are exempt by their reason."""
    from ...specification.features import compiled  # all features, which one rule of a feature does not need
    from ...specification.sources import cases_in, exemptions, forms

    if name not in forms():
        print(f"  the package that makes the cases of the variant {name} is not installed")
        return
    count = sum(1 for case in compiled() for _ in cases_in(case, [name]))
    print()
    paragraph(
        f"the cases of other rules in transformed scenes: {counted(count, 'case')}; `loopspec run TARGET --variants "
        f"{name}` judges them",
        lead=[(f"{name}: ", "bold")],
        indent=2,
    )
    for why, of_reason in groupby(sorted(exemptions(compiled(), [name]), key=itemgetter(2)), itemgetter(2)):
        exempt = [case.id for _, case, _ in of_reason]
        paragraph(f"{why} {counted(len(exempt), 'exempt case')}:", indent=2)
        for case in exempt:
            paragraph(case, indent=4, style="dim")


def _print_source(rule: str, row: Row) -> None:
    book = ledger()
    kind = "normative" if row.basis in NORMATIVE else "advisory, counts under --strict"
    if rule in posture_rules():
        kind = "normative for a target that declares the posture"
    own = row.document == "loopspec"
    relation = "a rule of our own" if own else _RELATION[row.basis].format(book.documents[row.document])
    if rule in value_of_rule():
        kind, relation = KIND, RELATION
    paragraph(f" ({kind}): {relation}", lead=[(row.basis, BASES[row.basis])], indent=2)
    for section in row.sections:
        paragraph(section, indent=4)
    if row.where:
        paragraph(row.where, lead=[("where: ", "bold")], indent=2, hang=2)
        paragraph(row.says, lead=[("says, in our words: ", "bold")], indent=2, hang=2)
    if excluded := row.excluded(book.reasons):
        paragraph(excluded, lead=[("no scenario: ", "bold")], indent=2, hang=2)
    if row.decision:
        paragraph(row.decision, lead=[("decision: ", "bold")], indent=2, hang=2)
    if row.mutant:
        paragraph(f"{row.mutant}, a wrong implementation", lead=[("must catch: ", "bold")], indent=2)


def _print_names(area: str) -> None:
    """Print the names of the area's concepts in other frameworks, a paragraph for each concept."""
    found = names_of_area(area)
    if found.concepts:
        print()
    for concept in found.concepts.values():
        known = [
            f"{found.frameworks[key].name} {name.name}" for key, name in concept.names().items() if name.name != NO_NAME
        ]
        lead = f"{concept.name} elsewhere: "
        paragraph(" · ".join(known), lead=[(lead, "bold")], indent=2, hang=2)


def _verdict_on(cases: tuple[Case, ...], name: str) -> tuple[Verdict, str]:
    """The worst verdict of the cases, and a hint about the postures that the target could declare.

    A case that hangs ends the process, which would wait for its thread.
    """
    from ...engine.judge import judge  # only with a target: a rule is printed without the stage
    from ...targets.resolve import resolve

    target = resolve(name)
    verdicts: list[Verdict] = []
    presupposed: dict[str, str] = {}
    for case in cases:
        result = judge(case, target)
        if result.verdict == "timed-out" and not target.isolated:
            sys.stdout.flush()
            print(f"loopspec: {name} is unusable: {result.message}", file=sys.stderr, flush=True)
            os._exit(4)
        verdicts.append(result.verdict)
        presupposed |= case.postures if result.verdict == "failed" else {}
    target.close()
    return worst(verdicts), posture_hint(presupposed, target.postures)


def _prose(text: str) -> str:
    """The prose of a feature, which explains the words of its rules, on one line; empty if the feature has none."""
    found = re.search(r"^Feature:[^\n]*\n(.*?)(?=^  (?:@|Rule:|Background:))", text, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def _written(rule: Rule, lines: list[str]) -> str:
    """The text of the rule in the lines of its feature, preceded by the feature's background."""
    start = rule.line - 1
    end = next((n for n in range(start + 1, len(lines)) if re.match(r"  (@|Rule:)", lines[n])), len(lines))
    background: list[str] = []
    first = next((n for n, line in enumerate(lines) if line.startswith("  Background:")), start)
    if first < start:
        last = next(n for n in range(first + 1, start) if re.match(r"  (@|Rule:)", lines[n]))
        background = ["\n".join(lines[first:last]).rstrip(), ""]
    return "\n".join([*background, "\n".join(lines[start:end]).rstrip()])
