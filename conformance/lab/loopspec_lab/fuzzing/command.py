"""`loopspec fuzz`: generated scenes on two targets, and what differs."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from contextlib import ExitStack, closing
from typing import IO, NoReturn

from loopspec.cli.commands.run import ending_in_order
from loopspec.contract.axes import DIALECT, value_on
from loopspec.contract.dialects import DEFAULT_DIALECT
from loopspec.contract.faults import UsageError
from loopspec.contract.target import Target
from loopspec.engine.deadlines import Watchdog, longest
from loopspec.engine.output import Printed, counted, must_be_writable
from loopspec.reports.jsonl import Report
from loopspec.reports.markdown import visible
from loopspec.targets.resolve import in_dialect, must_be_target, resolve

from ..comparing.postured import related
from .known import KnownDifferences, load_known
from .printing import lines_of, lines_of_postures, scenario_of
from .report import BeginLine, DifferenceLine, EndLine
from .scenes import generated
from .search import Finding, Search


def fuzz(args: argparse.Namespace) -> int:
    """Search until the time is over, and print each new difference."""
    for name in (args.target, args.other):
        must_be_target(name)
    if args.dialect:
        if args.role not in (None, "workspace"):
            raise UsageError(f"--dialect is for the role workspace, and --role names {args.role}")
        args.role = "workspace"
        args.target, args.other = (in_dialect(name, args.dialect) for name in (args.target, args.other))
    known = load_known(args.known) if args.known else KnownDifferences()
    if args.report:
        must_be_writable(args.report)
    with ending_in_order():
        return _Run(args, known).code()


def _in_the_dialect_of(ours: Target, other: str) -> str:
    """The other target; the reference, which has every dialect, in the one that the target declares."""
    declared = value_on(DIALECT, ours.postures)
    return in_dialect(other, declared) if other == "reference" and declared != DEFAULT_DIALECT else other


class _Run:
    """One search, with what is printed and written about it."""

    def __init__(self, args: argparse.Namespace, known: KnownDifferences) -> None:
        self._args = args
        self._known = known
        self._out: IO[str] = sys.stdout
        self._report: Report | None = None

    def code(self) -> int:
        """Search, and return the exit code. Both targets are closed afterward."""
        args = self._args
        with ExitStack() as stack:
            ours = stack.enter_context(closing(resolve(args.target)))
            args.other = _in_the_dialect_of(ours, args.other)
            theirs = stack.enter_context(closing(resolve(args.other)))
            # raises a usage error for targets that have nothing in common
            generated(args.role)(ours, theirs)
            search = Search(ours, theirs, args.seconds, args.seed, self._known, args.timeout, only=args.role)
            printed = stack.enter_context(Printed())
            self._out = printed.terminal
            watchdog = stack.enter_context(Watchdog(self._give_up))
            limit = longest(args.timeout, ours.isolated or theirs.isolated)

            search.guard = lambda: watchdog.within(limit, search)
            return self._end(search, self._searched(search, stack))

    def _begin(self, search: Search, stack: ExitStack) -> None:
        args = self._args
        one, other = search.ours.identity, search.theirs.identity
        self._say(f"{one} and {other}: generated scenes for {args.seconds:g} s, seed {args.seed}")
        self._say(*lines_of_postures(search.ours.postures, search.theirs.postures), "")
        if args.report:
            self._report = stack.enter_context(closing(Report(args.report)))
            self._write(BeginLine(args.target, args.other, (one, other), args.seed, args.seconds))

    def _searched(self, search: Search, stack: ExitStack) -> bool:
        """Print the findings as they come; return whether Ctrl-C ended the search."""

        def stop(number: int, frame: object) -> None:
            # an exception here could be caught by the implementation that is performing a scene
            if search.stopped:
                raise KeyboardInterrupt
            search.stopped = True

        try:
            if threading.current_thread() is threading.main_thread():
                for one in (signal.SIGINT, signal.SIGTERM):
                    stack.callback(signal.signal, one, signal.signal(one, stop))
            self._begin(search, stack)
            for finding in search.findings():
                self._show(search, finding)
                of_scene = related(finding.performed.scene, search.ours.postures, search.theirs.postures)
                if self._args.stop_early and not of_scene:
                    search.ended_early = search.ended_early or "-x stops it after the first new difference"
                    break
        except KeyboardInterrupt:
            return True
        return False

    def _show(self, search: Search, finding: Finding) -> None:
        number = len(search.found)
        seed = self._args.seed
        self._say(*lines_of(finding, number, seed, search.ours, search.theirs))
        if self._report:
            others = tuple(one for one in finding.performed.found if one != finding.difference)
            scenario = scenario_of(finding, f"Difference {number} of seed {seed}").scenario
            self._write(
                DifferenceLine(
                    number,
                    str(finding.difference.kind),
                    finding.difference,
                    others,
                    finding.performed.scene,
                    scenario,
                    finding.repeats,
                )
            )

    def _end(self, search: Search, interrupted: bool) -> int:
        found = len(search.found)
        known = sum(search.passed_over.values())
        if interrupted:
            self._say("interrupted")
        if search.ended_early:
            self._say(f"the search ended early: {search.ended_early}")
        self._say(f"{counted(search.performed, 'scene')}, {counted(found, 'new difference')}, {known} known.")
        for at, count in sorted(search.passed_over.items()):
            self._say(f"  {count} × {self._known.difference[at].reason}")
        if self._report:
            of_entries = {at + 1: count for at, count in sorted(search.passed_over.items())}
            self._write(EndLine(search.performed, found, of_entries, interrupted, search.ended_early))
        if interrupted:
            return 130
        return 1 if found else 0

    def _write(self, line: BeginLine | DifferenceLine | EndLine) -> None:
        """Write a line of the report, if there is one. Raises `UsageError` if the disk does not take it."""
        if self._report:
            self._report.write(line)
            if self._report.problem:
                raise UsageError(self._report.problem)

    def _give_up(self, search: Search) -> NoReturn:
        """End the process: a target hangs, and cannot be interrupted."""
        search.ended_early = f"a target did not return within {self._args.timeout:g} s, and cannot be interrupted"
        self._end(search, interrupted=False)
        self._out.flush()
        os._exit(4)

    def _say(self, *lines: str) -> None:
        for line in lines:
            print(*(visible(part) for part in line.split("\n")), sep="\n", file=self._out, flush=True)
