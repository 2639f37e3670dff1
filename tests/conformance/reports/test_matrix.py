"""`loopspec report --markdown` compares reports in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopspec.contract.faults import UsageError
from loopspec.contract.specification import VERSION
from loopspec.reports.account import read_account
from loopspec.reports.matrix import Column, as_markdown, as_table

from ..recorded import CASES, every_verdict, recorded, run_of

BASE = Column("one 1.0", "same", {"AMD-CFG-01": "passed", "LOOP-01": "passed", "LOOP-02": "passed", "CFG-01": "passed"})


def test_an_area_that_is_judged_in_two_reports_has_a_row() -> None:
    """Only a pass counts, of the rules that are applicable."""
    other = Column("two", "same", {"LOOP-01": "known", "LOOP-02": "passed", "AMD-CFG-01": "inapplicable"})

    table = as_markdown([BASE, other]).splitlines()

    assert table[0] == "| | rules | one 1.0 | two |"
    assert "| LOOP | 2 · 0 | 2/2 · – | 1/2 · – |" in table
    assert "| **AgentsMD** | 1 · 0 | 1/1 · – | – · – |" in table
    assert not any(line.startswith(("| CFG ", "| AMD-CFG ")) for line in table)


def test_normative_and_advisory_rules_are_counted_separately() -> None:
    one = Column("one", "same", {"LOOP-01": "passed", "LOOP-13": "passed", "CFG-01": "passed"})
    other = Column("two", "same", {"LOOP-01": "passed", "LOOP-13": "known"})
    assert "| LOOP | 1 · 1 | 1/1 · 1/1 | 1/1 · 0/1 |" in as_markdown([one, other])


def test_reports_about_different_features_are_rejected() -> None:
    with pytest.raises(UsageError, match="different features"):
        as_markdown([BASE, Column("two", "other", {})])


@pytest.mark.parametrize("finished", [True, False])
def test_a_report_is_a_column(finished: bool, tmp_path: Path) -> None:
    """With the name of the implementation; a truncated report cannot be compared."""
    recorded(tmp_path / "r", run_of(CASES.values(), version=VERSION), every_verdict(), finished=finished)
    account = read_account(tmp_path / "r")

    if finished:
        assert as_table([account, account]).startswith(f"| | rules | Acting {VERSION} | Acting {VERSION} |\n")
    else:
        with pytest.raises(UsageError, match="was cut off"):
            as_table([account])
