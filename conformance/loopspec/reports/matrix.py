"""Several reports in one Markdown table: areas × implementations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..contract.axes import judged_in, own_postures
from ..contract.faults import UsageError
from ..engine.result import Verdict
from ..specification.cases import area_of
from ..specification.ledger import Ledger, is_normative, ledger
from ..specification.order import documents_in_order, rules_in_order
from .account import Account, Tally, verdicts_of_rules


@dataclass(frozen=True)
class Column:
    """One implementation: its name, the verdict of every rule in its report, and its own postures by axis."""

    name: str
    features: str
    verdicts: Mapping[str, Verdict]
    postures: Mapping[str, str] = field(default_factory=dict)

    def tally(self, rules: Iterable[str]) -> Tally:
        """How many of these rules it passes."""
        return Tally.of((is_normative(rule), self.verdicts.get(rule)) for rule in rules)

    def count(self, rules: Iterable[str]) -> int:
        """How many of these rules it was judged by."""
        return sum(judged for _, judged in self.tally(rules))


def as_table(accounts: Sequence[Account]) -> str:
    """The table of reports. Raises `UsageError` for a truncated one, and for reports about different features."""
    columns = []
    for account in accounts:
        run = account.run
        if account.summary is None:
            raise UsageError(f"the report {account.paths[0]} was cut off: run the suite again")
        verdicts = verdicts_of_rules(account.lines)
        columns.append(Column(account.name, run.features, verdicts, own_postures(run.postures)))
    return as_markdown(columns)


def as_markdown(columns: Sequence[Column]) -> str:
    """A table with a row for each document and for each of its areas that several targets are judged by.

    A cell has the passing ones of the judged rules: first the normative ones, then the advisory ones. A line below the
    table has the dialect and the own posture of each implementation that has one.

    Raises `UsageError` for reports about different features.
    """
    if len({one.features for one in columns}) > 1:
        raise UsageError("the reports are about different features: run the suite with one version on all targets")
    book = ledger()
    lines = [row_of(["", "rules", *(one.name for one in columns)]), row_of(["---", "---:", *["---:"] * len(columns)])]
    for document, rules in _by_document(columns, book).items():
        lines.append(_row(f"**{book.documents[document]}**", rules, columns))
        by_area: dict[str, list[str]] = defaultdict(list)
        for rule in rules:
            by_area[area_of(rule)].append(rule)
        shared = {area for area, ids in by_area.items() if sum(one.count(ids) > 0 for one in columns) > 1}
        lines += [_row(area, ids, columns) for area, ids in by_area.items() if area in shared and len(by_area) > 1]
    own = [f"{one.name} is judged {judged_in(one.postures)}." for one in columns if one.postures]
    return "\n".join([*lines, *(line for each in own for line in ("", each))]) + "\n"


def _by_document(columns: Sequence[Column], book: Ledger) -> dict[str, list[str]]:
    """The rules that are in any report, in reading order."""
    found: dict[str, list[str]] = {key: [] for key in documents_in_order()}
    for rule in rules_in_order():
        if any(rule in one.verdicts for one in columns):
            found[book.rules[rule].document].append(rule)
    return {key: rules for key, rules in found.items() if rules}


def _row(name: str, rules: Sequence[str], columns: Iterable[Column]) -> str:
    return row_of([name, sizes(rules), *(" · ".join(one.tally(rules).cells) for one in columns)])


def sizes(rules: Sequence[str]) -> str:
    """The number of normative rules, and that of advisory ones."""
    normative = sum(map(is_normative, rules))
    return f"{normative} · {len(rules) - normative}"


def row_of(cells: Iterable[str]) -> str:
    """A row of a Markdown table."""
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)
