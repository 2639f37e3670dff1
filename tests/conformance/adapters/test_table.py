"""The results that ship are those of today's features."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from loopspec.cli import main
from loopspec.specification.cases import SEPARATOR
from loopspec.specification.ledger import ledger
from loopspec_known.declarations import known
from loopspec_known.results import Judged as Results
from loopspec_known.results import differences, from_report, results

from .judged import Judged

pytestmark = pytest.mark.long


def test_the_results_that_ship_match_the_reports(langchain: Judged, eino: Judged, tmp_path: Path) -> None:
    """On examples: these runs are without variants."""
    reference = tmp_path / "reference.jsonl"
    assert main(["run", "reference", "--quiet", "--report", str(reference)]) == 0
    reports = [(None, reference), (known("langchain"), langchain.report), (known("eino"), eino.report)]
    shipped = {one.adapter: one for one in results().implementations}

    for of, report in reports:
        found = from_report(report, of)
        assert [*differences(of_examples(shipped[found.adapter]), of_examples(found))] == []


def of_examples(one: Results) -> Results:
    """The results apart from variants and invariants."""
    rows = ledger().rules
    verdicts = {
        verdict: tuple(rule for rule in rules if rows[rule].status == "scenario")
        for verdict, rules in one.verdicts.items()
    }
    own = [replace(each, cases=tuple(case for case in each.cases if SEPARATOR not in case)) for each in one.differences]
    return replace(
        one,
        verdicts={verdict: rules for verdict, rules in verdicts.items() if rules},
        differences=tuple(each for each in own if each.cases),
    )
