"""`loopspec report`: convert, compare and merge reports."""

from __future__ import annotations

import argparse
import sys

from ...contract.faults import UsageError
from ...engine.counting import counted
from ...engine.output import write_text
from ...reports.diff import diff
from ...reports.forms import forms
from ...reports.jsonl import write_report
from ...reports.merging import merged, read_accounts
from ...reports.terminal import print_summary
from ..command import refuse_same


def report(args: argparse.Namespace) -> int:
    """Write the requested forms, or none if one of them cannot be made."""
    if args.diff:
        return _diff(args)
    requested = {form: asked for form in forms() if (asked := getattr(args, form.name))}
    files = {f"--{form.name}": path for form, path in requested.items() if not form.is_printed} | {
        "--merge": args.merge
    }
    if not (requested or args.merge):
        options = [f"--{form.name}{'' if form.is_printed else ' FILE'}" for form in forms()]
        raise UsageError(f"name an output of the report: {', '.join(['--diff', *options, '--merge FILE'])}")
    accounts = read_accounts(args.reports)
    for form in requested:
        if form.of_one and len(accounts) > 1:
            raise UsageError(f"--{form.name} is about one run: name one report, and not {len(accounts)}")
    refuse_same(files)
    for path in args.reports:
        refuse_same({"the report": path} | files)
    texts = {form: form.text(accounts) for form in requested}
    for form, text in texts.items():
        if form.is_printed:
            print(text, end="")
        else:
            write_text(requested[form], text)
    return _merge(args) if args.merge else 0


def _diff(args: argparse.Namespace) -> int:
    """Print the changes between two reports; return 1 if a case got worse."""
    reports = read_accounts(args.reports)
    if len(reports) != 2:
        raise UsageError(f"--diff compares two reports, the old one first: given are {counted(len(reports), 'report')}")
    found = diff(*reports)
    for line in found.lines():
        print(line)
    return found.exit_code


def _merge(args: argparse.Namespace) -> int:
    """Write the report of the whole run, print the result, and return its exit code."""
    account = merged(args.reports)
    write_report(args.merge, account.written)
    print_summary(account, sys.stdout)
    assert account.summary is not None
    return account.summary.exit_code
