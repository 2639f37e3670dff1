"""The assessment of an implementation: a page for its maintainers, made from the results that ship."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set

from loopspec.engine.baseline_text import KINDS, Kind
from loopspec.engine.output import counted
from loopspec.engine.result import Verdict
from loopspec.reports.account import KIND_NAMES, Tally
from loopspec.specification.features import cases_of_rule
from loopspec.specification.ledger import is_normative, ledger
from loopspec.specification.order import documents_in_order, rules_in_order

from .declarations import Composed, Known, Undeclared, undeclared
from .results import Difference, Judged, Results
from .witnesses import FOLDER, suffix_of

NAME = "assessment.md"
_MEANINGS: Mapping[Kind, str] = {
    "defect": "What surprises: it is against the documents of the framework, or against plain sense.",
    "documented": "What the framework documents, and what our documents say otherwise.",
    "not-offered": "The framework does not have the thing.",
    "open": "Differences that are none of these, or not yet.",
}


def assessment(known: Known, of: Results) -> str:
    """The page about an implementation in Markdown. Raises `UsageError` for a target without results."""
    one = of.of(known)
    lines = [*_head(known, one, len(of.rules)), *_differences(known, one), *_compositions(one), *_left_out(known)]
    return "\n".join(lines) + "\n"


def _head(known: Known, one: Judged, count: int) -> Iterator[str]:
    verdicts = one.by_rule()
    rules = [rule for rule in rules_in_order() if rule in verdicts]
    yield from (f"# {one.name}: an assessment", "")
    yield f"loopspec judges {one.name} by {len(rules)} of {count} rules. This page says what differs"
    yield "from these rules, why, and how to see it without loopspec. It is made from the results that ship, and is"
    yield "about this version only."
    yield ""
    yield f"    loopspec run known:{known.name}                 # judges it again, in an environment of its own"
    yield f"    loopspec known --witness {known.name}           # performs the programs below"
    yield ""
    yield from ("| document | normative rules | advisory rules |", "| --- | ---: | ---: |")
    for key in documents_in_order():
        of_document = [rule for rule in rules if ledger().rules[rule].document == key]
        if of_document:
            normative, advisory = _tally(verdicts, of_document).cells
            yield f"| {ledger().documents[key]} | {normative} | {advisory} |"
    yield ""
    if composed := one.composed_rules:
        without = _tally(verdicts, [rule for rule in rules if rule not in composed])
        passed = without.normative[0] + without.advisory[0]
        yield f"Of {len(rules)} rules, {passed + len(composed)} pass, and {passed} without the compositions below."
        yield ""
    if one.postures:
        yield from ("On some questions the framework documents another answer than ours, and is judged by that:", "")
        for axis, posture in sorted(one.postures.items()):
            where = f"[documented]({posture.link})" if posture.link else "measured"
            yield f"- {axis}: {posture.value} ({where})"
        yield ""


def _tally(verdicts: Mapping[str, Verdict], rules: Iterable[str]) -> Tally:
    return Tally.of((is_normative(rule), verdicts[rule]) for rule in rules)


def _differences(known: Known, one: Judged) -> Iterator[str]:
    causes_of = _causes_of_rules(one)
    for kind in KINDS:
        found = [each for each in one.differences if each.kind == kind]
        if found:
            title = "Defects" if kind == "defect" else KIND_NAMES[kind].capitalize()
            yield from (f"## {title} ({len(found)})", "", _MEANINGS[kind], "")
        for each in found:
            yield from _difference(known, each, causes_of)


def _difference(known: Known, each: Difference, causes_of: Mapping[str, Set[str]]) -> Iterator[str]:
    rules = [rule for rule in rules_in_order() if each.cause in causes_of.get(rule, ())]
    alone = [rule for rule in rules if len(causes_of[rule]) == 1]
    yield from (f"### {each.cause}", "")
    yield f"{each.reason[:1].upper()}{each.reason[1:]} ([source]({each.link}))." if each.link else f"{each.reason}."
    yield f"Seen in {', '.join(each.versions)}; [a program that shows it]({FOLDER}/{each.cause}{suffix_of(known)})."
    if each.thread:
        yield f"Reported in {each.thread}."
    yield ""
    for rule in rules:
        yield f"- {rule}: {_sentence(rule)}."
    fixed = f"{counted(len(alone), 'rule')} would pass" if alone else "no rule would pass"
    yield f"- Without it, {counted(len(each.cases), 'example')} and {fixed}."
    yield ""


def _causes_of_rules(one: Judged) -> Mapping[str, Set[str]]:
    """The causes of the differences of each rule."""
    found: dict[str, set[str]] = defaultdict(set)
    for difference in one.differences:
        for rule in difference.by_rule():
            found[rule].add(difference.cause)
    return found


def _sentence(rule: str) -> str:
    """The sentence of a rule, or that of the ledger for a rule without an example."""
    cases = cases_of_rule(rule)
    return (cases[0].rule.sentence if cases else ledger().rules[rule].sentence).rstrip(".")


def _sourced(names: Iterable[str], one: Composed | Undeclared) -> str:
    return f"- {', '.join(names)}: {one.reason} ([source]({one.link}))."


def _compositions(one: Judged) -> Iterator[str]:
    if one.composed:
        yield from ("## Composed", "", "Rules that pass because the adapter does what a document shows.", "")
        yield from (_sourced(each.rules, each) for each in one.composed)
        yield ""


def _left_out(known: Known) -> Iterator[str]:
    reasons = undeclared(known.folder) or ()
    if reasons:
        yield from ("## Not judged", "", "Capabilities that the framework does not have.", "")
        yield from (_sourced(one.capabilities, one) for one in reasons if not one.gap)
    if gaps := [_sourced(one.capabilities, one) for one in reasons if one.gap]:
        yield from ("", "Capabilities that it has, and our adapter not yet.", "", *gaps)
