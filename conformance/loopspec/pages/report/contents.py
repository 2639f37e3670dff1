"""The contents of the page: the rules by document and area, their verdicts, and the counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, get_args

from ...contract.axes import posture_rules
from ...reports.account import cut_off
from ...reports.ending import Failures, ending
from ...specification.cases import CaseBasis
from ...specification.ledger import JUDGED, NORMATIVE, basis_of, deciding, ledger
from ...specification.order import areas_in_order, documents_in_order, topic
from ...specification.sources import charged_rule
from .. import PageRule, main_document
from .implementations import NOT_JUDGED, SHOWN, Implementation, State, outcome_state, worst_state


class Cell(NamedTuple):
    """The state of a rule in one implementation; `part` says how many of its cases have it, where not all do."""

    state: State
    part: str = ""


class Tally(NamedTuple):
    """How many rules one implementation passes, of how many it was judged by: normative and advisory ones."""

    normative: tuple[int, int]
    advisory: tuple[int, int]


@dataclass(frozen=True)
class Row:
    """A rule, and its state in each implementation."""

    rule: PageRule
    cells: tuple[Cell, ...]

    @property
    def is_judged(self) -> bool:
        """Whether any implementation was judged by it."""
        return any(cell.state not in NOT_JUDGED for cell in self.cells)


@dataclass(frozen=True)
class Area:
    """An area with its rules in the order of the ledger."""

    name: str
    topic: str
    rows: tuple[Row, ...]
    tallies: tuple[Tally, ...]


@dataclass(frozen=True)
class Document:
    """A document with the areas that most of its rules are in."""

    title: str
    areas: tuple[Area, ...]


class Count(NamedTuple):
    """A line of a table of counts: what is counted, and its number in each implementation."""

    what: str
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """In all implementations together."""
        return sum(self.counts)


class Contents:
    """Everything that the page shows: made of reports, and of the rules that they are about."""

    def __init__(self, implementations: Sequence[Implementation], rules: Mapping[str, PageRule]) -> None:
        self.implementations = implementations
        self.rules = rules
        self.cases = _cases_by_rule(implementations, rules)
        self.rows = {rule: self._row(rule, cases) for rule, cases in self.cases.items()}
        held = {rule for one in implementations for rule in one.holds}
        self.rows |= {rule: self._held(rule) for rule in rules if rule in held and rule not in self.rows}

    def _row(self, rule: str, cases: Sequence[str]) -> Row:
        names = deciding(rule, cases)
        return Row(self.rules[rule], tuple(_cell([one.state(case) for case in names]) for one in self.implementations))

    def _held(self, rule: str) -> Row:
        """The row of an invariant that holds in every case of every report."""
        cells = (Cell("passed" if rule in one.holds else "absent", "") for one in self.implementations)
        return Row(self.rules[rule], tuple(cells))

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents with their areas, in reading order."""
        place = {name: number for number, name in enumerate(areas_in_order())}
        by_area: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows.values():
            by_area[row.rule.area].append(row)
        found: dict[str, list[Area]] = defaultdict(list)
        for name in sorted(by_area, key=lambda name: place.get(name, len(place))):
            document = main_document(rule for rule in self.rules.values() if rule.area == name)
            found[document].append(Area(name, topic(name), tuple(by_area[name]), self._tallies(by_area[name])))
        titles = [ledger().documents[key] for key in documents_in_order()]
        known = [*(title for title in titles if title in found), *(title for title in found if title not in titles)]
        return tuple(Document(title, tuple(found[title])) for title in known)

    @cached_property
    def not_judged(self) -> int:
        """How many of the rules no implementation was judged by."""
        return sum(not row.is_judged for row in self.rows.values())

    @cached_property
    def outcomes(self) -> tuple[tuple[State, str], ...]:
        """How each run ended: a sentence, and the state whose colors go with it."""
        return tuple(self._outcome(one) for one in self.implementations)

    def _outcome(self, one: Implementation) -> tuple[State, str]:
        if one.summary is None:
            return "no-result", cut_off(len(one.missing), len(one.run.planned))
        failures = Failures.of(
            (line.verdict, basis_of(line.case, line.rules, one.run.postures)) for line in one.cases.values()
        )
        run = one.run
        reasons = (line.message for line in one.cases.values() if line.verdict == "inapplicable")
        sentence = ending(one.label, one.summary, failures, strict=run.strict, postures=run.postures, reasons=reasons)
        return outcome_state(one.summary), sentence

    def _tallies(self, rows: Sequence[Row]) -> tuple[Tally, ...]:
        tallies = []
        for number in range(len(self.implementations)):
            passed: Counter[bool] = Counter()
            judged: Counter[bool] = Counter()
            for row in rows:
                state = row.cells[number].state
                if state not in NOT_JUDGED:
                    judged[_is_normative(row.rule)] += 1
                    passed[_is_normative(row.rule)] += state == "passed"
            tallies.append(Tally((passed[True], judged[True]), (passed[False], judged[False])))
        return tuple(tallies)

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """Over all rules."""
        return self._tallies(list(self.rows.values()))

    def shares(self, number: int) -> tuple[tuple[State, float, float], ...]:
        """The fraction of each state among the rules that an implementation was judged by: its start and its size."""
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
        """Count each state: of cases, of normative and of advisory ones, and of rules likewise."""
        is_cut_off = any(one.missing for one in self.implementations)
        shown = [state for state in SHOWN if is_cut_off or state != "no-result"]
        found = [("Cases", [Counter(one.state(case) for case in one.all_cases) for one in self.implementations])]
        kinds = (("Normative", NORMATIVE), ("Advisory", frozenset(get_args(CaseBasis)) - NORMATIVE))
        for kind, bases in kinds:
            found.append((f"{kind} cases", [self._cases_of(one, bases) for one in self.implementations]))
        for kind, bases in kinds:
            rows = [row for row in self.rows.values() if _is_normative(row.rule) is (bases is NORMATIVE)]
            of_rules = [Counter(row.cells[number].state for row in rows) for number in range(len(self.implementations))]
            found.append((f"{kind} rules", of_rules))
        return tuple(
            (what, tuple(Count(state, tuple(each[state] for each in counters)) for state in shown))
            for what, counters in found
        )

    def _cases_of(self, one: Implementation, bases: Collection[str]) -> Counter[State]:
        """The states of the cases whose rule has one of these bases."""
        rules = ((case, _rules_of(case, one, self.rules)) for case in one.all_cases)
        return Counter(one.state(case) for case, ids in rules if basis_of(case, ids, one.run.postures) in bases)

    @cached_property
    def inapplicable(self) -> tuple[Count, ...]:
        """The number of inapplicable cases for each reason; the most frequent reason comes first."""
        return _by_reason([one.inapplicable for one in self.implementations])

    @cached_property
    def not_run(self) -> tuple[Count, ...]:
        """The number of cases without a result for each reason."""
        missing = Count("the report was cut off", tuple(len(one.missing) for one in self.implementations))
        return _by_reason([one.not_run for one in self.implementations]) + ((missing,) if missing.total else ())

    @cached_property
    def not_planned(self) -> Count:
        """The number of rules with scenarios of which a run has planned none."""
        ready = [rule for rule in self.rules.values() if rule.status in JUDGED]
        of_each = [
            sum(rule.id not in self.rows or self.rows[rule.id].cells[n].state == "absent" for rule in ready)
            for n, _ in enumerate(self.implementations)
        ]
        return Count("rules that the run did not select", tuple(of_each))

    @cached_property
    def without_scenario(self) -> tuple[tuple[str, tuple[PageRule, ...]], ...]:
        """The rules without a scenario, by the reason."""
        found: dict[str, list[PageRule]] = defaultdict(list)
        for rule in self.rules.values():
            if rule.status not in JUDGED:
                found[f"{rule.status}: {rule.reason}"].append(rule)
        return tuple((reason, tuple(rules)) for reason, rules in sorted(found.items(), key=lambda item: -len(item[1])))

    @property
    def states(self) -> tuple[State, ...]:
        """The states that any rule has in any implementation."""
        found = {cell.state for row in self.rows.values() for cell in row.cells}
        return tuple(state for state in SHOWN if state in found)


