"""`loopspec fuzz`: generated scenes on two targets, and what differs."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from contextlib import AbstractContextManager, ExitStack
from typing import IO, TYPE_CHECKING, NoReturn

from loopspec.cli.commands.run import ending_in_order
from loopspec.contract.axes import DIALECT, value_on
from loopspec.contract.dialects import DEFAULT_DIALECT
from loopspec.contract.faults import UsageError
from loopspec.contract.target import Target
from loopspec.engine.deadlines import Watchdog, longest
from loopspec.engine.output import Printed, counted, must_be_writable
from loopspec.reports.markdown import visible
from loopspec.targets.resolve import in_dialect, must_be_target, resolve

if TYPE_CHECKING:
    from .known import KnownDifferences
    from .report import FuzzReport
    from .search import Finding, Search


def fuzz(args: argparse.Namespace) -> int:
    """Search until the time is over, and print each new difference. Raises `UsageError` without hypothesis."""
    try:
        import hypothesis  # noqa: F401  # in an extra
    except ImportError:
        raise UsageError("fuzz needs hypothesis: python -m pip install 'loopspec[fuzz]'") from None
    from .known import KnownDifferences, load_known

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
        self._report: FuzzReport | None = None

    def code(self) -> int:
        """Search, and return the exit code. Both targets are closed afterward."""
        from .scenes import generated

        with ExitStack() as stack:
            ours = self._resolved(self._args.target, stack)
            self._args.other = _in_the_dialect_of(ours, self._args.other)
            theirs = self._resolved(self._args.other, stack)
            # raises a usage error for targets that have nothing in common
            generated(self._args.role)(ours, theirs)
            search = self._search(ours, theirs)
            printed = stack.enter_context(Printed())
            self._out = printed.terminal
            watchdog = stack.enter_context(Watchdog(self._give_up))
            limit = longest(self._args.timeout, ours.isolated or theirs.isolated)

            def guard() -> AbstractContextManager[None]:
                return watchdog.within(limit, search)

            search.guard = guard
            return self._end(search, self._searched(search, stack))

    @staticmethod
    def _resolved(name: str, stack: ExitStack) -> Target:
        target = resolve(name)
        stack.callback(target.close)
        return target

    def _search(self, ours: Target, theirs: Target) -> Search:
        from .search import Search

        args = self._args
        return Search(ours, theirs, args.seconds, args.seed, self._known, args.timeout, only=args.role)

    def _begin(self, search: Search, stack: ExitStack) -> None:
        from .printing import lines_of_postures
        from .report import BeginLine, FuzzReport

        args = self._args
        one, other = search.ours.identity, search.theirs.identity
        self._say(f"{one} and {other}: generated scenes for {args.seconds:g} s, seed {args.seed}")
        self._say(*lines_of_postures(search.ours.postures, search.theirs.postures), "")
        if args.report:
            self._report = stack.enter_context(FuzzReport(args.report))
            self._report.write(BeginLine(args.target, args.other, (one, other), args.seed, args.seconds))

    def _searched(self, search: Search, stack: ExitStack) -> bool:
        """Print the findings as they come; return whether Ctrl-C ended the search."""

        from .postured import related

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
        from .printing import lines_of, scenario_of
        from .report import DifferenceLine

        number = len(search.found)
        seed = self._args.seed
        self._say(*lines_of(finding, number, seed, search.ours, search.theirs))
        if self._report:
            others = tuple(one for one in finding.performed.found if one != finding.difference)
            scenario = scenario_of(finding, f"Difference {number} of seed {seed}").scenario
            self._report.write(
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
        from .report import EndLine

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
            self._report.write(EndLine(search.performed, found, of_entries, interrupted, search.ended_early))
        if interrupted:
            return 130
        return 1 if found else 0

    def _give_up(self, search: Search) -> NoReturn:
        """End the process: a target hangs, and cannot be interrupted."""
        search.ended_early = f"a target did not return within {self._args.timeout:g} s, and cannot be interrupted"
        self._end(search, interrupted=False)
        self._out.flush()
        os._exit(4)

    def _say(self, *lines: str) -> None:
        for line in lines:
            print(*(visible(part) for part in line.split("\n")), sep="\n", file=self._out, flush=True)
