"""The contents of the page: the rules by document and area, their states, and the counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from ...engine.run import Summary
from ...reports.account import SHOWN as VERDICTS_SHOWN
from ...reports.account import Account, Tally, ending
from ...reports.account import State as ReportedState
from ...specification.ledger import JUDGED, ledger
from ...specification.order import areas_in_order, documents_in_order, topic
from ..rules import PageRule, main_document

# `absent`: the run did not plan it.
State = ReportedState | Literal["absent"]
# From the best to the worst; inapplicable, which says nothing, is last but one.
SHOWN: tuple[ReportedState, ...] = (*VERDICTS_SHOWN, "no-result")
# The implementation was not judged by a rule in one of these states.
NOT_JUDGED: frozenset[State] = frozenset({"inapplicable", "absent"})


class Cell(NamedTuple):
    """The state of a rule in one implementation; `part` says how many of its cases have it, where not all do."""

    state: State
    part: str = ""


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

    def __init__(self, implementations: Sequence[Account], rules: Mapping[str, PageRule]) -> None:
        self.implementations = implementations
        self.rules = rules
        judged = {rule for one in implementations for rule in one.rules}
        self.rows = {
            rule: Row(rules[rule], tuple(_cell(one, rule) for one in implementations))
            for rule in rules
            if rule in judged
        }

    @cached_property
    def cases(self) -> Mapping[str, tuple[str, ...]]:
        """The cases of each rule in any report, in the order of a run that was not shuffled."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for one in sorted(self.implementations, key=lambda one: one.run.seed != 0):
            for rule in one.rules.values():
                found[rule.id] |= dict.fromkeys(line.case for line in rule.lines)
        return {rule: tuple(cases) for rule, cases in found.items()}

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
        return tuple((_outcome(one.summary), ending(one)) for one in self.implementations)

    def _tallies(self, rows: Sequence[Row]) -> tuple[Tally, ...]:
        ids = [row.rule.id for row in rows]
        return tuple(
            Tally.of((rule.is_normative, rule.state) for id_ in ids if (rule := one.rules.get(id_)))
            for one in self.implementations
        )

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """Over all rules."""
        return self._tallies(list(self.rows.values()))

    def shares(self, number: int) -> tuple[tuple[State, float, float], ...]:
        """The fraction of each state among the rules that an implementation was judged by: its start and its size."""
        found = Counter(rule.state for rule in self.implementations[number].rules.values())
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
        shown = SHOWN if any(one.missing for one in self.implementations) else VERDICTS_SHOWN
        of_each = [one.counts for one in self.implementations]
        return tuple(
            (
                what.capitalize(),
                tuple(Count(state, tuple(counts[what][state] for counts in of_each)) for state in shown),
            )
            for what in of_each[0]
        )

    @cached_property
    def inapplicable(self) -> tuple[Count, ...]:
        """The number of inapplicable cases for each reason; the most frequent reason comes first."""
        return _by_reason([one.reasons("inapplicable") for one in self.implementations])

    @cached_property
    def not_run(self) -> tuple[Count, ...]:
        """The number of cases without a result for each reason."""
        missing = Count("the report was cut off", tuple(len(one.missing) for one in self.implementations))
        found = _by_reason([one.reasons("not-run") for one in self.implementations])
        return found + ((missing,) if missing.total else ())

    @cached_property
    def not_planned(self) -> Count:
        """The number of rules with scenarios of which a run has planned none."""
        ready = [rule.id for rule in self.rules.values() if rule.status in JUDGED]
        absent = tuple(sum(rule not in one.rules for rule in ready) for one in self.implementations)
        return Count("rules that the run did not select", absent)

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


def _cell(one: Account, rule: str) -> Cell:
    if rule not in one.rules:
        return Cell("absent")
    states = one.rules[rule].states
    same = states.count(one.rules[rule].state)
    return Cell(one.rules[rule].state, f"{same}/{len(states)}" if same < len(states) else "")


def _outcome(summary: Summary | None) -> State:
    """The state whose colors go with the end of a run."""
    if summary is None:
        return "no-result"
    states: dict[int, State] = {
        0: "known" if summary.cases["known"] else "passed",
        1: "failed",
        3: "stale",
        4: "crashed",
    }
    return states.get(summary.exit_code, "not-run")


def _by_reason(counters: Sequence[Counter[str]]) -> tuple[Count, ...]:
    reasons = {reason for counter in counters for reason in counter}
    found = (Count(reason or "no reason was given", tuple(each[reason] for each in counters)) for reason in reasons)
    return tuple(sorted(found, key=lambda count: (-count.total, count.what)))
