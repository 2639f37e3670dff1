"""`loopspec check`: what is wrong with stored histories."""

from __future__ import annotations

import argparse
import json
import sys


def check(args: argparse.Namespace) -> int:
    """Print the findings as they are found, and then their sum. Return 1 if there are any."""
    from loopspec.contract.faults import UsageError
    from loopspec.contract.names import did_you_mean
    from loopspec.engine.output import print_no_more
    from loopspec.reports.sarif import Object, sarif

    from .checking import check_paths
    from .formats import FORMATS
    from .printing import Sum, as_json, as_sarif, as_text
    from .rules import known

    for name, names in ((args.format, FORMATS), *((name, known().providers) for name in args.provider)):
        if name and name not in names:
            raise UsageError(f"there is no {name!r}{did_you_mean(name, names, 'one of ' + ', '.join(names))}")
    total = Sum()
    results: list[Object] = []
    try:
        for checked in check_paths(args.paths, FORMATS.get(args.format), args.provider):
            total.add(checked)
            if args.sarif:
                results += as_sarif(checked)
            else:
                for line in as_json(checked) if args.json else as_text(checked, quote=args.quote):
                    print(line, flush=True)
            if not checked.is_session and total.files % 100 == 0 and sys.stderr.isatty():
                print(f"\r{total.files} files", end="\r", file=sys.stderr, flush=True)
        if args.sarif:
            print(json.dumps(sarif(known().rules, results), indent=2))
        elif not args.json:
            print("\n".join(total.lines()), flush=True)
    except BrokenPipeError:  # the reader has left; the exit code is still that of the findings
        print_no_more()
    return 1 if total.rules else 0
