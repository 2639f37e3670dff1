"""`loopspec run` and `loopspec baseline`: run the suite against a target, and update the list of known failures."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from ...contract.dialects import dialect_names, observed_dialect_names
from ...contract.faults import UsageError
from ...contract.specification import is_cached
from ...engine.baseline import Baseline, load_baseline, prune, write_baseline
from ...engine.deadlines import DEFAULT_DEADLINE
from ...engine.in_process import judge_in_process
from ...engine.judge import applies
from ...engine.output import Printed, counted, must_be_writable, write_text
from ...engine.run import SuiteRun, Summary
from ...reports.account import account_of, read_account
from ...reports.jsonl import Report, last_report, open_last_report
from ...reports.progress import Progress
from ...reports.terminal import print_summary
from ...specification.cases import Case
from ...specification.features import compiled
from ...specification.ledger import ledger
from ...specification.selection import Selection, candidates, deselected_by, must_be_some, plan, shard_of
from ...specification.sources import case_named, forms_named
from ...targets.kinds import prepared
from ...targets.resolve import in_dialect, must_be_target, resolve
from ..command import refuse_same

# New objects between two collections: the results stay as well, and the default of 700 finds nothing to free.
_BETWEEN_COLLECTIONS = 10_000

_NOTHING = 5  # the exit code of a run that judged nothing
_WORST = (2, 4, _NOTHING, 1, 3, 0)  # exit codes of several runs: the first one that occurs is that of the command

# Judges the plan of a run, and calls its last argument with the summary.
Judge = Callable[[SuiteRun, Callable[[Summary], None]], Summary]


def run(args: argparse.Namespace) -> int:
    """Run the suite and print the result."""
    with ending_in_order():
        return _run_in_dialects(args) if args.dialect else _leave(*_run(args))


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C: no child process is left, and every file is complete."""
    signals = (signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, signal.default_int_handler) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run_in_dialects(args: argparse.Namespace) -> int:
    """Judge the role workspace in the named dialect, or in each, also as observed; return the worst exit code.

    In each dialect, a file of a run is written once more; `{dialect}` in its name stands for the dialect.
    """
    if args.target is None:
        _refuse_early(args)
    if args.role not in (None, "workspace"):
        raise UsageError(f"--dialect is about the role workspace: leave out --role {args.role}")
    if args.dialect != "all":
        return _leave(*_judged_in_dialect(args, args.dialect))
    files = [each for each in (args.report, args.junit, args.write_baseline, args.baseline) if each is not None]
    if one := next((each for each in files if "{dialect}" not in str(each)), None):
        raise UsageError(f"--dialect all has a run for each dialect: put {{dialect}} into the name of the file {one}")
    codes = []
    for name in (*dialect_names(), *observed_dialect_names()):
        suite_run, summary = _judged_in_dialect(args, name)
        code = _leave(suite_run, summary)
        if not summary.has_nothing_applicable:  # a selection can concern some dialects only
            codes.append(code)
    return next((code for code in _WORST if code in codes), _NOTHING)


def _judged_in_dialect(args: argparse.Namespace, name: str) -> tuple[SuiteRun, Summary]:
    own = argparse.Namespace(**vars(args))
    own.role, own.target, own.deselect = "workspace", in_dialect(args.target, name), list(args.deselect)
    for file in ("report", "junit", "baseline", "write_baseline"):
        if (path := getattr(args, file)) is not None:
            setattr(own, file, Path(str(path).replace("{dialect}", name)))
    return _run(own)


def _run(args: argparse.Namespace) -> tuple[SuiteRun, Summary]:
    _refuse_early(args)
    cases, note, is_named = _planned(args, prepare(args))
    shard = shard_of(args.shard) if args.shard else None
    part = shard.part(cases) if shard else cases
    baseline = load_baseline(args.baseline, compiled()) if args.baseline else Baseline()
    progress = Progress(len(part), sys.stdout, silent=args.quiet)
    progress.begin(args.target, note)
    gc.freeze()  # the plan stays until the end, so collecting it frees nothing
    gc.set_threshold(_BETWEEN_COLLECTIONS)
    with ExitStack() as stack:
        if args.workers:
            from ...engine.workers import Workers, count_of  # imported here, since the usual run needs one process

            all_workers = Workers(args.target, part, args.role, args.timeout, count_of(args.workers))
            workers = stack.enter_context(all_workers)
            target = workers.start()
            judge: Judge = workers.judge
        else:
            target = resolve(args.target)
            judge = partial(_judge_here, progress, args.timeout)
        suite_run = SuiteRun(
            target,
            args.target,
            cases,
            baseline=baseline,
            strict=args.strict,
            role=args.role,
            seed=args.seed,
            shard=shard,
            stop_early=args.stop_early,
            last_failed=args.lf is not None,
            selected=is_named,
            variants=forms_named(tuple(args.variants)),
        )
        progress.expect(lambda: (case.id for case in suite_run.plan if applies(case, target, args.role)))
        summary = _judged(args, suite_run, judge, progress)
    return suite_run, summary


def _refuse_early(args: argparse.Namespace) -> None:
    """Raise usage errors before anything is written."""
    if args.target is None and args.lf and not Path(args.lf).exists():  # `--lf TARGET` took the target as its report
        args.target, args.lf = args.lf, ""
    if args.target is None:
        raise UsageError(
            "name the target: loopspec run reference, py:package.module:factory, cmd:'command line' or known:name"
        )
    must_be_target(args.target)
    written = {"--report": args.report, "--junit": args.junit, "--write-baseline": args.write_baseline}
    for path in filter(None, written.values()):
        must_be_writable(path)
    refuse_same(written)


