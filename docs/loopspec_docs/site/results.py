"""The results pages: rules × implementations, and for each implementation its known differences with their reasons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from msgspec import Struct

from loopspec.contract.axes import posture_rules
from loopspec.contract.capabilities import CAPABILITIES, Capability, capabilities_of_role
from loopspec.contract.specification import adapters_root
from loopspec.engine.baseline_text import KINDS
from loopspec.pages import rules
from loopspec.reports.account import KIND_NAMES
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import is_normative, own_rule
from loopspec.specification.sources import case_named
from loopspec_known.declarations import Undeclared, undeclared
from loopspec_known.results import REFERENCE, Difference, Judged, in_results, results, rules_of_examples
from loopspec_known.witnesses import witnesses

from .areas import site_areas
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
    matrix,
    of_rule,
    page,
    plain,
    slug,
    table,
)
from .rules import chips, documents
from .words import TEXTS, intro

_MARKS = {"passed": "✓", "inapplicable": "–", "known": "≠"}


class Implementation(Struct, frozen=True):
    """An implementation. `key` is the last part of its address.

    `undeclared` says why a capability of the role `agent` is not declared; None for an implementation without the role.
    """

    key: str
    judged: Judged
    undeclared: tuple[Undeclared, ...] | None

    @property
    def address(self) -> str:
        """Its page in the site."""
        return f"results/{self.key}.html"

    @property
    def title(self) -> str:
        """Its name, with a link to its page."""
        return link(plain(self.judged.name), self.address)

    @property
    def left_out(self) -> dict[Capability, Undeclared]:
        """The capabilities that are not declared, each with the reason."""
        return {name: one for one in self.undeclared or () for name in one.capabilities}

    @property
    def causes(self) -> dict[str, list[Difference]]:
        """The differences by the name of their kind."""
        found = {KIND_NAMES[kind]: [one for one in self.judged.differences if one.kind == kind] for kind in KINDS}
        return {name: differences for name, differences in found.items() if differences}


def implementations() -> tuple[Implementation, ...]:
    """Every implementation of the results that ship."""
    return tuple(
        Implementation(
            (name := one.adapter.rpartition("/")[2]) and slug(name),
            one,
            () if one.adapter == REFERENCE else undeclared(adapters_root() / name),
        )
        for one in results().implementations
    )


def pages() -> dict[str, str]:
    """Make the page of all results, and the page of each implementation."""
    every = implementations()
    return {"results.md": _all(every), **{f"results/{one.key}.md": _one(one) for one in every}}


def _all(every: Sequence[Implementation]) -> str:
    texts, titles = TEXTS["results"], [one.title for one in every]
    agents = [one for one in every if one.undeclared is not None]
    said = [one.judged.by_rule() for one in every]
    applies = {rule for verdicts in said for rule in verdicts}
    judged = [rule for rule in rules().values() if rule.id in applies]

    def tallies(ids: Sequence[str]) -> list[str]:
        return [_tally([(rule, verdicts.get(rule, "inapplicable")) for rule in ids]) for verdicts in said]

    by_document = (
        [link(plain(name), f"documents/{key}.html"), *tallies([rule.id for rule in judged if rule.document == key])]
        for key, name in documents().items()
    )
    capabilities = (
        f'<tr><th scope="row">{link(name, f"capabilities.html#{name}")} {coded(CAPABILITIES[name].says)}</th>'
        + "".join(_declared(one, name) for one in agents)
        + "</tr>"
        for name in capabilities_of_role("agent")
    )
    groups = []
    for area in site_areas():
        rows = [rule for rule in area.rules if rule.id in applies]
        if rows:
            sums = "".join(f"<td>{cell}</td>" for cell in tallies([rule.id for rule in rows]))
            groups.append(
                f'<tr class="sums"><th scope="rowgroup">{link(plain(area.topic), area.address)}</th>{sums}</tr>'
            )
            groups[-1] += "".join(
                f'<tr><th scope="row">{of_rule(rule.id, "")} {plain(rule.sentence)}</th>'
                + "".join(
                    _verdict(one, rule.id, v.get(rule.id, "inapplicable")) for one, v in zip(every, said, strict=True)
                )
                + "</tr>"
                for rule in rows
            )
    return page(
        *intro("results", others=len(every) - 1),
        heading(2, "By document", "documents"),
        texts["documents"],
        table(("Document", *titles), by_document),
        heading(2, "Known differences", "implementations"),
        items(f"{title}: {_counts(one)}" for one, title in zip(every, titles, strict=True)),
        heading(2, "By capability", "capabilities"),
        texts["capabilities"].strip(),
        matrix(
            "by-capability", ["Capability", *(plain(one.judged.name) for one in agents)], capabilities, "Capabilities"
        ),
        heading(2, "By rule", "rules"),
        texts["rules"],
        '<p id="filter"></p>',
        matrix("by-rule", ["Rule", *titles], groups, "Rules"),
        hide="[toc]",
    )


def _tally(verdicts: Sequence[tuple[str, str]]) -> str:
    """How many of the normative rules passed, of those that apply; then of the advisory ones."""
    shown = []
    for normative in (True, False):
        found = [verdict for rule, verdict in verdicts if is_normative(rule) == normative]
        applies = len(found) - found.count("inapplicable")
        shown.append(f"{found.count('passed')}/{applies}" if applies else "–")
    return " · ".join(shown)


def _declared(one: Implementation, name: Capability) -> str:
    reason = one.left_out.get(name)
    if reason is None:
        return "<td>✓</td>"
    mark, title = ("○", "not yet") if reason.gap else ("–", "no")
    return f'<td><a href="{one.address}#without-{name}" title="{title}">{mark}</a></td>'


def _verdict(one: Implementation, rule: str, verdict: str) -> str:
    mark = _MARKS.get(verdict, "✗")
    if verdict == "known":
        mark = f'<a href="{one.address}#known-{rule}" title="known">{mark}</a>'
    return f'<td data-state="{verdict}">{mark}</td>'


def _counts(one: Implementation) -> str:
    chips_ = " ".join(chip(f"{len(found)} {verdict}", verdict) for verdict, found in one.judged.verdicts.items())
    causes = ", ".join(f"{len(found)} {kind}" for kind, found in one.causes.items())
    return f"{chips_} {causes} Adapter: {code(one.judged.adapter)}"


def _one(one: Implementation) -> str:
    postures = ", ".join(
        f"{anchor(f'posture-{axis}')}{link(f'{axis}: {posture.value}', f'../capabilities.html#{axis}')} "
        + (f"({link('documented', posture.link)})" if posture.link else "(measured)")
        for axis, posture in one.judged.postures.items()
    )
    known = "A rule is *known* if at least one of its cases fails and the baseline lists each case that fails. The "
    known += "reasons below are those of the baseline. Each cause has a program that shows it with the framework alone."
    parts = [
        f"# {plain(one.judged.name)}",
        _counts(one),
        f"Judged in its own posture: {postures}." if postures else "",
        known if one.judged.differences else "No known difference.",
        *_causes(one),
        *_differences(one.judged),
    ]
    if one.undeclared:
        parts.append(heading(2, "Capabilities that the adapter does not declare", "without"))
        parts.append(items(map(_reason, one.undeclared)))
    return page(*parts)


def _reason(reason: Undeclared) -> str:
    names = " ".join(
        f"{anchor(f'without-{name}')}{link(name, f'../capabilities.html#{name}')}" for name in reason.capabilities
    )
    gap = f"{chip('not yet', 'status')} " if reason.gap else ""
    return f"{names}: {gap}{coded(reason.reason)} {link('Source', reason.link)}"


def _causes(one: Implementation) -> Iterator[str]:
    targets = {results().of(known).adapter: known for known in in_results()}
    target = targets.get(one.judged.adapter)
    programs = {each.entry.cause: each.text for each in witnesses(target)} if target else {}
    for kind, differences in one.causes.items():
        yield heading(2, kind.capitalize(), kind.replace(" ", "-"))
        for cause in differences:
            thread = f" {link('Thread', cause.thread)}" if cause.thread else ""
            yield (
                f"{anchor(f'cause-{cause.cause}')}**{cause.cause}:** {coded(cause.reason)} {link('Source', cause.link)}"
                f"{thread} Seen in {', '.join(map(plain, cause.versions))}."
            )
            if cause.cause in programs:  # data of another day may name another cause
                yield folded("The program, and what it prints", fence(programs[cause.cause], "python"))


def _differences(judged: Judged) -> Iterator[str]:
    by_rule: dict[str, list[tuple[Difference, Iterable[str]]]] = {}
    for difference in judged.differences:
        for rule, failed in difference.by_rule().items():
            by_rule.setdefault(rule, []).append((difference, failed))
    touching = _touching(judged)
    for area in site_areas():
        found, others = [rule for rule in area.rules if rule.id in by_rule], touching.get(area.name)
        if found or others:
            yield heading(2, link(plain(area.topic), f"../{area.address}"), area.name)
        if others:
            about = f" or need the capability {', '.join(_own_needs()[area.name])}" if _own_needs()[area.name] else ""
            yield f"See also: {', '.join(others)}. Examples of these causes and postures are in this area{about}."
        for one in found:
            yield f"{anchor(f'known-{one.id}')}**{of_rule(one.id, '../')} {plain(one.sentence)}** {chips(one)}"
            for difference, cases in by_rule[one.id]:
                cause = link(difference.cause, f"#cause-{difference.cause}") if difference.cause else ""
                yield f"{linked(difference.reason, '../', one.id)} {cause}"
                titles = [_title(case) for case in cases]
                yield folded(counted(len(titles), "case"), items(titles))


@cache
def _own_needs() -> Mapping[str, frozenset[Capability]]:
    """The capabilities that every case of an area needs, and every case of no other area."""
    found: dict[str, frozenset[Capability]] = {}
    for case in compiled():
        for area in map(area_of, case.rule.ids):
            found[area] = found.get(area, case.needs) & case.needs
    count = Counter(chain.from_iterable(found.values()))
    return {area: frozenset(need for need in needs if count[need] == 1) for area, needs in found.items()}


def _touching(judged: Judged) -> Mapping[str, list[str]]:
    """By area, the causes whose rules are elsewhere and the postures that examples of the area, or its needs, touch."""
    touching = [
        (
            link(one.cause, f"#cause-{one.cause}"),
            {*map(area_of, one.by_rule())},
            [case for case in map(case_named, one.cases) if case],
        )
        for one in judged.differences
        if one.cause
    ]
    for axis, posture in judged.postures.items():
        cases = [case for case in compiled() if axis in case.postures]
        touching.append((link(f"{axis}: {posture.value}", f"#posture-{axis}"), {*map(area_of, posture_rules())}, cases))
    found: dict[str, list[str]] = defaultdict(list)
    for shown, listed, own in touching:
        areas = {area_of(own_rule(case.id)) for case in own}
        needed = frozenset[Capability]().union(*(case.needs for case in own))
        for area, needs in _own_needs().items():
            if area not in listed and (area in areas or needs & needed):
                found[area].append(shown)
    return found


def _title(case: str) -> str:
    title = case.partition(" :: ")[2] if case in rules_of_examples() else case
    return plain(title) or "every case of the rule"
