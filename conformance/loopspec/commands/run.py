"""`loopspec run` and `loopspec baseline prune`: the suite against a target."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from msgspec.structs import replace

from ..baseline import Baseline, load_baseline, prune, write_baseline
from ..cases import compiled
from ..contract.faults import UsageError
from ..ledger import ledger
from ..planning import Selection, plan
from ..pytesting import judge_all
from ..report.jsonl import Report
from ..report.junit import write_junit
from ..report.terminal import print_summary
from ..running import Running, Summary
from ..targets.resolve import resolve


def run(args: argparse.Namespace) -> int:
    """Run the suite and say what came of it."""
    for path in (args.report, args.junit, args.write_baseline):
        if path:
            _must_be_writable(path)
    running = _running(args)
    report = Report(args.report) if args.report else None
    if report:
        report.begin(running)
        running.watchers.append(report.case)

    def finish(summary: Summary) -> None:
        if report:
            report.end(summary)
        if args.junit:
            write_junit(args.junit, running)
        print_summary(running, summary, sys.stdout, quiet=args.quiet)

    try:
        summary = judge_all(running, args.timeout, show_progress=not args.quiet, finish=finish)
    finally:
        if report:
            report.close()
    if args.write_baseline:
        count = write_baseline(args.write_baseline, running.name, running.results.values(), running.baseline)
        print(f"{count} failures are written to {args.write_baseline}: give each its reason.")
    return _leave(running, summary)


def prune_baseline(args: argparse.Namespace) -> int:
    """Take the entries that pass now out of a baseline."""
    cases = compiled()
    baseline = load_baseline(args.file, cases)
    running = Running(resolve(args.target), args.target, cases, baseline=baseline)
    summary = judge_all(running, args.timeout, finish=lambda _: None)
    if summary.exit_code in (4, 5, 130):
        print_summary(running, summary, sys.stdout, quiet=True)
    else:
        stale = [known.case for known in running.baseline.known if _is_stale(known.case, running)]
        print(f"{prune(args.file, stale)} stale entries are gone from {args.file}.")
        summary = replace(summary, exit_code=0)
    return _leave(running, summary)


def _is_stale(name: str, running: Running) -> bool:
    """Whether nothing that an entry names fails any more."""
    named = [result for result in running.results.values() if name in (result.case, *result.rules)]
    return all(result.verdict == "stale" for result in named)


def _running(args: argparse.Namespace) -> Running:
    cases = compiled()
    selection = Selection(args.rule, args.area, args.case, args.deselect, args.role, args.seed)
    chosen = plan(cases, selection, ledger().rules)
    baseline = load_baseline(args.baseline, cases) if args.baseline else Baseline()
    return Running(
        resolve(args.target),
        args.target,
        chosen,
        baseline=baseline,
        strict=args.strict,
        role=args.role,
        seed=args.seed,
    )


def _must_be_writable(path: Path) -> None:
    """Find out before the run, not after it; what is there stays, and what is not there does not come."""
    was_there = path.exists()
    try:
        path.open("a").close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    if not was_there:
        path.unlink()


def _leave(running: Running, summary: Summary) -> int:
    """Close the target and return the exit code; of one that was cut short, no thread is waited for."""
    if summary.aborted or summary.interrupted:
        sys.stdout.flush()
        os._exit(summary.exit_code)
    running.target.close()
    return summary.exit_code
