"""Summaries of reports on the versions of known targets, which ship with their adapters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from loopspec.engine.judge import applies
from loopspec.engine.result import FAILURES, CaseLine, Verdict
from loopspec.reports.account import verdicts_of_rules
from loopspec.reports.jsonl import RunLine
from loopspec.specification.features import compiled
from loopspec.specification.selection import must_fit
from loopspec.specification.sources import fits
from loopspec.targets.resolve import AbsentTarget

from .declarations import Gap, Known
from .results import rules_by_verdict

Judgment = Verdict | Literal["not judged"]
NOT_JUDGED: Literal["not judged"] = "not judged"


class VersionGap(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that are not judged at a version, since the adapter needs something that the version lacks."""

    reason: str
    rules: tuple[str, ...]


class VersionSummary(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The verdicts on the rules at one version, without a baseline; inapplicable rules have none.

    `reason` says why the whole version is not judged. `features` is the digest of the features.
    """

    schema: Literal[1]
    target: str
    version: str
    features: str
    reason: str = ""
    verdicts: dict[Verdict, tuple[str, ...]] = {}
    gaps: tuple[VersionGap, ...] = ()

    def as_text(self) -> str:
        """The file as it is written: one rule a line, so that a change is a small one."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"

    def judgment(self, rule: str) -> Judgment:
        """The verdict on a rule; `not judged` where the adapter cannot drive the version that far."""
        if self.reason or any(rule in gap.rules for gap in self.gaps):
            return NOT_JUDGED
        return next((verdict for verdict, rules in self.verdicts.items() if rule in rules), "inapplicable")

    @property
    def rules(self) -> set[str]:
        """The rules that are not inapplicable."""
        return {rule for rules in (*self.verdicts.values(), *(gap.rules for gap in self.gaps)) for rule in rules}


def gap_cases(known: Known) -> dict[str, Gap]:
    """The cases that the adapter cannot perform at this version, each with its gap."""
    found: dict[str, Gap] = {}
    for gap in known.gaps:
        must_fit("case", gap.cases, [case.id for case in compiled()])
        for case in compiled():
            if gap.capability in case.needs or any(fits(case.id, glob) for glob in gap.cases):
                found.setdefault(case.id, gap)
    return found


def summary_of(known: Known, run: RunLine, cases: Sequence[CaseLine]) -> VersionSummary:
    """The summary of a report without a baseline, in which the cases of gaps are deselected.

    A rule with such a case is not judged, unless another of its cases fails.
    """
    found = verdicts_of_rules(cases)
    gaps: dict[str, set[str]] = {}
    target = AbsentTarget(run.identity, run.roles, run.capabilities)
    by_id = {case.id: case for case in compiled()}
    for name, gap in gap_cases(known).items():
        if applies(by_id[name], target):
            rules = {rule for rule in by_id[name].rule.ids if found.get(rule) not in FAILURES}
            gaps.setdefault(gap.reason, set()).update(rules)
    left_out = {rule for of_gap in gaps.values() for rule in of_gap}
    return VersionSummary(
        1,
        known.name,
        known.version,
        run.features,
        verdicts=rules_by_verdict({rule: said for rule, said in found.items() if rule not in left_out}),
        gaps=tuple(VersionGap(reason, tuple(sorted(gaps[reason]))) for reason in sorted(gaps) if gaps[reason]),
    )
