"""The pages of the rules: each area and each document, the topics, the decisions, and what is not covered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby, pairwise
from textwrap import dedent

from loopspec.contract.axes import axes, posture_rules
from loopspec.contract.dialects import holders, instruction_axes, value_of_rule
from loopspec.contract.specification import feature_path
from loopspec.pages import Feature, PageRule, Section, WrittenRule, features, rules
from loopspec.specification.cases import area_of
from loopspec.specification.features import cases_of_rule
from loopspec.specification.ledger import JUDGED, ledger
from loopspec.specification.museum import RealBug, museum
from loopspec.specification.names import names
from loopspec.specification.order import documents_in_order, order
from loopspec_known.results import results

from .areas import Area, judged, site_areas
from .dialects import axis_address, dialect_address
from .markdown import (
    anchor,
    chip,
    code,
    coded,
    counted,
    fence,
    folded,
    heading,
    items,
    link,
    linked,
    of_rule,
    page,
    plain,
    slug,
)
from .mutants import bugs_by_rule
from .names import concept_address
from .pictures import figures_of, shown
from .words import STATUSES, intro

# A line of a docstring may look like a tag, and is indented more.
_STARTS = re.compile(r"^(?:  |    )(?:@|Rule:|Scenario(?: Outline)?:|Background:)")


def pages() -> dict[str, str]:
    """Make every page about rules."""
    made = {f"rules/{area.name}.md": _area(area) for area in site_areas()}
    made |= {f"documents/{key}.md": _document(key, name) for key, name in documents().items()}
    return {**made, "topics.md": _topics(), "decisions.md": _decisions(), "uncovered.md": _uncovered()}


def documents() -> dict[str, str]:
    """The titles of the documents by their keys, in reading order."""
    return {key: ledger().documents[key] for key in documents_in_order()}


def titled(document: str) -> str:
    """The title of a document as a heading, which begins with a capital."""
    return plain(re.sub("^the ", "The ", document))


@cache
def topics() -> dict[str, list[tuple[Feature, list[str]]]]:
    """The features of each folder, in reading order, each with its areas: first the one with most of its rules."""
    by_file = {feature.file: feature for feature in features()}
    return {
        folder.path: [(feature, _areas_of(feature)) for file in folder.files if (feature := by_file.get(file))]
        for folder in order().folders
    }


def _areas_of(feature: Feature) -> list[str]:
    count = Counter(area_of(rule) for written in feature.rules for rule in written.ids)
    return [area for area, _ in count.most_common()]


def section_address(section: Section) -> str:
    """A section of a document."""
    return f"documents/{section.document}.html#{slug(section.title)}"


def chips(rule: PageRule) -> str:
    """The basis of a rule, and its status if it has no examples."""
    basis = chip("by dialect", "dialect") if rule.id in value_of_rule() else chip(rule.basis)
    return basis + ("" if rule.status == "scenario" else f" {chip(rule.status, 'status')}")


def line(rule: PageRule, top: str) -> str:
    """A rule in a list."""
    return f"{of_rule(rule.id, top)} {plain(rule.sentence)} {chips(rule)}"


def _area(area: Area) -> str:
    concepts = [
        link(plain(concept.name), f"../{concept_address(key)}")
        for key, concept in names().concepts.items()
        if area.name in concept.areas
    ]
    shares = Counter(rule.document for rule in area.rules).most_common()
    sources = ", ".join(
        link(plain(documents()[key]), f"../documents/{key}.html") + (f" ({count})" if shares[1:] else "")
        for key, count in shares
    )
    parts = [
        f"# {plain(area.topic)}",
        f"{code(area.name)}: {counted(len(area.rules), 'rule')}, {area.normative} normative, from {sources}.",
        "The [phrasebook](../phrases.html) explains each step of the examples.",
        f"Names in frameworks: {', '.join(concepts)}." if concepts else "",
        *(shown(figure, "../") for figure in figures_of(area.name)),
    ]
    for feature, articles in area.chapters:
        others = {area_of(name) for written in feature.rules for name in written.ids} - {area.name}
        more = ", ".join(link(name, f"{name}.html#{slug(feature.file)}") for name in sorted(others))
        title = plain(feature.title)
        alone = len(area.chapters) == 1 and feature.title == area.topic
        parts += [
            anchor(slug(feature.file)) if alone else heading(2, title, slug(feature.file)),
            *(linked(text, "../") for text in feature.prose),
            f"This feature continues under {more}." if more else "",
        ]
        for found in articles:
            parts += _article(found, 2 if alone else 3)
    if area.without_examples:
        parts += [
            heading(2, "Without examples", "without-examples"),
            "Each rule says how targets are judged by it, or why no target is.",
        ]
        for rule in area.without_examples:
            parts += _article((rule,), 3)
    return page(*parts)


def _article(found: tuple[PageRule, ...], level: int) -> Iterator[str]:
    """A rule: its sentence, why, one example, who does otherwise; then, folded, the rest."""
    rule, top = found[0], "../"
    yield "".join(anchor(own.id) for own in found[1:])
    yield heading(level, f"{', '.join(own.id for own in found)}: {plain(rule.sentence)}", rule.id)
    yield f"{chips(rule)} {_kind(rule)}"
    examples = []
    if rule.written:
        yield from (linked(text, top, rule.id) for text in rule.written.prose)
        examples = _examples(rule, rule.written)
    elif row := ledger().rules[rule.id].variant:
        yield f"**Variant:** the examples of other rules in transformed scenes. `loopspec run TARGET --variants {row}`"
    elif rule.reason:
        yield f"**No example:** {linked(rule.reason, top)}"
    for own in found:
        if own.decision:
            label = "Our choice" if own.basis == "clarified" else f"Note on a {own.basis} rule"
            label = "By dialect" if own.id in value_of_rule() else label
            yield f"**{label}{f', {own.id}' if len(found) > 1 else ''}:** {linked(own.decision, top, own.id)}"
    for bug in _bugs().get(rule.id, ())[:1]:
        yield f"**A real bug:** {plain(f'{bug.project}: {bug.happened}')} {link('Thread', bug.link)}"
    yield from examples[:1]
    yield from _otherwise(found)
    if examples[1:]:
        yield folded(counted(len(examples) - 1, "more example"), *examples[1:])
    yield folded("Mutants, conditions and source", *_facts(found))


def _kind(rule: PageRule) -> str:
    """What a failure of a rule counts for."""
    if rule.id in posture_rules():
        return "normative for a target that declares the posture"
    if rule.id in value_of_rule():
        return "normative in a dialect whose document states the value, else advisory"
    return "normative" if rule.is_normative else "advisory" if rule.status in JUDGED else "not judged"


@cache
def _bugs() -> dict[str, list[RealBug]]:
    """The real bugs that each rule catches."""
    found: dict[str, list[RealBug]] = {}
    for bug in museum():
        for rule in bug.caught_by:
            found.setdefault(rule, []).append(bug)
    return found


def _examples(rule: PageRule, written: WrittenRule) -> list[str]:
    """The scenarios of a rule as its feature has them; the first with what precedes each of them."""
    lines = _lines(rule.file)
    starts = [number for number, text in enumerate(lines, 1) if _STARTS.match(text)]
    # a tag belongs to what follows it
    starts = [number for number in starts if not lines[number - 2].lstrip().startswith("@")] + [len(lines) + 1]

    def part(line: int) -> list[str]:
        begin, end = next((begin, end) for begin, end in pairwise(starts) if begin <= line < end)
        return lines[begin - 1 : end - 1]

    found = [part(scenario.line) for scenario in written.scenarios]
    feature = next(number for number, text in enumerate(lines, 1) if text.startswith("Feature:"))
    first = (_after(starts, feature), _after(starts, rule.line))
    before = [number for number in first if lines[number - 1].endswith("Background:")]
    found[0] = [text for number in before for text in [*part(number), ""]] + found[0]
    return [fence(re.sub(r"\n{3,}", "\n\n", dedent("\n".join(texts)).strip("\n")), "gherkin") for texts in found]


def _after(starts: list[int], line: int) -> int:
    return next(number for number in starts if number > line)


@cache
def _lines(file: str) -> list[str]:
    return feature_path(file).read_text(encoding="utf-8").splitlines()


def _otherwise(found: tuple[PageRule, ...]) -> Iterator[str]:
    """Who does otherwise: other values of an axis, the dialects, and the implementations that are known to differ."""
    top = "../"
    ids = [own.id for own in found]
    for name, known in axes().items():
        for value in (value for value, meaning in known.values.items() if meaning.rule in ids):
            default = f"The default is {code(known.default)}: {plain(known.values[known.default].sentence)}"
            yield f"**The posture {_axis(name)}: {value}.** {plain(known.question)} {default}"
    for axis, value in (value_of_rule()[own] for own in ids if own in value_of_rule()):
        values = instruction_axes()[axis].values.items()
        others = ", ".join(f"{other} ({of_rule(one.rule, top)})" for other, one in values if other != value)
        having = (
            f"{link(one.name, f'{top}{dialect_address(one.name)}#{axis}')} "
            f"({'against its document' if one.how == 'observed' else one.how})"
            for one in holders(axis, value)
        )
        at = link(f"{axis}: {value}", top + axis_address(axis))
        yield f"**Dialects with {at}:** {', '.join(having) or 'none'}. Other values: {others}."
    presupposed = {axis: value for case in cases_of_rule(ids[0]) for axis, value in case.postures.items()}
    for axis, value in presupposed.items():
        if axis in axes() and value == axes()[axis].default:
            others = ", ".join(other for other in axes()[axis].values if other != value)
            here = f"Here: {value}. Otherwise: {others}."
            yield f"**Some do otherwise ({_axis(axis)}):** {plain(axes()[axis].question)} {here}"
    differing = [
        link(plain(one.name), f"{top}results/{slug(one.adapter.rpartition('/')[2])}.html#known-{own}")
        for one in results().implementations
        for own in ids
        if own in one.verdicts.get("known", ())
    ]
    if differing:
        yield f"**Known to differ:** {', '.join(differing)}."


def _axis(name: str) -> str:
    return link(name, f"../capabilities.html#{name}")


def _facts(found: tuple[PageRule, ...]) -> Iterator[str]:
    """The mutants, the roles and capabilities, and the places of a rule."""
    rule, top = found[0], "../"
    facts = [
        f"Mutant {link(bug.name, top + bug.address)}: {coded(bug.sentence)}"
        for own in found
        for bug in bugs_by_rule().get(own.id, ())
    ]
    roles, needs = judged().get(rule.written.ids[0] if rule.written else rule.id, ((), {}))
    facts += [f"Judged as: {', '.join(map(_axis, roles))}"] if roles else []
    texts = (f"{_axis(name)}{'' if every else ' (in some examples)'}" for name, every in needs.items())
    facts += [f"Needs: {', '.join(texts)}"] if needs else []
    for own in found:
        places = (link(plain(f"{one.name}: {one.title}"), top + section_address(one)) for one in own.sections)
        facts += [f"Source of {own.id}: {', '.join(places)}"] if own.sections else []
        facts += [f"Where: {linked(f'{own.where}: {own.says}', top, own.id)}"] if own.where else []
    facts += [f"Feature: {code(f'features/{rule.file}:{rule.line}')}"] if rule.file else []
    yield items([*facts, f"On the command line: {code(f'loopspec explain {rule.id}')}"])


def _topics() -> str:
    by_document = " · ".join(link(plain(name), f"documents/{key}.html") for key, name in documents().items())
    parts = [*intro("topics"), f"By document: {by_document}"]
    for folder in order().folders:
        parts += [heading(2, plain(folder.title), slug(folder.path)), plain(folder.says)]
        parts += [items(_feature(feature, own) for feature, own in topics()[folder.path])]
    return page(*parts)


def _feature(feature: Feature, own: list[str]) -> str:
    at = link(plain(feature.title), f"rules/{own[0]}.html#{slug(feature.file)}")
    areas = ", ".join(link(area, f"rules/{area}.html") for area in own)
    return f"{at}: {counted(len(feature.rules), 'rule')} of {areas}"


def _document(key: str, name: str) -> str:
    book, top = ledger(), "../"
    ours = "Our own rules, which no document states. They are advisory, and count with `--strict` only. The rules of "
    ours += "[postures](../rules/POSTURE.html) are an exception: a target that declares a posture has to pass its rule."
    text = "The sections of the document in order, each with its rules. A rule can come from several sections."
    parts = [f"# {titled(name)}", ours if key == "loopspec" else text]
    for title, reason in book.sections.get(key, {}).items():
        section = Section(key, book.documents[key], title)
        parts += [
            heading(2, plain(title), slug(title)),
            f"**No rule:** {linked(reason, top)}" if reason else "",
            items(line(rule, top) for rule in rules().values() if section in rule.sections),
        ]
    rest = [rule for rule in rules().values() if rule.document == key and not rule.sections]
    if rest:
        parts += [heading(2, "Beyond the documents", "beyond"), items(line(rule, top) for rule in rest)]
    return page(*parts)


def _decisions() -> str:
    parts = intro("decisions")
    for area in site_areas():
        decided = [rule for rule in area.rules if rule.decision]
        if decided:
            parts += [
                heading(2, link(plain(area.topic), area.address), area.name),
                items(f"{line(rule, '')}<br>{linked(rule.decision, '', rule.id)}" for rule in decided),
            ]
    return page(*parts)


def _uncovered() -> str:
    parts = intro("uncovered")
    for status in ("merged", "excluded", "quirk", "withdrawn"):
        found = [rule for rule in rules().values() if rule.status == status]
        parts += [heading(2, f"{status.capitalize()}: {counted(len(found), 'rule')}", status), STATUSES[status]]
        reason = (lambda rule: "") if status == "merged" else (lambda rule: rule.reason)
        for why, own in groupby(sorted(found, key=reason), key=reason):
            parts += [f"**{linked(why, '')}**" if why else "", items(_unjudged(rule) for rule in own)]
    book = ledger()
    sections = [
        (Section(key, book.documents[key], title), reason)
        for key, titles in book.sections.items()
        for title, reason in titles.items()
        if reason
    ]
    parts += [
        heading(2, f"Sections without a rule: {len(sections)}", "sections"),
        items(
            f"{link(plain(f'{one.name}: {one.title}'), section_address(one))}: {linked(reason, '')}"
            for one, reason in sections
        ),
        "Every other section has at least one rule.",
        heading(2, f"Statements without a rule: {len(book.not_covered)}", "statements"),
        items(
            link(
                plain(f"{book.documents[one.document]}: {one.where}"),
                section_address(Section(one.document, "", one.section)),
            )
            + f" {linked(one.says, '')} *{linked(one.why, '')}*"
            for one in book.not_covered
        ),
    ]
    return page(*parts)


def _unjudged(rule: PageRule) -> str:
    merged = f" Merged {linked(rule.reason, '')}." if rule.status == "merged" else ""
    return f"{line(rule, '')}{merged} {linked(rule.decision, '', rule.id)}"


def counts(found: Iterable[PageRule]) -> dict[str, int]:
    """The number of rules of each kind."""
    found = list(found)
    with_cases = [rule for rule in found if rule.status in JUDGED]
    scenario = sum(rule.status == "scenario" for rule in found)
    return {
        "all": len(found),
        "judged": len(with_cases),
        "scenario": scenario,
        "others": len(with_cases) - scenario,
        "normative": sum(rule.is_normative for rule in found),
        "unjudged": len(found) - len(with_cases),
        "postures": sum(rule.id in posture_rules() for rule in with_cases),
        **Counter("by dialect" if rule.id in value_of_rule() else rule.basis for rule in with_cases),
    }
