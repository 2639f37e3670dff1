"""The results page: rules × implementations, and for each implementation its known differences with their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from loopspec.contract.capabilities import Capability, capabilities_of_role
from loopspec.contract.specification import adapters_root
from loopspec.engine.baseline_text import KINDS
from loopspec.engine.result import Verdict
from loopspec.pages import PageRule
from loopspec.reports.account import KIND_NAMES
from loopspec.specification.ledger import is_normative
from loopspec_known.declarations import Known, Undeclared, undeclared
from loopspec_known.results import REFERENCE, Difference, Judged, in_results, results, rules_of_examples
from loopspec_known.witnesses import witnesses

from .areas import Area
from .links import slug


class Tally(Struct, frozen=True):
    """How many of some rules passed, of those that an implementation is judged by."""

    passed: int
    judged: int

    def __str__(self) -> str:
        return f"{self.passed}/{self.judged}" if self.judged else "–"


class Row(Struct, frozen=True):
    """A rule with the verdict on each implementation."""

    rule: PageRule
    verdicts: tuple[Verdict, ...]


class AreaRows(Struct, frozen=True):
    """The rules of an area with at least one verdict; for each implementation the normative rules, and the advisory."""

    area: Area
    rows: tuple[Row, ...]
    tallies: tuple[tuple[Tally, Tally], ...]


class Reason(Struct, frozen=True):
    """Why some cases of a rule fail."""

    text: str
    cause: str
    cases: tuple[str, ...]


class Differing(Struct, frozen=True):
    """A rule that an implementation is known to fail, with the reasons."""

    rule: PageRule
    reasons: tuple[Reason, ...]


class Cause(Struct, frozen=True):
    """A cause of known differences, and the program that shows it, without loopspec."""

    difference: Difference
    program: str


class Implementation(Struct, frozen=True):
    """An implementation. `key` is the last part of its addresses; `areas` has its differences.

    `undeclared` says why a capability of the role `agent` is not declared; None for an implementation without the role.
    `causes` are those of the differences, by the name of their kind.
    """

    key: str
    judged: Judged
    areas: tuple[tuple[Area, tuple[Differing, ...]], ...]
    undeclared: tuple[Undeclared, ...] | None
    causes: dict[str, tuple[Cause, ...]]

    @property
    def address(self) -> str:
        """Its page in the site."""
        return f"results/{self.key}.html"

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of rules with each verdict."""
        return {verdict: len(found) for verdict, found in self.judged.verdicts.items()}

    @property
    def left_out(self) -> dict[Capability, Undeclared]:
        """The capabilities that are not declared, each with the reason."""
        return {name: one for one in self.undeclared or () for name in one.capabilities}


def implementations(areas: Iterable[Area]) -> tuple[Implementation, ...]:
    """Every implementation of the results that ship."""
    targets = {results().of(known).adapter: known for known in in_results()}
    return tuple(
        Implementation(
            _key(one), one, tuple(_differences(one, areas)), _undeclared(one), _causes(one, targets.get(one.adapter))
        )
        for one in results().implementations
    )


def _causes(one: Judged, known: Known | None) -> dict[str, tuple[Cause, ...]]:
    programs = {each.entry.cause: each.text for each in witnesses(known)} if known else {}
    of_kinds = {KIND_NAMES[kind]: [each for each in one.differences if each.kind == kind] for kind in KINDS}
    return {
        name: tuple(Cause(each, programs[each.cause]) for each in differences)
        for name, differences in of_kinds.items()
        if differences
    }


def _undeclared(one: Judged) -> tuple[Undeclared, ...] | None:
    return () if one.adapter == REFERENCE else undeclared(adapters_root() / one.adapter.rpartition("/")[2])


def capability_rows(every: Iterable[Implementation]) -> dict[Capability, tuple[Undeclared | None, ...]]:
    """For each capability of the role `agent`, why an implementation lacks it; None where it is declared."""
    agents = [one.left_out for one in every if one.undeclared is not None]
    return {name: tuple(one.get(name) for one in agents) for name in capabilities_of_role("agent")}


def _key(one: Judged) -> str:
    return slug(one.adapter.rpartition("/")[2])


def _differences(one: Judged, areas: Iterable[Area]) -> Iterable[tuple[Area, tuple[Differing, ...]]]:
    by_rule: dict[str, list[Reason]] = {}
    for difference in one.differences:
        for rule, cases in difference.by_rule().items():
            titles = tuple(case.partition(" :: ")[2] if case in rules_of_examples() else case for case in cases)
            by_rule.setdefault(rule, []).append(Reason(difference.reason, difference.cause, titles))
    for area in areas:
        found = tuple(Differing(rule, tuple(by_rule[rule.id])) for rule in area.rules if rule.id in by_rule)
        if found:
            yield area, found


def area_rows(areas: Iterable[Area]) -> tuple[AreaRows, ...]:
    """The areas with at least one rule that some implementation is judged by."""
    every = results().implementations
    said = [one.by_rule() for one in every]
    made = []
    for area in areas:
        rows = tuple(
            Row(rule, tuple(verdicts.get(rule.id, "inapplicable") for verdicts in said))
            for rule in area.rules
            if any(rule.id in verdicts for verdicts in said)
        )
        if rows:
            made.append(AreaRows(area, rows, tuple(_tallies(rows, number) for number in range(len(every)))))
    return tuple(made)


def _tallies(rows: Sequence[Row], number: int) -> tuple[Tally, Tally]:
    """The tally of the normative rules, and that of the advisory ones."""
    return _tally(rows, number, normative=True), _tally(rows, number, normative=False)


def _tally(rows: Sequence[Row], number: int, *, normative: bool) -> Tally:
    verdicts = [row.verdicts[number] for row in rows if is_normative(row.rule.id) == normative]
    return Tally(verdicts.count("passed"), len(verdicts) - verdicts.count("inapplicable"))


def sums(every: Iterable[AreaRows], documents: Iterable[str]) -> dict[str, tuple[tuple[Tally, Tally], ...]]:
    """The tallies of each document: those of its rules, whatever area they are in."""
    rows = [row for one in every for row in one.rows]
    count = len(results().implementations)
    return {
        key: tuple(_tallies([row for row in rows if row.rule.document == key], number) for number in range(count))
        for key in documents
    }
