"""One column of the page: the report of one implementation, which may have been cut off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from ...engine.result import VERDICTS, CaseLine, Verdict
from ...engine.run import Summary
from ...reports.jsonl import RunLine
from ...reports.merging import Whole

# `no-result`: planned, but the report was cut off before it. `absent`: the run did not plan it.
State = Verdict | Literal["no-result", "absent"]

# Worst first. Having no result is as bad as not having been run.
STATES: tuple[State, ...] = (*VERDICTS[:4], "no-result", *VERDICTS[4:], "absent")

# From the best to the worst; inapplicable, which says nothing, is last but one.
SHOWN: tuple[State, ...] = (*reversed(VERDICTS[:-1]), VERDICTS[-1], "no-result")


# The implementation was not judged by a rule in one of these states.
NOT_JUDGED: frozenset[State] = frozenset({"inapplicable", "absent"})


@dataclass(frozen=True)
class Implementation:
    """A report. `summary` is None where it was cut off; `cases` are by their ids, in the order of the run."""

    run: RunLine
    cases: Mapping[str, CaseLine]
    summary: Summary | None

    @property
    def name(self) -> str:
        """The name and version that it reports, or the target."""
        identity = self.run.identity
        return str(identity) or self.run.target

    @property
    def began(self) -> str:
        """When the run began; empty where the report does not say, or has no valid time."""
        try:
            return f"{datetime.fromtimestamp(self.run.began, UTC):%Y-%m-%d %H:%M} UTC" if self.run.began else ""
        except (OverflowError, OSError, ValueError):
            return ""

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The planned cases that have no line."""
        return tuple(case for case in dict.fromkeys(self.run.planned) if case not in self.cases)

    @property
    def label(self) -> str:
        """What was judged, as a sentence names it."""
        return f"{self.run.target} (shard {self.run.shard})" if self.run.shard else self.run.target

    @property
    def all_cases(self) -> tuple[str, ...]:
        """The cases with a line, and those that are missing."""
        return (*self.cases, *self.missing)

    def state(self, case: str) -> State:
        """The state of a case."""
        if case in self.cases:
            return self.cases[case].verdict
        return "no-result" if case in self._missing else "absent"

    @cached_property
    def _missing(self) -> frozenset[str]:
        return frozenset(self.missing)

    @cached_property
    def inapplicable(self) -> Counter[str]:
        """The number of inapplicable cases by their reason."""
        return Counter(line.message for line in self.cases.values() if line.verdict == "inapplicable")

    @cached_property
    def holds(self) -> frozenset[str]:
        """The rules of the invariants that hold in some case."""
        return frozenset(rule for line in self.cases.values() for rule in line.holds)

    @cached_property
    def not_run(self) -> Counter[str]:
        """The number of cases that were not run, by the reason."""
        return Counter(line.message for line in self.cases.values() if line.verdict == "not-run")


def implementation(report: Whole) -> Implementation:
    """The column of a report: of each case, the first line counts."""
    lines: dict[str, CaseLine] = {}
    for line in report.cases:
        lines.setdefault(line.case, line)
    return Implementation(report.run, lines, report.summary)


def worst_state(states: Iterable[State]) -> State:
    """The state of a rule: the worst of its cases; `absent` only if all are."""
    return min(states, key=STATES.index, default="absent")


def outcome_state(summary: Summary) -> State:
    """The state whose colors go with the end of a run."""
    match summary.exit_code:
        case 0:
            return "known" if summary.cases.get("known", 0) else "passed"
        case 1:
            return "failed"
        case 3:
            return "stale"
        case 4:
            return "crashed"
    return "not-run"
