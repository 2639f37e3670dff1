"""The table of results in README."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from loopspec.cli import main

from .judged import ADAPTERS, Judged

pytestmark = pytest.mark.long


def test_the_table_in_readme_matches_the_reports(langchain: Judged, eino: Judged, tmp_path: Path) -> None:
    """The table is generated from reports, not written by hand."""
    reference = tmp_path / "reference.jsonl"
    assert main(["run", "reference", "--quiet", "--report", str(reference)]) == 0
    reports = [reference, langchain.report, eino.report]
    compared = [sys.executable, "-m", "tests.table", "--check", *map(str, reports)]
    ran = subprocess.run(compared, cwd=ADAPTERS.parents[1], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
