"""What the suite finds on the implementations with an adapter here: the types of results.json, which ships."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.axes import Posture, Postures
from loopspec.contract.faults import UsageError
from loopspec.contract.specification import adapters_root
from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.baseline_text import KINDS, Kind
from loopspec.engine.baseline_text import Known as Entry
from loopspec.engine.result import VERDICTS, Result, Verdict
from loopspec.reports.account import Tally, verdicts_of_rules
from loopspec.reports.matrix import row_of, sizes
from loopspec.reports.merging import read_accounts
from loopspec.specification.features import compiled
from loopspec.specification.ledger import is_normative, ledger
from loopspec.specification.order import documents_in_order
from loopspec.specification.sources import charged_rule

from .declarations import Composed, Known, composed, known_targets

NAME = "results.json"
# The document of the rules that are judged in a dialect of instruction files, and of their variants.
OF_DIALECTS = "tools"
REFERENCE = "conformance/adapters/reference"
# The folder of the adapters in the repository, whose results name it.
_ADAPTERS = "conformance/adapters"


class Difference(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why some cases fail, as the baseline of the implementation says: see `loopspec.engine.baseline_text.Known`."""

    reason: str
    cases: tuple[str, ...]
    link: str = ""
    cause: str = ""
    kind: Kind | Literal[""] = ""
    versions: tuple[str, ...] = ()
    thread: str = ""

    def by_rule(self) -> Mapping[str, list[str]]:
        """Its cases by each rule that they are examples of; a variant or an invariant charges its own rule."""
        found: dict[str, list[str]] = defaultdict(list)
        for case in self.cases:
            for rule in rules_of_examples().get(case) or (charged_rule(case),):
                found[rule].append(case)
        return found


class Judged(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An implementation: the rules with each verdict, except for those that are inapplicable, and its differences.

    `adapter` is the folder of its adapter, relative to the folder of the repository. `postures` are by axis, and
    `composed` are the compositions of the adapter.
    """

    name: str
    adapter: str
    verdicts: dict[Verdict, tuple[str, ...]]
    differences: tuple[Difference, ...] = ()
    postures: dict[str, Posture] = {}
    composed: tuple[Composed, ...] = ()

    @property
    def composed_rules(self) -> Set[str]:
        """The rules that pass only because of a documented composition in the adapter."""
        return {rule for one in self.composed for rule in one.rules} & set(self.verdicts.get("passed", ()))

    @property
    def causes(self) -> Mapping[Kind, int]:
        """The number of causes of its differences by kind."""
        return Counter(one.kind for one in self.differences if one.kind)

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

    @property
    def rules(self) -> Set[str]:
        """The rules that any implementation is judged by."""
        return {rule for one in self.implementations for rule in one.by_rule()}

    def of(self, known: Known) -> Judged:
        """The results of a known target. Raises `UsageError` for one that is judged on another page."""
        adapter = _in_repository(known)
        for one in self.implementations:
            if one.adapter == adapter:
                return one
        raise UsageError(f"there are no results of {known.name}: see `loopspec known` for those with the role agent")

    def as_text(self) -> str:
        """The file as it is written: one rule and one case a line, so that a change is a small one."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"

    def as_markdown(self) -> str:
        """A table with a row for each implementation and a column for each document.

        A cell has the passing ones of the judged rules: the normative ones, then the advisory ones. The last columns
        count the rules that only pass because the adapter composes something, and the causes of known differences.
        """
        every = self.rules
        found = {key: [rule for rule in every if ledger().rules[rule].document == key] for key in documents_in_order()}
        documents = {ledger().documents[key]: rules for key, rules in found.items() if rules}
        rows = [
            ["", "judged by", *documents, "composed", "causes"],
            ["---", *["---:"] * (len(documents) + 3)],
            ["rules", str(len(every)), *map(sizes, documents.values()), "", " · ".join(KINDS)],
        ]
        for one in self.implementations:
            verdicts = one.by_rule()
            tallies = (Tally.of((is_normative(rule), verdicts.get(rule)) for rule in of) for of in documents.values())
            causes = " · ".join(str(one.causes.get(kind, 0)) for kind in KINDS) if one.causes else "–"
            cells = (" · ".join(tally.cells) for tally in tallies)
            judged = f"{len(verdicts)} of {len(every)}"
            rows.append([one.name, judged, *cells, str(len(one.composed_rules) or "–"), causes])
        return "".join(f"{row_of(cells)}\n" for cells in rows)


@cache
def results() -> Results:
    """The results that ship with the kit."""
    return msgspec.json.decode((resources.files("loopspec_known") / NAME).read_bytes(), type=Results)


@cache
def rules_of_examples() -> Mapping[str, tuple[str, ...]]:
    """The rules of each example, by its name."""
    return {case.id: case.rule.ids for case in compiled()}


def _in_repository(known: Known) -> str:
    return f"{_ADAPTERS}/{known.folder.relative_to(adapters_root()).as_posix()}"


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
    compositions: tuple[Composed, ...] = (),
) -> Judged:
    """The results of one implementation: what became of its cases, and the reasons in its baseline.

    Rules about instruction files are left out: a tool is judged by those of its own dialect, on a page of its own.
    """
    reasons = {entry.case: entry for entry in baseline.known}
    of_dialects = {rule for rule, row in ledger().rules.items() if row.document == OF_DIALECTS}
    cases = list(cases)
    differing: dict[Difference, list[str]] = defaultdict(list)
    for case in cases:
        if case.verdict == "known":
            entry = next(reasons[key] for key in (case.case, *case.rules) if key in reasons)
            differing[_difference(entry)].append(case.case)
    return Judged(
        name=name,
        adapter=adapter,
        verdicts=rules_by_verdict({r: said for r, said in verdicts_of_rules(cases).items() if r not in of_dialects}),
        differences=tuple(
            replace(one, cases=tuple(sorted(differing[one])))
            for one in sorted(differing, key=lambda one: (one.cause, one.reason))
        ),
        postures=dict(postures),
        composed=compositions,
    )


def _difference(entry: Entry) -> Difference:
    """The difference of an entry, without its cases."""
    return Difference(entry.reason, (), entry.link, entry.cause, entry.kind, entry.versions, entry.thread)


def in_results() -> list[Known]:
    """The known targets of the results page: all that do more than read files or workspaces."""
    return [one for one in known_targets().values() if not set(one.declared.roles) <= {"backend", "workspace"}]


def from_report(report: Path, of: Known | None = None) -> Judged:
    """The results in a report on a known target, or on the reference. Raises `UsageError` for an incomplete report."""
    (found,) = read_accounts([report])
    if found.summary is None:
        raise UsageError(f"the report {report} was cut off: run the suite again")
    baseline = load_baseline(of.baseline, compiled()) if of and of.baseline else Baseline()
    adapter = _in_repository(of) if of else REFERENCE
    compositions = composed(of.folder) if of else ()
    return judged(str(found.run.identity), adapter, found.lines, baseline, found.run.postures, compositions)


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
