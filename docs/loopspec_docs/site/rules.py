"""The pages of the rules: each area and each document, the topics, the decisions, and what is not covered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from textwrap import dedent

from loopspec.contract.axes import axes, posture_rules
from loopspec.contract.dialects import Axis, holders, instruction_axes, value_of_rule
from loopspec.contract.specification import feature_path
from loopspec.pages.rules import PageRule, Section, rules
from loopspec.pages.written import Feature, WrittenRule
from loopspec.specification.cases import area_of
from loopspec.specification.features import cases_of_rule
from loopspec.specification.ledger import JUDGED, ledger
from loopspec.specification.museum import museum
from loopspec.specification.names import names
from loopspec.specification.order import documents_in_order, order
from loopspec_known.results import results

from .areas import features_in_order, judged, site_areas
from .dialects import dialect_address
from .markdown import Page, rendered, slug
from .mutants import bugs_by_rule
from .pictures import drawing, figures

# A line of a docstring may look like a tag, and is indented more.
_STARTS = re.compile(r"^(?:  |    )(?:@|Rule:|Scenario(?: Outline)?:|Background:)")


def pages() -> Iterator[Page]:
    """Make every page about rules."""
    for area in site_areas():
        sources = Counter(rule.document for rule in area.rules).most_common()
        concepts = {key: concept for key, concept in names().concepts.items() if area.name in concept.areas}
        of = {"area": area, "sources": sources, "documents": documents(), "concepts": concepts, "figures": figures()}
        does = {"article": article, "areas_of": _areas_of, "drawing": drawing, "dialect_address": dialect_address}
        yield rendered(f"rules/{area.name}", "rules", **of, **does)
    book = ledger()
    for key, name in documents().items():
        sections = book.sections.get(key, {})
        found = {at: [one for one in rules().values() if Section(key, name, at) in one.found_in] for at in sections}
        beyond = [rule for rule in rules().values() if rule.document == key and not rule.found_in]
        of = {"title": titled(name), "sections": sections, "of_section": found, "beyond": beyond}
        yield rendered(f"documents/{key}", "document", key=key, **of)
    shared = {"documents": documents(), "areas_of": _areas_of}
    yield rendered("topics", **shared, folders=order().folders, features=features_in_order())
    yield rendered("decisions", areas=site_areas())
    unruled = [
        (Section(key, book.documents[key], title), reason)
        for key, titles in book.sections.items()
        for title, reason in titles.items()
        if reason
    ]
    yield rendered("uncovered", sections=unruled, book=book)


def documents() -> dict[str, str]:
    """The titles of the documents by their keys, in reading order."""
    return {key: ledger().documents[key] for key in documents_in_order()}


def titled(document: str) -> str:
    """The title of a document as a heading, which begins with a capital."""
    return re.sub("^the ", "The ", document)


def _areas_of(feature: Feature) -> list[str]:
    """The areas of the rules of a feature: first the one with most of them."""
    return [area for area, _ in Counter(area_of(rule) for one in feature.rules for rule in one.ids).most_common()]


def article(found: Sequence[PageRule]) -> dict[str, object]:
    """What the page of an area says about rules with the same sentence, of which the first one stands for all."""
    rule, ids = found[0], [own.id for own in found]
    roles, needs = judged().get(rule.written.ids[0] if rule.written else rule.id, ((), {}))
    presupposed = {axis: value for case in cases_of_rule(rule.id) for axis, value in case.postures.items()}
    dialects = [value_of_rule()[own] for own in ids if own in value_of_rule()]
    return {
        "rules": found,
        "kind": _kind(rule),
        "variant": ledger().rules[rule.id].variant,
        "examples": _examples(rule, rule.written) if rule.written else [],
        "decisions": [(_label(own), own) for own in found if own.decision],
        "bug": next((bug for bug in museum() if rule.id in bug.caught_by), None),
        "postures": [one for one in _values() if one[2].values[one[1]].rule in ids],
        "dialects": [(*one, instruction_axes()[one[0]].values, holders(*one)) for one in dialects],
        "presupposed": [one for one in _values() if presupposed.get(one[0]) == one[1] == one[2].default],
        "differing": [
            (one.name, f"results/{slug(one.adapter.rpartition('/')[2])}.html#known-{own}")
            for one in results().implementations
            for own in ids
            if own in one.verdicts.get("known", ())
        ],
        "mutants": [bug for own in ids for bug in bugs_by_rule().get(own, ())],
        "roles": roles,
        "needs": needs,
    }


@cache
def _values() -> list[tuple[str, str, Axis]]:
    """Each axis of postures with each of its values."""
    return [(name, value, axis) for name, axis in axes().items() for value in axis.values]


def _label(rule: PageRule) -> str:
    """What a decision is."""
    if rule.id in value_of_rule():
        return "By dialect"
    return "Our choice" if rule.basis == "clarified" else f"Note on a {rule.basis} rule"


def _kind(rule: PageRule) -> str:
    """What a failure of a rule counts for."""
    if rule.id in posture_rules():
        return "normative for a target that declares the posture"
    if rule.id in value_of_rule():
        return "normative in a dialect whose document states the value, else advisory"
    return "normative" if rule.is_normative else "advisory" if rule.status in JUDGED else "not judged"


def _examples(rule: PageRule, written: WrittenRule) -> list[str]:
    """The scenarios of a rule as its feature has them; the first with what precedes each of them."""
    lines = feature_path(rule.file).read_text(encoding="utf-8").splitlines()
    starts = [number for number, text in enumerate(lines, 1) if _STARTS.match(text)]
    # a tag belongs to what follows it
    starts = [number for number in starts if not lines[number - 2].lstrip().startswith("@")] + [len(lines) + 1]

    def part(line: int) -> str:
        begin, end = next((begin, end) for begin, end in pairwise(starts) if begin <= line < end)
        return "\n".join([*lines[begin - 1 : end - 1], ""])

    found = [part(scenario.line) for scenario in written.scenarios]
    found[0] = "".join([*dict.fromkeys(part(step.line) for step in rule.background), found[0]])
    return [re.sub(r"\n{3,}", "\n\n", dedent(text).strip("\n")) for text in found]


def counts() -> dict[str, int]:
    """The number of rules of each kind."""
    with_cases = [rule for rule in rules().values() if rule.status in JUDGED]
    scenario = sum(rule.status == "scenario" for rule in with_cases)
    return {
        "all": len(rules()),
        "judged": len(with_cases),
        "scenario": scenario,
        "others": len(with_cases) - scenario,
        "normative": sum(rule.is_normative for rule in with_cases),
        "unjudged": len(rules()) - len(with_cases),
        "postures": sum(rule.id in posture_rules() for rule in with_cases),
        **Counter("by dialect" if rule.id in value_of_rule() else rule.basis for rule in with_cases),
    }
