"""`loopspec explain`: print one rule with its reason, an example, other choices, and the verdicts of given targets."""

from __future__ import annotations

import argparse
import re
from itertools import groupby, pairwise
from operator import itemgetter

from ...contract.axes import AXIS_TAG, axes, posture_hint, posture_rules, value_of_tag
from ...contract.dialects import Holder, holders, instruction_axes, value_of_rule
from ...contract.faults import UsageError
from ...contract.names import did_you_mean
from ...contract.registered import loaded
from ...contract.specification import feature_path
from ...engine.output import counted
from ...engine.result import Verdict, worst
from ...specification.cases import Case, Rule, area_of
from ...specification.features import cases_of_rule
from ...specification.ledger import NORMATIVE, Row, Status, ledger
from ...specification.museum import museum
from ...specification.names import NO_NAME, names_of_area
from ..command import leave_at_once
from ..page import gherkin, paragraph
from ..words import print_word, words
from .listing import BASES, print_rules

# How a rule relates to its document: by its basis, and for some rules without a scenario by their status.
_RELATION = {
    "documented": "stated by {0}",
    "derived": "the rule follows from {0}",
    "clarified": "open or unclear in {0}{1}",
    "quirk": "what one implementation does, and others may do otherwise: open or unclear in {0}",
    "withdrawn": "an earlier reading of {0}",
}
# Why a judged rule has no example of its own.
_WITHOUT_EXAMPLE: dict[Status, str] = {
    "variant": "Examples of other rules are judged in changed scenes. A scene is what the Givens and the When of an "
    "example describe. The variant makes the change that the sentence names, and each Then must still hold.",
    "invariant": "The rule is judged in each example of other rules in which an agent runs, and in its variants.",
    "generated": "The rule is judged in generated scenes, in which the reference decides what must happen.",
}
# What the prose of a feature says about a text in braces, for the rules that have it.
_PLACEHOLDER = re.compile(r"(\{[^}]+\}) stands for .+?\.(?: |$)")
_STYLES: dict[Verdict, str] = {"passed": "green", "inapplicable": "dim", "known": "yellow", "stale": "yellow"}


def explain(args: argparse.Namespace) -> int:
    """Print one rule, and the verdicts of the given targets."""
    book = ledger()
    name = args.rule if args.rule in book.rules else args.rule.upper()
    if name not in book.rules:
        if args.targets:
            raise UsageError(f"{args.rule!r} is no rule, so no target is judged by it: name one rule and the targets")
        _explain_other(args.rule)
        return 0
    row, cases = book.rules[name], cases_of_rule(name)
    sentence = cases[0].rule.sentence if cases else row.sentence
    paragraph(sentence, lead=[(f"{name}: ", "bold cyan")], style="bold", hang=2)
    print()
    _print_reason(name, row)
    if cases:
        _print_scenarios(cases[0].rule, all_of_them=args.all)
    _print_posture(name)
    _print_dialects(name)
    _fact("no example: ", _WITHOUT_EXAMPLE.get(row.status))
    _print_presupposed(cases)
    if row.variant:
        _print_variant(row.variant, all_of_them=args.all)
    if args.all:
        _print_names(area_of(name))
        print()
        _fact("sections: ", "; ".join(row.sections))
        _fact("where: ", row.where)
        _fact("must catch: ", f"{row.mutant}, a wrong implementation" if row.mutant else "")
    else:
        print()
        paragraph(f"`loopspec explain {name} --all`: all examples, source, mutant and names.", indent=2, style="dim")
    if cases and args.targets:
        print()
        for target in args.targets:
            verdict, hint = _verdict_on(cases, target)
            paragraph(target, lead=[(f"{verdict:12} ", _STYLES.get(verdict, "red"))], indent=2, hang=13)
            if hint:
                paragraph(hint, indent=15)
    return 0


def _explain_other(name: str) -> None:
    """Print what is no rule of the ledger: a word, the rules of an area or a glob, an axis, what a product explains."""
    areas = {area_of(rule) for rule in ledger().rules}
    is_word = print_word(name)
    if name.upper() in areas or set(name) & set("*?["):
        print_rules([name.upper()])
    elif explained := loaded("explained", name.upper().partition("-")[0]):
        explained(name.upper())
    elif name in axes() or name in instruction_axes():
        _explain_axis(name)
    elif not is_word:
        names = [*ledger().rules, *areas, *axes(), *instruction_axes(), *words()]
        raise UsageError(f"there is no rule {name!r}{did_you_mean(name, names, 'see `loopspec list`')}")