def prepare(args: argparse.Namespace) -> Mapping[str, str]:
    """Use the baseline and the deadline of the target. Return globs of cases that are not judged, with the reasons."""
    ready = prepared(args.target)
    args.timeout = args.timeout or ready.deadline or DEFAULT_DEADLINE
    args.baseline = args.baseline or ready.baseline
    if ready.note and args.baseline is None and not args.quiet:
        print(ready.note)
    return ready.left_out


def _planned(args: argparse.Namespace, reasons: Mapping[str, str]) -> tuple[list[Case], str, bool]:
    """The selected cases without those of the globs in `reasons`, a remark, and whether the user named something."""
    among, note = _last_failed(args) if args.lf is not None else (None, "")
    named = (args.rule, args.area, args.case, args.deselect)
    selection = Selection(*named, args.role, args.seed, among, args.variants, args.soak, args.generated)
    by_glob = [(case, deselected_by(case, reasons)) for case in plan(candidates(selection), selection, ledger().rules)]
    left = [case for case, glob in by_glob if glob is None]
    must_be_some(left)
    if not args.quiet:
        for reason, count in Counter(reasons[glob] for _, glob in by_glob if glob is not None).items():
            print(f"left out: {counted(count, 'case')}: {reason}")
    return left, note, selection.is_named


def _last_failed(args: argparse.Namespace) -> tuple[set[str] | None, str]:
    """The cases that failed in the last run; None if there are none, so that all are judged."""
    path = Path(args.lf) if args.lf else last_report(args.target, Path.cwd())
    if not args.lf and not is_cached(path):
        return None, "there is no earlier run in this folder, so all are judged"
    failed = {name for name in read_account(path).failed_cases() if case_named(name)}
    return (failed, "the last failures") if failed else (None, "nothing failed in the last run, so all are judged")


def _judge_here(progress: Progress, timeout: float, suite_run: SuiteRun, finish: Callable[[Summary], None]) -> Summary:
    """Judge in this process. What the implementation prints becomes evidence."""
    with Printed() as printed:
        progress.file = printed.terminal
        return judge_in_process(suite_run, timeout, printed, finish)


def _judged(args: argparse.Namespace, suite_run: SuiteRun, judge: Judge, progress: Progress) -> Summary:
    """Judge the plan of a run, and write the requested files during the run."""
    with ExitStack() as stack:
        asked = stack.enter_context(closing(Report(args.report))) if args.report else None
        last = (stack.enter_context(closing(report)) for report in open_last_report(args.target, Path.cwd()))
        reports = [*([asked] if asked else []), *last]
        for report in reports:
            report.begin(suite_run)
            suite_run.watchers.append(report.case)
        suite_run.watchers.append(progress.show)

        def finish(summary: Summary) -> None:
            progress.file = sys.stdout
            progress.end()
            for report in reports:
                report.write(summary)
            account = account_of(suite_run, summary)
            if args.junit:
                from ...reports.junit import as_xml  # imports an XML library

                write_text(args.junit, as_xml(account))
            print_summary(account, sys.stdout, quiet=args.quiet, verbose=args.verbose)
            if asked and asked.problem:  # a problem of the report in the cache is ignored
                print(f"loopspec: {asked.problem}", file=sys.stderr, flush=True)

        summary = judge(suite_run, finish)
    if args.write_baseline:
        _write_baseline(args.write_baseline, suite_run, summary)
    return replace(summary, exit_code=2) if asked and asked.problem else summary


def _write_baseline(path: Path, suite_run: SuiteRun, summary: Summary) -> None:
    """Write the failures, unless the run was incomplete."""
    if not summary.is_whole:
        print(f"{path} is not written: the run did not judge everything.")
        return
    count = write_baseline(path, suite_run.name, suite_run.results.values(), suite_run.baseline)
    print(f"{counted(count, 'failure')} {'is' if count == 1 else 'are'} written to {path}: add a reason to each.")


def prune_baseline(args: argparse.Namespace) -> int:
    """Remove the entries of a baseline whose cases pass."""
    cases = compiled()
    baseline = load_baseline(args.file, cases)
    suite_run = SuiteRun(resolve(args.target), args.target, cases, baseline=baseline)
    with Printed() as printed:
        summary = judge_in_process(suite_run, args.timeout, printed, lambda _: None)
    if summary.exit_code in (4, 5, 130):
        print_summary(account_of(suite_run, summary), sys.stdout, quiet=True)
    else:
        count = prune(args.file, summary.stale)
        print(f"{counted(count, 'stale entry', 'stale entries')} removed from {args.file}.")
        summary = replace(summary, exit_code=0)
    return _leave(suite_run, summary)


def _leave(suite_run: SuiteRun, summary: Summary) -> int:
    """Close the target and return the exit code. An incomplete run ends the process without waiting for threads."""
    cut_short = summary.aborted or summary.interrupted
    if suite_run.target.isolated or not cut_short:
        suite_run.target.close()
    if cut_short:
        sys.stdout.flush()
        os._exit(summary.exit_code)
    return summary.exit_code


def rename_entries(args: argparse.Namespace) -> int:
    """Give the entries of a baseline from an earlier version the new names of their cases; print the removed ones."""
    from ...engine.baseline_text import load_map, rename

    new_names = rename(args.file, load_map(args.map))
    removed = [name for name, new in new_names.items() if not new]
    for name in removed:
        print(f"removed: {name}")
    renamed = counted(len(new_names) - len(removed), "entry", "entries")
    print(f"{renamed} renamed in {args.file}, {len(removed)} removed.")
    return 0
