"""The results pages: rules × implementations, and for each implementation its known differences with their reasons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from msgspec import Struct

from loopspec.contract.axes import axes, posture_rules
from loopspec.contract.capabilities import CAPABILITIES, Capability, capabilities_of_role
from loopspec.contract.specification import adapters_root
from loopspec.engine.baseline_text import KINDS
from loopspec.pages.rules import PageRule, rules
from loopspec.reports.account import KIND_NAMES, Tally
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import is_normative, own_rule
from loopspec.specification.sources import case_named
from loopspec_known.declarations import Undeclared, undeclared
from loopspec_known.results import REFERENCE, Difference, Judged, in_results, results, rules_of_examples
from loopspec_known.witnesses import witnesses

from .areas import Area, site_areas
from .markdown import Page, rendered, slug
from .rules import documents

Place = tuple[str, str, str]  # the name of a cause or a posture, its anchor, and what it says
_Failed = Sequence[tuple[PageRule, Sequence[tuple[Difference, Sequence[str]]]]]


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


def pages() -> Iterator[Page]:
    """Make the page of all results, and the page of each implementation."""
    every = implementations()
    said = [one.judged.by_rule() for one in every]
    judged = [rule for rule in rules().values() if any(rule.id in verdicts for verdicts in said)]

    def sums(ids: Sequence[str]) -> list[str]:
        tallies = (Tally.of((is_normative(rule), verdicts.get(rule)) for rule in ids) for verdicts in said)
        return [" · ".join(tally.cells) for tally in tallies]

    by_area = [(area, [rule for rule in judged if rule.area == area.name]) for area in site_areas()]
    yield rendered(
        "results",
        every=every,
        agents=[one for one in every if one.undeclared is not None],
        documents=documents(),
        capabilities={name: CAPABILITIES[name].says for name in capabilities_of_role("agent")},
        by_area=[(area, own) for area, own in by_area if own],
        sums={
            **{key: sums([rule.id for rule in judged if rule.document == key]) for key in documents()},
            **{area.name: sums([rule.id for rule in own]) for area, own in by_area},
        },
        said=[*zip(every, said, strict=True)],
    )
    targets = {results().of(known).adapter: witnesses(known) for known in in_results()}
    for one in every:
        of = {each.entry.cause: each.text for each in targets.get(one.judged.adapter, ())}
        yield rendered(f"results/{one.key}", "implementation", one=one, programs=of, by_area=[*_by_area(one.judged)])


def _by_area(judged: Judged) -> Iterator[tuple[Area, _Failed, list[Place]]]:
    """The areas with failed rules, and those that a cause or a posture is about."""
    by_rule: dict[str, list[tuple[Difference, list[str]]]] = {}
    for difference in judged.differences:
        for rule, failed in difference.by_rule().items():
            by_rule.setdefault(rule, []).append((difference, [*map(_title, failed)]))
    touching = _touching(judged)
    for area in site_areas():
        found = [(rule, by_rule[rule.id]) for rule in area.rules if rule.id in by_rule]
        if found or touching[area.name]:
            yield area, found, touching[area.name]


@cache
def _own_needs() -> Mapping[str, frozenset[Capability]]:
    """The capabilities that every case of an area needs, and every case of no other area."""
    found: dict[str, frozenset[Capability]] = {}
    for case in compiled():
        for area in map(area_of, case.rule.ids):
            found[area] = found.get(area, case.needs) & case.needs
    count = Counter(chain.from_iterable(found.values()))
    return {area: frozenset(need for need in needs if count[need] == 1) for area, needs in found.items()}


def _touching(judged: Judged) -> Mapping[str, list[Place]]:
    """By area, what has its rules elsewhere: causes with examples in it, and what needs its capability."""
    touching = [
        (place, {*map(area_of, one.by_rule())}, {*map(area_of, map(own_rule, one.cases))}, one.cases, most)
        for one in judged.differences
        for place in [(one.cause, f"cause-{one.cause}", one.reason)]
        for most in [0 if one.kind == "defect" else len(one.cases) / 2]
        if one.cause
    ]
    for axis in filter(axes().get, judged.postures):
        value, cases = judged.postures[axis].value, tuple(case.id for case in compiled() if axis in case.postures)
        place = (f"{axis}: {value}", f"posture-{axis}", axes()[axis].values[value].sentence)
        touching.append((place, {*map(area_of, posture_rules())}, set(), cases, len(cases) / 2))
    found: dict[str, list[Place]] = defaultdict(list)
    for shown, listed, areas, names, most in touching:
        needed = [case.needs for case in map(case_named, names) if case]
        for area, needs in _own_needs().items():
            needing = sum(not needs.isdisjoint(one) for one in needed)
            if area not in listed and (area in areas or needing > most):
                found[area].append(shown)
    return found


def _title(case: str) -> str:
    title = case.partition(" :: ")[2] if case in rules_of_examples() else case
    return title or "every case of the rule"