def _explain_axis(name: str) -> None:
    """Print an axis of postures, or one of instruction files: its question, and each value with its rule."""
    known = axes().get(name)
    axis = known or instruction_axes()[name]
    paragraph(axis.question, lead=[(f"the axis {name}: ", "bold cyan")], style="bold", hang=2)
    for value, meaning in axis.values.items():
        note = "the default" if known and value == known.default else meaning.rule
        paragraph(meaning.sentence + (f" [{note}]" if note else ""), lead=[(f"{value}: ", "bold")], indent=2, hang=4)
    print()
    how = "declares a posture: `loopspec capabilities` lists all axes" if known else "names its dialect"
    paragraph(f"An implementation with another value {how}.", indent=2, style="dim")


def _fact(name: str, text: str | None) -> None:
    """Print a paragraph that begins with a name, if there is a text."""
    if text:
        paragraph(text, lead=[(name, "bold")], indent=2, hang=2)


def _print_reason(rule: str, row: Row) -> None:
    """Print the basis of a rule, what decides it, a real bug that it catches, and why it has no scenario."""
    book = ledger()
    kind = "normative" if row.basis in NORMATIVE else "advisory, counts under --strict"
    known = _RELATION.get(row.status, _RELATION[row.basis])
    relation = "a rule of our own" if row.document == "loopspec" else known
    if excluded := row.excluded(book.reasons):
        kind = "not judged"
    if rule in posture_rules():
        kind = "normative for a target that declares the posture"
    if rule in value_of_rule():
        kind = "normative in a dialect whose document states the value, else advisory"
        relation = "the tools answer differently, and each dialect names its document or its measured version"
    lead = [(row.basis, BASES[row.basis])]
    chosen = "" if excluded else ", and we chose"
    paragraph(f" ({kind}): {relation.format(book.documents[row.document], chosen)}", lead=lead, indent=2)
    _fact("says, in our words: ", row.says if row.where else "")
    _fact("decision: ", row.decision)
    bug = next((bug for bug in museum() if rule in bug.caught_by), None)
    _fact("a real bug: ", f"{bug.project}: {bug.happened} {bug.link}" if bug else "")
    _fact("no scenario: ", excluded)


def _print_scenarios(rule: Rule, *, all_of_them: bool) -> None:
    """Print the rule as its feature has it, after the prose and the background of the feature.

    The first example explains the rule, and the others prove it.
    """
    text = feature_path(rule.file).read_text(encoding="utf-8")
    written = _written(rule, text.splitlines())
    examples = [one.start() for one in re.finditer(r"^    (?:@[^\n]*\n    )*Scenario", written, re.MULTILINE)]
    shown = written if all_of_them or not examples[1:] else written[: examples[1]].rstrip()
    print()
    # the prose explains the words of the rules
    if found := re.search(r"^Feature:[^\n]*\n(.*?)(?=^  (?:@|Rule:|Background:))", text, re.MULTILINE | re.DOTALL):
        prose = " ".join(found[1].split())
        for meaning in reversed([*_PLACEHOLDER.finditer(prose)]):
            others = prose.replace(meaning[0], "")  # can be about this one
            prose = prose if meaning[1] in shown + others else others
        _fact(f"{rule.feature}: ", prose.strip())
        print()
    gherkin(shown)
    print()
    more = "" if shown == written else f" has {counted(len(examples) - 1, 'more example')}"
    paragraph(f"{rule.file}:{rule.line}{more}", indent=2, style="dim")
    for tag in dict.fromkeys(re.findall(rf"@({AXIS_TAG}[^\s<]+)(?=\s)", shown)):
        axis, value = value_of_tag(tag)
        posture = axes().get(axis)
        whose = "targets with the default posture" if posture else "dialects with this value"
        sentence = (posture or instruction_axes()[axis]).values[value].sentence
        paragraph(f"@{tag}: the example judges only {whose}: {sentence}", indent=2, style="dim")
    if column := re.search(r"@axis:\S+=<(.+?)>", shown):
        more = "a row is for implementations with the value in its cell; with an empty cell, for all of them."
        paragraph(f"{column[0]} names the column {column[1]}: {more}", indent=2, style="dim")
    paragraph("`loopspec phrases` explains each step, column and action, and the defaults.", indent=2, style="dim")


def _written(rule: Rule, lines: list[str]) -> str:
    """The text of the rule in the lines of its feature, preceded by the feature's background."""
    starts = [n for n, line in enumerate(lines) if re.match(r"  (@|Rule:|Background:)", line)] + [len(lines)]
    parts = [lines[begin:end] for begin, end in pairwise(starts)]
    background = next((part for part in parts if part[0].startswith("  Background:")), [])
    own = lines[rule.line - 1 : next(n for n in starts if n > rule.line - 1)]
    return "\n\n".join("\n".join(part).rstrip() for part in (background, own) if part)


