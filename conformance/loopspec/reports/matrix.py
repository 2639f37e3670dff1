"""Several reports in one Markdown table: areas × implementations, or implementations × documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..contract.axes import DIALECT, judged_in, own_postures
from ..contract.faults import UsageError
from ..engine.output import counted
from ..engine.result import CaseLine, Result, Verdict, worst
from ..specification.cases import area_of
from ..specification.ledger import Ledger, deciding, is_normative, ledger
from ..specification.order import documents_in_order, rules_in_order
from .merging import Whole, whole


@dataclass(frozen=True)
class Column:
    """One implementation: its name, the verdict of every rule in its report, and its own postures by axis."""

    name: str
    features: str
    verdicts: Mapping[str, Verdict]
    postures: Mapping[str, str] = field(default_factory=dict)


def column(path: Path) -> Column:
    """The column of a report. Raises `UsageError` for a report that cannot be read or was cut off."""
    (report,) = whole([path])
    return column_of(report)


def column_of(report: Whole) -> Column:
    """The column of the report of a whole run. Raises `UsageError` for a truncated one."""
    run, cases = report.run, report.cases
    if report.summary is None:
        raise UsageError(f"the report {report.paths[0]} was cut off: run the suite again")
    return Column(str(run.identity), run.features, verdicts_of_rules(cases), own_postures(run.postures))


def verdicts_of_rules(cases: Sequence[Result | CaseLine]) -> dict[str, Verdict]:
    """The verdict of each rule: the worst one of the cases that decide."""
    found: dict[str, dict[str, Verdict]] = defaultdict(dict)
    for case in cases:
        for rule in case.rules:
            found[rule][case.case] = case.verdict
    holding = {rule for case in cases for rule in case.holds}
    verdicts: dict[str, Verdict] = dict.fromkeys(holding, "passed")
    for rule, of_cases in found.items():
        verdicts[rule] = worst(of_cases[name] for name in deciding(rule, of_cases))
    return verdicts


def as_markdown(columns: Sequence[Column]) -> str:
    """A table with a row for each document and for each of its areas that several targets are judged by.

    A cell has the passing ones of the judged rules: first the normative ones, then the advisory ones. A line below the
    table has the dialect and the own posture of each implementation that has one.

    Raises `UsageError` for reports about different features.
    """
    book = _shared_ledger(columns)
    lines = [
        "| | rules | " + " | ".join(one.name for one in columns) + " |",
        "| --- | ---: |" + " ---: |" * len(columns),
    ]
    for document, rules in _by_document(columns, book).items():
        lines.append(_row(f"**{book.documents[document]}**", rules, columns))
        by_area: dict[str, list[str]] = defaultdict(list)
        for rule in rules:
            by_area[area_of(rule)].append(rule)
        shared = {area for area, ids in by_area.items() if sum(_judged(one, ids) > 0 for one in columns) > 1}
        lines += [_row(area, ids, columns) for area, ids in by_area.items() if area in shared and len(by_area) > 1]
    own = [f"{one.name} is judged {judged_in(one.postures)}." for one in columns if one.postures]
    return "\n".join([*lines, *(line for each in own for line in ("", each))]) + "\n"


def by_implementation(columns: Sequence[Column]) -> str:
    """A table with a row for each implementation and a column for each document; cells and errors as in `as_markdown`.

    The first row has the number of rules. The first column has the share of them that an implementation is judged by,
    the last one its dialect, and on how many axes it has an own posture.
    """
    book = _shared_ledger(columns)
    by_document = _by_document(columns, book)
    documents = {document: _kinds(rules) for document, rules in by_document.items()}
    every = [rule for rules in by_document.values() for rule in rules]
    lines = [
        "| | judged by | " + " | ".join(book.documents[document] for document in documents) + " | own posture |",
        "| --- |" + " ---: |" * (len(documents) + 2),
        f"| rules | {len(every)} | "
        + " | ".join(" · ".join(str(len(kind)) for kind in kinds) for kinds in documents.values())
        + " | |",
    ]
    for one in columns:
        cells = (" · ".join(_cell(one, kind) for kind in kinds) for kinds in documents.values())
        share = f"{_judged(one, every) / len(every):.0%}"
        lines.append(f"| {one.name} | {share} | " + " | ".join(cells) + f" | {_own(one)} |")
    return "\n".join(lines) + "\n"


def _own(one: Column) -> str:
    """The dialect of an implementation, and on how many axes it has an own posture."""
    parts = [f"dialect {one.postures[DIALECT]}"] if DIALECT in one.postures else []
    if count := len([axis for axis in one.postures if axis != DIALECT]):
        parts.append(f"on {counted(count, 'axis', 'axes')}")
    return ", ".join(parts) or "–"


def _shared_ledger(columns: Sequence[Column]) -> Ledger:
    if len({one.features for one in columns}) > 1:
        raise UsageError("the reports are about different features: run the suite with one version on all targets")
    return ledger()


def _by_document(columns: Sequence[Column], book: Ledger) -> dict[str, list[str]]:
    """The rules that are in any report, in reading order."""
    found: dict[str, list[str]] = {key: [] for key in documents_in_order()}
    for rule in rules_in_order():
        if any(rule in one.verdicts for one in columns):
            found[book.rules[rule].document].append(rule)
    return {key: rules for key, rules in found.items() if rules}


def _row(name: str, rules: Sequence[str], columns: Iterable[Column]) -> str:
    kinds = _kinds(rules)
    counts = " · ".join(str(len(kind)) for kind in kinds)
    cells = (" · ".join(_cell(one, kind) for kind in kinds) for one in columns)
    return f"| {name} | {counts} | " + " | ".join(cells) + " |"


def _kinds(rules: Sequence[str]) -> tuple[list[str], list[str]]:
    """The normative rules, and the advisory ones."""
    normative = [rule for rule in rules if is_normative(rule)]
    return normative, [rule for rule in rules if rule not in normative]


def _judged(one: Column, rules: Iterable[str]) -> int:
    return sum(one.verdicts.get(rule, "inapplicable") != "inapplicable" for rule in rules)


def _cell(one: Column, rules: Sequence[str]) -> str:
    judged = _judged(one, rules)
    passed = sum(one.verdicts.get(rule) == "passed" for rule in rules)
    return f"{passed}/{judged}" if judged else "–"
