"""`python -m tests.bench`: one table of ratios; exit 1 when a budget is not kept."""

from __future__ import annotations

import sys

from . import elsewhere, loading, loops, pages, pipes, suites


def main() -> int:
    """Measure and print."""
    rows = [*suites.rows(), *loading.rows(), *loops.rows(), *pipes.rows(), *elsewhere.rows(), *pages.rows()]
    print(f"{'what':38} {'seconds':>10}   {'ratio':>22}  {'budget':>8}  against")
    for row in rows:
        print(row.line())
    broken = [row for row in rows if not row.kept]
    print("every budget is kept" if not broken else f"{len(broken)} budgets are not kept")
    return 1 if broken else 0


sys.exit(main())
