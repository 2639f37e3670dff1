"""`loopspec report`: convert and compare reports."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from ...contract.faults import UsageError
from ...engine.output import counted, write_text
from ...reports.account import Account
from ...reports.diff import diff
from ...reports.junit import write_junit
from ...reports.matrix import as_markdown, column_of
from ...reports.merging import Whole, whole
from ...reports.messages import write_messages
from ...reports.summary import write_summary
from .merging import merge
from .outputs import refuse_same

# the outputs of one report, by option
_OF_ONE: dict[str, Callable[[Path, Account], None]] = {
    "junit": write_junit,
    "summary": write_summary,
    "messages": write_messages,
}


def report(args: argparse.Namespace) -> int:
    """Write the requested outputs, or none if one of them cannot be written."""
    if args.diff:
        return _diff(args)
    forms = (*_OF_ONE, "html", "merge")
    asked = {option: path for option in forms if (path := getattr(args, option))}
    if not (asked or args.markdown):
        options = ", ".join(["--diff", "--markdown", *(f"--{option} FILE" for option in forms)])
        raise UsageError(f"name an output of the report: {options}")
    of_one = [option for option in asked if option in _OF_ONE]
    reports = whole(args.reports)
    if of_one and len(reports) > 1:
        raise UsageError(f"--{of_one[0]} is about one run: name one report, and not {len(reports)}")
    refuse_same({f"--{option}": path for option, path in asked.items()})
    for path in args.reports:
        refuse_same({"the report": path} | {f"--{option}": written for option, written in asked.items()})
    table = as_markdown([column_of(each) for each in reports]) if args.markdown else ""
    page = _page(reports) if args.html else ""
    for option in of_one:
        _OF_ONE[option](asked[option], reports[0].account)
    if args.html:
        write_text(args.html, page)
    print(table, end="")
    return merge(args.reports, args.merge) if args.merge else 0


def _diff(args: argparse.Namespace) -> int:
    """Print the changes between two reports; return 1 if a case got worse."""
    reports = whole(args.reports)
    if len(reports) != 2:
        raise UsageError(f"--diff compares two reports, the old one first: given are {counted(len(reports), 'report')}")
    found = diff(*reports)
    for line in found.lines():
        print(line)
    return found.exit_code


def _page(reports: Sequence[Whole]) -> str:
    from ...pages.report import render  # imported here, since the page takes time to import

    return render(reports)