def _cases_by_rule(
    implementations: Iterable[Implementation], rules: Mapping[str, PageRule]
) -> dict[str, tuple[str, ...]]:
    """The cases of every rule in a report, in the order of the rules and of a run that was not shuffled."""
    found: dict[str, dict[str, None]] = {rule: {} for rule in rules}
    for one in sorted(implementations, key=lambda one: one.run.seed != 0):
        for case in dict.fromkeys((*one.run.planned, *one.cases)):
            for rule in _rules_of(case, one, rules):
                if rule in found:
                    found[rule][case] = None
    return {rule: tuple(cases) for rule, cases in found.items() if cases}


def _is_normative(rule: PageRule) -> bool:
    return rule.basis in NORMATIVE or rule.id in posture_rules()


def _rules_of(case: str, one: Implementation, rules: Mapping[str, PageRule]) -> tuple[str, ...]:
    if case in one.cases:
        return one.cases[case].rules
    rule = rules.get(charged_rule(case))
    if rule is None or rule.status == "variant":
        return (rule.id,) if rule else ()
    return rule.written.ids if rule.written else ()


def _cell(states: Sequence[State]) -> Cell:
    state = worst_state(states)
    same, planned = states.count(state), sum(each != "absent" for each in states)
    return Cell(state, f"{same}/{planned}" if same < planned else "")


def _by_reason(counters: Sequence[Counter[str]]) -> tuple[Count, ...]:
    reasons = {reason for counter in counters for reason in counter}
    found = (Count(reason or "no reason was given", tuple(each[reason] for each in counters)) for reason in reasons)
    return tuple(sorted(found, key=lambda count: (-count.total, count.what)))
