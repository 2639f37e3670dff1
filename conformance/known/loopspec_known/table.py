"""`loopspec known --table`: the results page, judged again and compared with the results that ship."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from loopspec.contract.faults import TargetUnusable
from loopspec.engine.output import must_be_writable, write_text

from .judged import differences, from_report, in_results
from .kept import KeptReports, remove_reports
from .results import Judged, Results, results
from .targets import Known, ProgramMissing, installed

# Seconds for one case. Runs of more than a hundred model calls over a pipe exceed the default on a busy machine.
_DEADLINE = "60"


@dataclass
class _Table:
    """The results so far, and a sentence for each target that needs a missing program, is unusable, or differs."""

    found: list[Judged] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)
    unusable: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)


def known_table(file: Path | None) -> int:
    """Judge the reference and the known targets of the results page, and compare the results with those that ship.

    A target that cannot be judged does not stop the command. The reports of an incomplete table stay in the cache, and
    the next table judges only the other targets.
    """
    if file:
        must_be_writable(file)
    table, kept = _Table(), KeptReports()
    with tempfile.TemporaryDirectory() as folder:
        for wanted in (None, *in_results()):
            try:
                one = _judged(wanted, Path(folder), kept)
            except ProgramMissing as error:
                table.not_judged.append(f"{wanted} is not judged: {error.program} is not on PATH")
            except TargetUnusable as error:
                table.unusable.append(str(error))
            else:
                _take(table, one)
    if not table.unusable:
        remove_reports()
    all_of_them = Results(1, tuple(table.found))
    print(all_of_them.as_markdown())
    if file:
        write_text(file, all_of_them.as_text())
    return _end(table)


def _judged(wanted: Known | None, folder: Path, kept: KeptReports) -> Judged:
    """The results of a known target, or of the reference, in the variants that its baseline covers.

    Raises `TargetUnusable`.
    """
    target = f"known:{wanted.name}" if wanted else "reference"
    if report := kept.find(wanted):
        _say(f"{target} is already judged: its report is in the cache")
        return from_report(report, wanted)
    if wanted:
        installed(wanted)  # in this process, for the sentence of a failed installation
    _say(f"judging {target}")
    report = folder / f"{wanted.name if wanted else 'reference'}.jsonl"
    variants = "all" if wanted is None or wanted.declared.variants else "none"
    judge(target, report, "--variants", variants, "-n", "2", "--timeout", _DEADLINE)
    kept.keep(wanted, report)
    return from_report(report, wanted)


def _take(table: _Table, one: Judged) -> None:
    before = next((each for each in results().implementations if each.adapter == one.adapter), None)
    if before is None:
        table.changed.append(f"{one.name} is not in the results that ship")
    table.found.append(one)
    table.changed += differences(before, one) if before else ()


def _end(table: _Table) -> int:
    """Print what the table lacks and what differs, and return the exit code."""
    for sentence in (*table.not_judged, *table.unusable, *table.changed):
        _say(sentence)
    if not table.changed:
        what = "The results in the table" if table.not_judged or table.unusable else "The results"
        print(f"{what} are those that ship with this version of loopspec.")
    return 4 if table.unusable else 1 if table.changed else 0


def judge(target: str, report: Path, *options: str) -> None:
    """Judge a target in another process, which leaves a complete report. Its output goes to standard error.

    Raises `TargetUnusable` if the run judges nothing or does not end by itself.
    """
    # -P: a folder named `loopspec` in the current folder, such as the Go kit, is not imported
    words = [sys.executable, "-P", "-m", "loopspec", "run", target, "--quiet", *options, "--report", str(report)]
    # A session of its own: Ctrl-C reaches this process alone, which then ends the other one once and in order.
    process = subprocess.Popen(words, stdout=sys.stderr, start_new_session=True)
    try:
        code = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if code not in (0, 1, 3):
        raise TargetUnusable(f"{target} was not judged: the run ended with exit code {code}")


def _say(sentence: str) -> None:
    print(f"loopspec: {sentence}", file=sys.stderr, flush=True)
