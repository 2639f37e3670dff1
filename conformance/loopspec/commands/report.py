"""`loopspec report`: what reports of runs say, side by side."""

from __future__ import annotations

import argparse

from ..report.matrix import as_markdown, column


def report(args: argparse.Namespace) -> int:
    """Print a table of areas × implementations."""
    print(as_markdown([column(path) for path in args.reports]), end="")
    return 0
