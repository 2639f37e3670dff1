"""What is on the page: documents, their sections, the rules in them, and what was counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .. import PageRule
from .implementations import SHOWN, Implementation, State, worst_state


class Cell(NamedTuple):
    """What became of a rule in one implementation; `part` says of how many of its cases, where not of all."""

    state: State
    part: str = ""


class Tally(NamedTuple):
    """How many rules one implementation keeps, of how many it was judged by: that decide, and clarified ones."""

    normative: tuple[int, int]
    clarified: tuple[int, int]


@dataclass(frozen=True)
class Row:
    """A rule, and what became of it in each implementation."""

    rule: PageRule
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Group:
    """A section with its rules. Rules of no section stand under their area."""

    title: str
    rows: tuple[Row, ...]
    tallies: tuple[Tally, ...]


@dataclass(frozen=True)
class Document:
    """A document with its sections in its own order."""

    title: str
    groups: tuple[Group, ...]
    tallies: tuple[Tally, ...]


class Count(NamedTuple):
    """A line of a table of counts: what is counted, and how many there are of it in each implementation."""

    what: str
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """In all implementations together."""
        return sum(self.counts)


class Contents:
    """Everything the page shows, made of reports and of the rules that they are about.

    `sections` are the titles of each document's sections, in its own order.
    """

    def __init__(
        self,
        implementations: Sequence[Implementation],
        rules: Mapping[str, PageRule],
        sections: Mapping[str, Iterable[str]],
    ) -> None:
        self.implementations = implementations
        self.rules = rules
        self._sections = sections
        self.cases = _cases_by_rule(implementations, rules)
        self.rows = {rule: self._row(rule, cases) for rule, cases in self.cases.items()}

    def _row(self, rule: str, cases: Sequence[str]) -> Row:
        return Row(self.rules[rule], tuple(_cell([one.state(case) for case in cases]) for one in self.implementations))

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents that any rule here is of."""
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows.values():
            found[row.rule.document].append(row)
        return tuple(
            Document(rows[0].rule.name, self._groups(document, rows), self._tallies(rows))
            for document, rows in found.items()
        )

    def _groups(self, document: str, rows: Iterable[Row]) -> tuple[Group, ...]:
        found: dict[str, list[Row]] = {title: [] for title in self._sections.get(document, ())}
        for row in rows:
            own = [section.title for section in row.rule.sections if section.document == document]
            found.setdefault(own[0] if own else row.rule.area, []).append(row)
        return tuple(Group(title, tuple(rows), self._tallies(rows)) for title, rows in found.items() if rows)

    def _tallies(self, rows: Sequence[Row]) -> tuple[Tally, ...]:
        tallies = []
        for number in range(len(self.implementations)):
            kept: Counter[bool] = Counter()
            judged: Counter[bool] = Counter()
            for row in rows:
                state = row.cells[number].state
                if state not in ("inapplicable", "absent"):
                    judged[row.rule.is_normative] += 1
                    kept[row.rule.is_normative] += state == "passed"
            tallies.append(Tally((kept[True], judged[True]), (kept[False], judged[False])))
        return tuple(tallies)

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """Over all rules."""
        return self._tallies(list(self.rows.values()))

    def shares(self, number: int) -> tuple[tuple[State, float, float], ...]:
        """Of all rules that an implementation was judged by, the share of each state: where it begins, and how much."""
        found = Counter(row.cells[number].state for row in self.rows.values())
        judged = [state for state in SHOWN if state != "inapplicable" and found[state]]
        whole = sum(found[state] for state in judged)
        shares, begin = [], 0.0
        for state in judged:
            share = 100 * found[state] / whole
            shares.append((state, begin, share))
            begin += share
        return tuple(shares)

    @cached_property
    def counts(self) -> tuple[tuple[str, tuple[Count, ...]], ...]:
        """How many cases, deciding rules and clarified rules have each verdict."""
        cut_off = any(one.missing for one in self.implementations)
        shown = [state for state in SHOWN if cut_off or state != "no-result"]
        of_cases = [Counter(one.state(case) for case in {*one.cases, *one.missing}) for one in self.implementations]
        found = [("Cases", of_cases)]
        for what, is_normative in (("Rules that decide", True), ("Clarified rules", False)):
            rows = [row for row in self.rows.values() if row.rule.is_normative is is_normative]
            of_rules = [Counter(row.cells[number].state for row in rows) for number in range(len(self.implementations))]
            found.append((what, of_rules))
        return tuple(
            (what, tuple(Count(state, tuple(each[state] for each in counters)) for state in shown))
            for what, counters in found
        )

    @cached_property
    def inapplicable(self) -> tuple[Count, ...]:
        """How many cases are inapplicable for each reason; what leaves out most comes first."""
        return _by_reason([one.inapplicable for one in self.implementations])

    @cached_property
    def not_run(self) -> tuple[Count, ...]:
        """How many cases were not run for each reason, or have no result at all."""
        cut_off = Count("the report was cut off", tuple(len(one.missing) for one in self.implementations))
        return _by_reason([one.not_run for one in self.implementations]) + ((cut_off,) if cut_off.total else ())

    @cached_property
    def not_planned(self) -> Count:
        """How many rules that have scenarios no run has planned any of."""
        ready = [rule for rule in self.rules.values() if rule.status == "scenario"]
        of_each = [
            sum(rule.id not in self.rows or self.rows[rule.id].cells[n].state == "absent" for rule in ready)
            for n, _ in enumerate(self.implementations)
        ]
        return Count("rules that the run did not ask for", tuple(of_each))

    @cached_property
    def without_scenario(self) -> tuple[tuple[str, tuple[PageRule, ...]], ...]:
        """The rules that no scenario can be about, by the reason."""
        found: dict[str, list[PageRule]] = defaultdict(list)
        for rule in self.rules.values():
            if rule.status != "scenario":
                found[f"{rule.status}: {rule.reason}"].append(rule)
        return tuple((reason, tuple(rules)) for reason, rules in sorted(found.items(), key=lambda item: -len(item[1])))

    @property
    def areas(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The areas of each document that a rule here is of."""
        return tuple(
            (document.title, tuple(sorted({row.rule.area for group in document.groups for row in group.rows})))
            for document in self.documents
        )

    @property
    def states(self) -> tuple[State, ...]:
        """The states that any rule here has in any implementation, for people to choose from."""
        found = {cell.state for row in self.rows.values() for cell in row.cells}
        return tuple(state for state in SHOWN if state in found)


def _cases_by_rule(
    implementations: Iterable[Implementation], rules: Mapping[str, PageRule]
) -> dict[str, tuple[str, ...]]:
    """The cases of every rule that a report speaks of, in the order of the rules and of a run that was not shuffled."""
    found: dict[str, dict[str, None]] = {rule: {} for rule in rules}
    for one in sorted(implementations, key=lambda one: one.run.seed != 0):
        for case in dict.fromkeys((*one.run.planned, *one.cases)):
            for rule in _rules_of(case, one, rules):
                if rule in found:
                    found[rule][case] = None
    return {rule: tuple(cases) for rule, cases in found.items() if cases}


def _rules_of(case: str, one: Implementation, rules: Mapping[str, PageRule]) -> tuple[str, ...]:
    if case in one.cases:
        return one.cases[case].rules
    rule = rules.get(case.partition(" :: ")[0])
    return rule.written.ids if rule and rule.written else ()


def _cell(states: Sequence[State]) -> Cell:
    state = worst_state(states)
    same, planned = states.count(state), sum(each != "absent" for each in states)
    return Cell(state, f"{same}/{planned}" if same < planned else "")


def _by_reason(counters: Sequence[Counter[str]]) -> tuple[Count, ...]:
    reasons = {reason for counter in counters for reason in counter}
    found = (Count(reason or "no reason was given", tuple(each[reason] for each in counters)) for reason in reasons)
    return tuple(sorted(found, key=lambda count: (-count.total, count.what)))
