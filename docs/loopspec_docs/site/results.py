"""The results page: rules × implementations, and for each implementation its known differences with their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from loopspec.contract.capabilities import CAPABILITIES, Capability, capabilities_of_role
from loopspec.contract.specification import adapters_root
from loopspec.engine.result import Verdict
from loopspec.pages import PageRule
from loopspec.specification.features import compiled
from loopspec.specification.ledger import is_normative
from loopspec.specification.sources import charged_rule
from loopspec_known.declarations import read_file
from loopspec_known.results import REFERENCE, Difference, Judged, results

from .areas import Area
from .links import slug


class Undeclared(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an adapter does not declare capabilities of the role `agent`.

    The link leads to the framework's source at the judged version, or to its documents. `gap`: the framework has the
    capability, and the adapter does not have it yet.
    """

    capabilities: tuple[str, ...]
    reason: str
    link: str
    gap: bool = False

    def __post_init__(self) -> None:
        """Reject a name that is no capability."""
        if unknown := [name for name in self.capabilities if name not in CAPABILITIES]:
            raise ValueError(f"there is no capability {unknown[0]!r}")


class _Reasons(Struct, frozen=True, forbid_unknown_fields=True):
    undeclared: tuple[Undeclared, ...]


def undeclared(folder: Path) -> tuple[Undeclared, ...] | None:
    """The reasons of the adapter in a folder; None for an adapter without the role. Raises `SuiteError`."""
    path = folder / "undeclared.toml"
    return read_file(path, _Reasons).undeclared if path.is_file() else None


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
    link: str
    cases: tuple[str, ...]


class Differing(Struct, frozen=True):
    """A rule that an implementation is known to fail, with the reasons."""

    rule: PageRule
    reasons: tuple[Reason, ...]


class Implementation(Struct, frozen=True):
    """An implementation. `key` is the last part of its addresses; `areas` has its differences.

    `undeclared` says why a capability of the role `agent` is not declared; None for an implementation without the role.
    """

    key: str
    judged: Judged
    areas: tuple[tuple[Area, tuple[Differing, ...]], ...]
    undeclared: tuple[Undeclared, ...] | None

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
    return tuple(
        Implementation(_key(one), one, tuple(_differences(one, areas)), _undeclared(one))
        for one in results().implementations
    )


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
        for rule, cases in _by_rule(difference).items():
            by_rule.setdefault(rule, []).append(Reason(difference.reason, difference.link, tuple(cases)))
    for area in areas:
        found = tuple(Differing(rule, tuple(by_rule[rule.id])) for rule in area.rules if rule.id in by_rule)
        if found:
            yield area, found


def _by_rule(difference: Difference) -> dict[str, list[str]]:
    """The titles of its cases, by each rule that they are examples of."""
    found: dict[str, list[str]] = {}
    for case in difference.cases:
        _, _, title = case.partition(" :: ")
        for rule in _rules_of_cases().get(case, (charged_rule(case),)):
            found.setdefault(rule, []).append(title if case in _rules_of_cases() else case)
    return found


@cache
def _rules_of_cases() -> dict[str, tuple[str, ...]]:
    return {case.id: case.rule.ids for case in compiled()}


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
