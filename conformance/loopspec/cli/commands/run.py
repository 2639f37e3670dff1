"""`loopspec run` and `loopspec baseline prune`: the suite against a target."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from ...contract.faults import UsageError
from ...engine.baseline import Baseline, load_baseline, prune, write_baseline
from ...engine.run import Running, Summary
from ...pytest_plugin.pytesting import divided, judge_all
from ...reports.account import account_of
from ...reports.jsonl import Report
from ...reports.junit import write_junit
from ...reports.terminal import print_summary
from ...specification.cases import compiled
from ...specification.ledger import ledger
from ...specification.selection import Selection, plan
from ...specification.shards import shard_of
from ...targets.resolve import resolve
from .outputs import refuse_same


def run(args: argparse.Namespace) -> int:
    """Run the suite and say what came of it."""
    with _ending_in_order():
        return _run(args)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let who is asked to end do as at Ctrl-C: no child is left, and what is written is whole."""
    signals = (signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, signal.default_int_handler) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(args: argparse.Namespace) -> int:
    _refuse_early(args)
    running = _running(args)
    report = Report(args.report) if args.report else None
    if report:
        report.begin(running)
        running.watchers.append(report.case)

    def finish(summary: Summary) -> None:
        if report:
            report.end(summary)
        if args.junit:
            write_junit(args.junit, account_of(running, summary))
        print_summary(running, summary, sys.stdout, quiet=args.quiet)
        if report and report.problem:
            print(f"loopspec: {report.problem}", file=sys.stderr, flush=True)

    try:
        summary = judge_all(running, args.timeout, workers=args.workers, show_progress=not args.quiet, finish=finish)
    finally:
        if report:
            report.close()
    if args.write_baseline:
        _write_baseline(args.write_baseline, running, summary)
    code = _leave(running, summary)
    return 2 if report and report.problem else code


def _refuse_early(args: argparse.Namespace) -> None:
    """Find out what cannot be done before anything is written."""
    if args.workers:
        divided(args.workers)
    written = {"--report": args.report, "--junit": args.junit, "--write-baseline": args.write_baseline}
    for path in filter(None, written.values()):
        _must_be_writable(path)
    refuse_same(written)


def _write_baseline(path: Path, running: Running, summary: Summary) -> None:
    """Write the failures, unless the run was cut short: it does not know them all."""
    if summary.aborted or summary.interrupted:
        print(f"{path} is not written: the run did not come to its end.")
        return
    count = write_baseline(path, running.name, running.results.values(), running.baseline)
    print(f"{count} failures are written to {path}: give each its reason.")


def prune_baseline(args: argparse.Namespace) -> int:
    """Take the entries that pass now out of a baseline."""
    cases = compiled()
    baseline = load_baseline(args.file, cases)
    running = Running(resolve(args.target), args.target, cases, baseline=baseline)
    summary = judge_all(running, args.timeout, finish=lambda _: None)
    if summary.exit_code in (4, 5, 130):
        print_summary(running, summary, sys.stdout, quiet=True)
    else:
        print(f"{prune(args.file, summary.stale)} stale entries are gone from {args.file}.")
        summary = replace(summary, exit_code=0)
    return _leave(running, summary)


def _running(args: argparse.Namespace) -> Running:
    shard = shard_of(args.shard) if args.shard else None
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
        shard=shard,
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
    cut_short = summary.aborted or summary.interrupted
    if running.target.isolated or not cut_short:
        running.target.close()
    if cut_short:
        sys.stdout.flush()
        os._exit(summary.exit_code)
    return summary.exit_code
