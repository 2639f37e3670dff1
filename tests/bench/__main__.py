"""`python -m tests.bench`: one table of ratios; exit 1 when a budget is not kept."""

from __future__ import annotations

import sys

from . import loading, suites
from .measuring import Row


def main() -> int:
    """Measure and print."""
    rows = [*suites.rows(), *loading.rows()]
    print(f"{'what':38} {'seconds':>10}   {'ratio':>22}  {'budget':>8}  against")
    for row in rows:
        print(_line(row))
    broken = [row for row in rows if not row.kept]
    print("every budget is kept" if not broken else f"{len(broken)} budgets are not kept")
    return 1 if broken else 0


def _line(row: Row) -> str:
    word = "times faster" if row.faster else "times the time"
    ratio = f"{row.ratio:.2f} {word}"
    sign = "≥" if row.faster else "≤"
    budget = "" if row.budget is None else f"{sign} {row.budget:g}"
    mark = "" if row.kept else "  NOT KEPT"
    return f"{row.what:38} {row.ours:10.6f}   {ratio:>22}  {budget:>8}  {row.against}{mark}"


sys.exit(main())
