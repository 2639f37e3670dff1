"""`loopspec known`: the known targets, their table, their versions, and their environments in the cache."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from ...contract.faults import TargetUnusable, UsageError
from ...engine.counting import counted
from ...engine.output import must_be_writable, write_text
from ...engine.result import CaseLine
from ...reports.jsonl import RunLine, read_report
from ...reports.judged import differences, from_report, in_results, of_examples
from ...reports.results import Judged, Results, results
from ...reports.versions import VersionSummary, not_driven, summary_of
from ...targets.known import CannotDrive, Known, is_installed, known, known_target, known_targets, remove
from .run import ending_in_order


def known_command(args: argparse.Namespace) -> int:
    """List the known targets, or do what an option says."""
    if args.write and not args.table:
        raise UsageError("--write needs --table")
    if args.remove:
        return _remove(args.remove)
    with ending_in_order():
        if args.summary:
            print(_summary(known(args.summary)).as_text(), end="")
            return 0
        return _table(args.write) if args.table else _list()


def _list() -> int:
    rows = [("NAME", "LANGUAGE", "VERSION", "ROLES", "INSTALLED")]
    for one in known_targets().values():
        there = "yes" if is_installed(one) else "no"
        rows.append((one.name, one.adapter.language, one.pinned, ", ".join(one.declared.roles), there))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _remove(name: str) -> int:
    if name == "all":
        removed = remove()
    else:
        wanted = known(name)
        removed = remove(wanted.folder.name, wanted.version if "@" in name else "")
    print("\n".join([*removed, f"{counted(len(removed), 'environment')} removed."]))
    return 0


def _summary(wanted: Known) -> VersionSummary:
    """The summary of a version. Failures are no news here: every version is judged without a baseline."""
    try:
        with closing(known_target(str(wanted))):
            pass
    except CannotDrive as error:
        return not_driven(wanted, error.reason)
    with tempfile.TemporaryDirectory() as folder:
        nothing, report = Path(folder) / "baseline.toml", Path(folder) / "report.jsonl"
        nothing.write_bytes(b"")
        _judge(str(wanted), report, "--baseline", str(nothing))
        run, *lines = read_report(report)
        assert isinstance(run, RunLine)
        return summary_of(wanted, run, [line for line in lines if isinstance(line, CaseLine)])


def _table(file: Path | None) -> int:
    """Judge the reference and the known targets of the results page, and compare the results with those that ship."""
    if file:
        must_be_writable(file)
    shipped = {one.adapter: one for one in results().implementations}
    found, missing, changed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for wanted in (None, *in_results()):
            try:
                one = _judged(wanted, Path(folder))
            except TargetUnusable as error:
                missing.append(str(error))
                continue
            before = shipped.get(one.adapter)
            if before is None:
                changed.append(f"{one.name} is not in the results that ship")
            elif before.recorded:  # of its examples alone
                one = of_examples(one)
            found.append(one)
            changed += differences(before, one) if before else ()
    all_of_them = Results(1, tuple(found))
    print(all_of_them.as_markdown())
    if file:
        write_text(file, all_of_them.as_text())
    for sentence in (*missing, *changed):
        print(f"loopspec: {sentence}", file=sys.stderr)
    if not missing and not changed:
        print("The results are those that ship with this version of loopspec.")
    return 4 if missing else 1 if changed else 0


def _judged(wanted: Known | None, folder: Path) -> Judged:
    """Judge a known target, or the reference, in the variants that its baseline covers. Raises `TargetUnusable`."""
    report = folder / f"{wanted.name if wanted else 'reference'}.jsonl"
    variants = "all" if wanted is None or wanted.declared.variants else "none"
    _judge(f"known:{wanted.name}" if wanted else "reference", report, "--variants", variants, "-n", "2")
    return from_report(report, wanted)


def _judge(target: str, report: Path, *options: str) -> None:
    """Judge a target in another process, which leaves a whole report. Its output goes to standard error."""
    # -P: a folder named `loopspec` in the current folder, such as the Go kit, is not imported
    words = [sys.executable, "-P", "-m", "loopspec", "run", target, "--quiet", *options, "--report", str(report)]
    print(f"loopspec: judging {target}", file=sys.stderr, flush=True)
    code = subprocess.run(words, stdout=sys.stderr, check=False).returncode
    if code not in (0, 1, 3):
        raise TargetUnusable(f"{target} was not judged: the run ended with exit code {code}")