def _print_posture(rule: str) -> None:
    """Print the axis of the value that the rule judges, if the rule judges one."""
    for name, axis in axes().items():
        for value, meaning in axis.values.items():
            if meaning.rule == rule:
                print()
                default = f"By default: {axis.values[axis.default].sentence}"
                _fact(f"{name}={value}: ", f"{axis.question} {meaning.sentence} {default}")


def _print_dialects(rule: str) -> None:
    """Print the axis and the value of a rule of instruction files, and each dialect with the value."""
    if rule not in value_of_rule():
        return
    axis, value = value_of_rule()[rule]
    known = instruction_axes()[axis]
    others = ", ".join(f"{name} ({one.rule})" for name, one in known.values.items() if name != value)
    print()
    _fact(f"{axis}={value}: ", f'an answer to "{known.question}" The other values: {others}.')
    _fact("dialect: ", words().get("dialect"))
    found = holders(axis, value)
    paragraph("dialects with this value:" if found else "no dialect has this value", indent=2, style="bold")
    for one in found:
        paragraph(_source(one), lead=[(f"{one.judged_as:20} ", "bold cyan")], indent=4, hang=21)


def _source(one: Holder) -> str:
    """Where the value of a dialect comes from."""
    choice, version = one.choice, one.dialect.version
    if one.how == "documented":
        differs = f" {one.dialect.title} {version} has the value {choice.observed}." if choice.observed else ""
        return f"documented: {choice.says} {choice.link}{differs}"
    if one.how == "observed":
        return f"measured with version {version}, while the document says {choice.documented}: {choice.link}"
    return f"measured with version {version}"


def _print_presupposed(cases: tuple[Case, ...]) -> None:
    """Print the axes on which cases of the rule presuppose the default value."""
    found = {axis: value for case in cases for axis, value in case.postures.items() if axis in axes()}
    defaults = [axis for axis, value in found.items() if value == axes()[axis].default]
    if defaults:
        print()
        paragraph("Some do otherwise: a target that declares it as a posture is not judged by these cases.", indent=2)
    for axis in defaults:
        known, count = axes()[axis], sum(case.postures.get(axis) == found[axis] for case in cases)
        others = ", ".join(value for value in known.values if value != known.default)
        here = f"{counted(count, 'case')} of {len(cases)} presuppose {known.default}. Other values: {others}."
        paragraph(f"{known.question} {here}", lead=[(f"{axis}: ", "bold")], indent=4, hang=2)


def _print_variant(name: str, *, all_of_them: bool) -> None:
    """Print how many cases a variant has, and how many are exempt by their reason, or which ones."""
    from ...specification.features import compiled  # all features, which one rule of a feature does not need
    from ...specification.sources import cases_in, exemptions, forms

    if name not in forms():
        print(f"  the package that makes the cases of the variant {name} is not installed")
        return
    count = sum(1 for case in compiled() for _ in cases_in(case, [name]))
    print()
    paragraph(
        f"{counted(count, 'case')} of other rules; `loopspec run TARGET --variants {name}` judges them",
        lead=[(f"{name}: ", "bold")],
        indent=2,
    )
    for why, of_reason in groupby(sorted(exemptions(compiled(), [name]), key=itemgetter(2)), itemgetter(2)):
        exempt = [case.id for _, case, _ in of_reason]
        paragraph(f"{why} {counted(len(exempt), 'case')} {'are' if len(exempt) > 1 else 'is'} exempt.", indent=2)
        for case in exempt if all_of_them else ():
            paragraph(case, indent=4, style="dim")


def _print_names(area: str) -> None:
    """Print the names of the area's concepts in other frameworks, a paragraph for each concept."""
    found = names_of_area(area)
    if found.concepts:
        print()
    for concept in found.concepts.values():
        names = {key: name.name for key, name in concept.names.items() if name.name != NO_NAME}
        shown = " · ".join(f"{found.frameworks[key].name} {name}" for key, name in names.items())
        paragraph(shown, lead=[(f"{concept.name} elsewhere: ", "bold")], indent=2, hang=2)


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
            leave_at_once(name, result.message)
        verdicts.append(result.verdict)
        presupposed |= case.postures if result.verdict == "failed" else {}
    target.close()
    return worst(verdicts), posture_hint(presupposed, target.postures)
