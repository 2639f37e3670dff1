"""One column of the page: what the report of one implementation says, also where the report was cut off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from ...engine.result import CaseLine
from ...engine.run import Summary
from ...engine.verdict import FAILURES, VERDICTS, Verdict
from ...reports.jsonl import RunLine
from ...reports.merging import Whole

# `no-result`: planned, and the report was cut off before it. `absent`: the run did not plan it.
State = Verdict | Literal["no-result", "absent"]

# Worst first. What has no result is as bad as what was not run.
STATES: tuple[State, ...] = (*VERDICTS[:4], "no-result", *VERDICTS[4:], "absent")

# From the best to the worst, and last what says nothing: the order in which people read them.
SHOWN: tuple[State, ...] = (*reversed(VERDICTS[:-1]), VERDICTS[-1], "no-result")


@dataclass(frozen=True)
class Implementation:
    """What a report says. `summary` is None where the report was cut off; `cases` are by their ids, as judged."""

    run: RunLine
    cases: Mapping[str, CaseLine]
    summary: Summary | None

    @property
    def name(self) -> str:
        """What it calls itself, with its version."""
        identity = self.run.identity
        return str(identity) or self.run.target

    @property
    def began(self) -> str:
        """When the run began; empty where its report does not tell, or tells nonsense."""
        try:
            return f"{datetime.fromtimestamp(self.run.began, UTC):%Y-%m-%d %H:%M} UTC" if self.run.began else ""
        except (OverflowError, OSError, ValueError):
            return ""

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The cases that were planned and have no line."""
        return tuple(case for case in self.run.planned if case not in self.cases)

    @property
    def outcome(self) -> tuple[State, str]:
        """How the run ended, in a sentence, and the verdict whose colour goes with that."""
        if self.summary is None:
            done, planned = len(self.cases), len(self.run.planned)
            return "no-result", f"The report was cut off: {done:,} of {planned:,} cases have a result."
        match self.summary.exit_code:
            case 0 if known := self.summary.cases.get("known", 0):
                return "known", f"Conformant but for what its baseline knows: {known:,} {_cases(known)}."
            case 0:
                return "passed", "Conformant" + (", clarified rules too." if self.run.strict else ".")
            case 1:
                failed = sum(self.summary.cases.get(verdict, 0) for verdict in FAILURES)
                return "failed", f"Not conformant: {failed:,} {_cases(failed)} did not pass."
            case 3:
                return (
                    "stale",
                    f"Its baseline is stale: of {len(self.summary.stale):,} of its entries all passes.",
                )
            case 4:
                return "crashed", "Unusable: the run was given up."
            case 130:
                return "not-run", "The run was interrupted."
        return "not-run", "No verdict can be trusted: nothing was judged, or not everything is accounted for."

    def state(self, case: str) -> State:
        """What became of a case."""
        if case in self.cases:
            return self.cases[case].verdict
        return "no-result" if case in self._missing else "absent"

    @cached_property
    def _missing(self) -> frozenset[str]:
        return frozenset(self.missing)

    @cached_property
    def inapplicable(self) -> Counter[str]:
        """How many cases are inapplicable, by the reason."""
        return Counter(line.message for line in self.cases.values() if line.verdict == "inapplicable")

    @cached_property
    def not_run(self) -> Counter[str]:
        """How many cases were not run, by the reason."""
        return Counter(line.message for line in self.cases.values() if line.verdict == "not-run")


def implementation(report: Whole) -> Implementation:
    """What one report says: of each case the first line counts."""
    lines: dict[str, CaseLine] = {}
    for line in report.cases:
        lines.setdefault(line.case, line)
    return Implementation(report.run, lines, report.summary)


def worst_state(states: Iterable[State]) -> State:
    """The state of a rule: the worst of its cases; `absent` only if all are."""
    return min(states, key=STATES.index, default="absent")


def _cases(count: int) -> str:
    return "case" if count == 1 else "cases"
