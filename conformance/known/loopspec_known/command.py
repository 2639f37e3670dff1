"""`loopspec known`: the known targets, their table, their versions, and their environments in the cache."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from loopspec.cli.commands.run import ending_in_order
from loopspec.contract.faults import UsageError
from loopspec.contract.specification import digest, is_cached
from loopspec.engine.output import counted
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import RunLine, read_report

from . import table as known_table
from .assessment import assessment
from .declarations import Known, known, known_targets
from .environments import environment_of, installed, remove
from .results import results
from .target import CannotDrive, known_target
from .versions import VersionSummary, summary_of
from .witnesses import Shown, Witness, packages_in, perform, witnesses


def known_command(args: argparse.Namespace) -> int:
    """List the known targets, or do what an option says."""
    if args.write and not args.table:
        raise UsageError("--write needs --table")
    if args.remove:
        return _remove(args.remove)
    with ending_in_order():
        if args.witness:
            return _witness(known(args.witness[0]), args.witness[1:])
        if args.assessment:
            print(assessment(known(args.assessment), results()), end="")
            return 0
        if args.summary:
            print(_summary(known(args.summary)).as_text(), end="")
            return 0
        return known_table.known_table(args.write) if args.table else _list()


def _list() -> int:
    rows = [("NAME", "LANGUAGE", "VERSION", "ROLES", "INSTALLED")]
    for one in known_targets().values():
        there = "yes" if is_cached(environment_of(one)) else "no"
        rows.append((one.name, one.adapter.language, one.pinned, ", ".join(one.declared.roles), there))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _remove(name: str) -> int:
    if name == "all":
        removed = remove()
        known_table.remove_reports()
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
        return VersionSummary(1, wanted.name, wanted.version, digest(), error.reason)
    with tempfile.TemporaryDirectory() as folder:
        nothing, report = Path(folder) / "baseline.toml", Path(folder) / "report.jsonl"
        nothing.write_bytes(b"")
        known_table.judge(str(wanted), report, "--baseline", str(nothing))
        run, *lines = read_report(report)
        assert isinstance(run, RunLine)
        return summary_of(wanted, run, [line for line in lines if isinstance(line, CaseLine)])


def _witness(wanted: Known, causes: Sequence[str]) -> int:
    """Perform witnesses, and say of each what it shows; of a single one, with what it prints."""
    found = witnesses(wanted, causes)
    if not found:
        raise UsageError(f"{wanted.name} has no known difference with a witness")
    shown = perform(wanted, found, packages_in(wanted, installed(wanted)))
    others = 0
    for witness, one in zip(found, shown, strict=True):
        confirms = one.confirms(witness)
        others += not confirms
        print(f"{one.cause}: {'as it says' if confirms else 'something else'}")
        if causes or not confirms:
            print("\n".join(_described(witness, one)))
    noun = counted(len(found), "witness", "witnesses")
    print(f"{noun} of {wanted}: {f'{others} of them did not print' if others else 'all printed'} what their files say.")
    return 1 if others else 0


def _described(witness: Witness, shown: Shown) -> Iterator[str]:
    """The cause, where it is found, and the output."""
    entry = witness.entry
    yield from (f"  {line}" for line in (entry.reason, entry.link, entry.thread, str(witness.path)) if line)
    yield from (f"  | {line}" for line in shown.output.rstrip("\n").split("\n"))
    if shown.errors:
        yield from (f"  ! {line}" for line in shown.errors.rstrip("\n").split("\n")[-20:])
