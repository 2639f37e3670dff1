"""`loopspec report --merge`: merge the reports of shards into the report of the whole run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ...reports.jsonl import write_report
from ...reports.merging import merged
from ...reports.terminal import print_summary


def merge(reports: Sequence[Path], file: Path) -> int:
    """Write the report of the whole run, print the result, and return its exit code."""
    report, suite_run, summary = merged(reports)
    write_report(file, report.lines)
    print_summary(suite_run, summary, sys.stdout)
    return summary.exit_code
