"""`python -m tests.bench`: a table of ratios; the exit code is 1 if a budget is exceeded."""

from __future__ import annotations

import sys

from . import elsewhere, linting, loading, loops, pages, pipes, stores, suites


def main() -> int:
    """Measure and print."""
    rows = [
        *suites.rows(),
        *loading.rows(),
        *loops.rows(),
        *pipes.rows(),
        *elsewhere.rows(),
        *pages.rows(),
        *linting.rows(),
        *stores.rows(),
    ]
    print(f"{'what':38} {'seconds':>10}   {'ratio':>22}  {'budget':>8}  against")
    for row in rows:
        print(row.line())
    broken = [row for row in rows if not row.is_within]
    print("every ratio is within its budget" if not broken else f"{len(broken)} budgets are exceeded")
    return 1 if broken else 0


sys.exit(main())
