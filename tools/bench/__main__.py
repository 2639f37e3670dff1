"""`python -m tools.bench`: a table of ratios; the exit code is 1 if a budget is exceeded, and 2 if a row is missing.

`--short` measures each row once, on little data: its figures say nothing, and no budget counts.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from . import checking, elsewhere, linting, loading, loops, pages, pipes, stores, suites
from .measuring import LeftOut, Row


class Bench(NamedTuple):
    """The function that measures, given whether it is to be short, and the number of its rows."""

    rows: Callable[[bool], Iterable[Row | LeftOut]]
    number: int


BENCHES: Mapping[str, Bench] = {
    "suites": Bench(suites.rows, 7),
    "loading": Bench(loading.rows, 12),
    "loops": Bench(loops.rows, 4),
    "pipes": Bench(pipes.rows, 3),
    "elsewhere": Bench(elsewhere.rows, 2),
    "pages": Bench(pages.rows, 4),
    "checking": Bench(checking.rows, 1),
    "linting": Bench(linting.rows, 6),
    "stores": Bench(stores.rows, 5),
}


def main(arguments: list[str]) -> int:
    """Measure, and print each row as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure ratios of times in one run.")
    parser.add_argument("--short", action="store_true", help="measure once, on little data: only that it works")
    parser.add_argument("bench", nargs="*", metavar="BENCH", help=f"only some of {', '.join(BENCHES)}")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.bench if name not in BENCHES]:
        parser.error(f"there is no bench {unknown[0]!r}: the benches are {', '.join(BENCHES)}")
    print(f"{'what':38} {'seconds':>10}   {'ratio':>22}  {'budget':>8}  against")
    missing, exceeded = 0, 0
    for name in given.bench or BENCHES:
        found = 0
        try:
            for row in BENCHES[name].rows(given.short):
                found += 1
                shown = replace(row, budget=None) if isinstance(row, Row) and given.short else row
                exceeded += isinstance(shown, Row) and not shown.is_within
                print(shown.line(), flush=True)
        except Exception:  # the other benches are measured; the exit code says that rows are missing
            traceback.print_exc()
        if found != BENCHES[name].number:
            missing += BENCHES[name].number - found
            print(f"{name}: {found} rows of {BENCHES[name].number}")
    if missing:
        print(f"{missing} rows are missing")
        return 2
    if given.short:
        print("every row was measured once, on little data")
        return 0
    print(f"{exceeded} budgets are exceeded" if exceeded else "every ratio is within its budget")
    return 1 if exceeded else 0


sys.exit(main(sys.argv[1:]))
