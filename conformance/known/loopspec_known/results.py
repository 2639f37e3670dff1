"""What the suite finds on the implementations with an adapter here: the types of results.json, which ships."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct

from loopspec.contract.axes import Posture, Postures, own_postures
from loopspec.contract.specification import digest
from loopspec.engine.baseline import Baseline
from loopspec.engine.result import CaseLine, Result
from loopspec.engine.verdict import VERDICTS, Verdict
from loopspec.reports.matrix import Column, by_implementation, verdicts_of_rules
from loopspec.specification.ledger import ledger

NAME = "results.json"
# The document of the rules that are judged in a dialect of instruction files, and of their variants.
OF_DIALECTS = "tools"


class Difference(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why some cases fail, as the baseline of the implementation says."""

    reason: str
    cases: tuple[str, ...]
    link: str = ""


class Judged(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An implementation: the rules with each verdict, except for those that are inapplicable, and its differences.

    `adapter` is the folder of its adapter, relative to the folder of the repository. `postures` are by axis.
    """

    name: str
    adapter: str
    verdicts: dict[Verdict, tuple[str, ...]]
    differences: tuple[Difference, ...] = ()
    postures: dict[str, Posture] = {}

    def by_rule(self) -> dict[str, Verdict]:
        """The verdict on each rule that is not inapplicable."""
        return {rule: verdict for verdict, rules in self.verdicts.items() for rule in rules}

    def verdict(self, rule: str) -> Verdict:
        """The verdict on a rule."""
        return self.by_rule().get(rule, "inapplicable")


class Results(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    schema: Literal[1]
    implementations: tuple[Judged, ...]

    def as_text(self) -> str:
        """The file as it is written: one rule and one case a line, so that a change is a small one."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"

    def as_markdown(self) -> str:
        """A table in Markdown: implementations × documents."""
        columns = [
            Column(one.name, digest(), one.by_rule(), own_postures(one.postures)) for one in self.implementations
        ]
        return by_implementation(columns)


@cache
def results() -> Results:
    """The results that ship with the kit."""
    return msgspec.json.decode((resources.files("loopspec_known") / NAME).read_bytes(), type=Results)


def judged(
    name: str,
    adapter: str,
    cases: Iterable[Result | CaseLine],
    baseline: Baseline,
    *,
    postures: Postures = MappingProxyType[str, Posture]({}),
) -> Judged:
    """The results of one implementation: what became of its cases, and the reasons in its baseline.

    Rules about instruction files are left out: a tool is judged by those of its own dialect, on a page of its own.
    """
    reasons = {entry.case: entry for entry in baseline.known}
    cases = list(cases)
    differing: dict[tuple[str, str], list[str]] = defaultdict(list)
    for case in cases:
        if case.verdict == "known":
            entry = next(reasons[key] for key in (case.case, *case.rules) if key in reasons)
            differing[entry.reason, entry.link].append(case.case)
    found = {rule: verdict for rule, verdict in verdicts_of_rules(cases).items() if not _is_of_dialects(rule)}
    return Judged(
        name=name,
        adapter=adapter,
        verdicts={
            verdict: rules
            for verdict in VERDICTS
            if verdict != "inapplicable"
            and (rules := tuple(sorted(rule for rule, said in found.items() if said == verdict)))
        },
        differences=tuple(
            Difference(reason, tuple(sorted(cases)), link) for (reason, link), cases in sorted(differing.items())
        ),
        postures=dict(postures),
    )


def _is_of_dialects(rule: str) -> bool:
    row = ledger().rules.get(rule)
    return row is not None and row.document == OF_DIALECTS
