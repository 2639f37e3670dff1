"""What the suite finds on the implementations with an adapter here: the types of results.json, which ships."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct

from loopspec.contract.axes import Posture, Postures, own_postures
from loopspec.contract.faults import UsageError
from loopspec.contract.specification import adapters_root, digest
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.result import VERDICTS, Result, Verdict
from loopspec.reports.account import verdicts_of_rules
from loopspec.reports.matrix import Column, by_implementation
from loopspec.reports.merging import read_accounts
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger

from .declarations import Known, known_targets

NAME = "results.json"
# The document of the rules that are judged in a dialect of instruction files, and of their variants.
OF_DIALECTS = "tools"
REFERENCE = "conformance/adapters/reference"
# The folder of the adapters in the repository, whose results name it.
_ADAPTERS = "conformance/adapters"


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


def rules_by_verdict(verdicts: Mapping[str, Verdict]) -> dict[Verdict, tuple[str, ...]]:
    """The rules with each verdict, sorted, except for those that are inapplicable."""
    return {
        verdict: rules
        for verdict in VERDICTS
        if verdict != "inapplicable" and (rules := tuple(sorted(r for r, said in verdicts.items() if said == verdict)))
    }


def judged(
    name: str,
    adapter: str,
    cases: Iterable[Result],
    baseline: Baseline,
    postures: Postures = MappingProxyType[str, Posture]({}),
) -> Judged:
    """The results of one implementation: what became of its cases, and the reasons in its baseline.

    Rules about instruction files are left out: a tool is judged by those of its own dialect, on a page of its own.
    """
    reasons = {entry.case: entry for entry in baseline.known}
    of_dialects = {rule for rule, row in ledger().rules.items() if row.document == OF_DIALECTS}
    cases = list(cases)
    differing: dict[tuple[str, str], list[str]] = defaultdict(list)
    for case in cases:
        if case.verdict == "known":
            entry = next(reasons[key] for key in (case.case, *case.rules) if key in reasons)
            differing[entry.reason, entry.link].append(case.case)
    return Judged(
        name=name,
        adapter=adapter,
        verdicts=rules_by_verdict({r: said for r, said in verdicts_of_rules(cases).items() if r not in of_dialects}),
        differences=tuple(
            Difference(reason, tuple(sorted(cases)), link) for (reason, link), cases in sorted(differing.items())
        ),
        postures=dict(postures),
    )


def in_results() -> list[Known]:
    """The known targets of the results page: all that do more than read files or workspaces."""
    return [one for one in known_targets().values() if not set(one.declared.roles) <= {"backend", "workspace"}]


def from_report(report: Path, of: Known | None = None) -> Judged:
    """The results in a report on a known target, or on the reference. Raises `UsageError` for an incomplete report."""
    (found,) = read_accounts([report])
    if found.summary is None:
        raise UsageError(f"the report {report} was cut off: run the suite again")
    baseline = load_baseline(of.baseline, compiled()) if of and of.baseline else Baseline()
    adapter = f"{_ADAPTERS}/{of.folder.relative_to(adapters_root()).as_posix()}" if of else REFERENCE
    return judged(str(found.run.identity), adapter, found.lines, baseline, found.run.postures)


def differences(shipped: Judged, found: Judged) -> Iterator[str]:
    """What differs between two results of one implementation, each as a sentence: versions, postures, rules, cases."""
    if shipped.name != found.name:
        yield f"{found.name} is judged, and the results that ship are those of {shipped.name}"
    for axis in sorted({*shipped.postures, *found.postures}):
        was, is_ = (of.postures[axis].value if axis in of.postures else "not declared" for of in (shipped, found))
        if was != is_:
            yield f"{found.name}: the posture {axis} is {is_}, and {was} in the results that ship"
    before, now = shipped.by_rule(), found.by_rule()
    for rule in sorted({*before, *now}):
        was, is_ = before.get(rule, "inapplicable"), now.get(rule, "inapplicable")
        if was != is_:
            yield f"{found.name}: {rule} is {is_}, and {was} in the results that ship"
    listed, known = ({case for one in of.differences for case in one.cases} for of in (shipped, found))
    for case in sorted(known - listed):
        yield f"{found.name}: {case!r} is a known failure, and is none in the results that ship"
    for case in sorted(listed - known):
        yield f"{found.name}: {case!r} is no known failure, and is one in the results that ship"
