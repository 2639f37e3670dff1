"""What the terminal shows: one live line, and the outcome."""

from __future__ import annotations

import shlex
from dataclasses import replace
from textwrap import indent
from typing import IO

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ..engine.judge import Result
from ..engine.run import RuleOutcome, Running, Summary
from ..engine.verdict import FAILURES, VERDICTS, Verdict, worst
from ..specification.ledger import DECIDING
from .account import ending
from .output import print_no_more

_STYLES: dict[Verdict, str] = {"passed": "green", "known": "yellow", "stale": "yellow", "inapplicable": "dim"}
# From the best to the worst, and last what says nothing.
_SHOWN: tuple[Verdict, ...] = (*reversed(VERDICTS[:-1]), VERDICTS[-1])
_LONG = 1500  # characters of evidence per value


class Terminal(Console):
    """A console whose reader may go away, as `head` does: the exit code is still that of the run."""

    def on_broken_pipe(self) -> None:
        """Print nothing more."""
        self.quiet = True
        print_no_more()


class Progress:
    """One line that says how far the run is. Only on a terminal: elsewhere it would be many."""

    def __init__(self, running: Running, file: IO[str]) -> None:
        self._running = running
        self._console = Terminal(file=file, highlight=False)
        self._failures = 0
        running.watchers.append(self.show)

    def show(self, result: Result) -> None:
        """Rewrite the line."""
        self._failures += result.verdict in FAILURES
        if self._console.is_terminal:
            done, planned = len(self._running.results), len(self._running.plan)
            line = Text(f"{done}/{planned}  {self._failures} failed  {result.case}", no_wrap=True)
            line.truncate(self._console.width, overflow="ellipsis", pad=True)  # over the whole of the line before
            self._console.print(line, end="\r" if done < planned else "\n")


def print_summary(running: Running, summary: Summary, file: IO[str], quiet: bool = False) -> None:
    """Print the failures by rule, the counts of every verdict, and one sentence that says how it ended."""
    console = Terminal(file=file, highlight=False, soft_wrap=True)
    for outcome in running.outcomes():
        results = [
            result for result in outcome.results if result.verdict != "not-run"
        ]  # counted, and all for one reason
        verdict = worst(result.verdict for result in results) if results else "not-run"
        if verdict in FAILURES - {"not-run"} or verdict == "stale":
            _print_rule(console, running, replace(outcome, verdict=verdict))
    for entry in summary.stale:
        if entry not in running.results:  # a bare rule id: no single case of it is to blame
            console.print(f"stale {entry}: the baseline says it fails, and all of it passes\n", markup=False)
    if not quiet:
        _print_counts(console, running, summary)
    failed = sum(map(running.decides, running.results.values()))
    sentence = ending(running.label, summary, failed)
    console.print(sentence, style="green" if summary.exit_code == 0 else "red", markup=False)


def _print_rule(console: Console, running: Running, outcome: RuleOutcome) -> None:
    results = [r for r in outcome.results if r.verdict == outcome.verdict]
    first = results[0]
    case = next(case for case in running.plan if case.id == first.case)
    apart = "" if outcome.provenance in DECIDING else " (clarified: decides under --strict)"
    console.print(f"[bold red]{outcome.verdict}[/] [bold]{outcome.id}[/] {escape(case.rule.sentence)}{apart}")
    lines = [f"{first.location or f'{case.file}:{case.line}'}  {first.step or case.title}"]
    if first.expected or first.seen:
        lines += _labelled("expected:", first.expected) + _labelled("seen:    ", first.seen)
    elif first.message:
        lines.append(_shortened(first.message))
    if len(results) > 1:
        lines.append(f"and {len(results) - 1} more of its scenarios")
    lines.append(f"again: loopspec run {shlex.quote(running.name)} --case {shlex.quote(first.case)}")
    console.print(indent("\n".join(lines), "  ") + "\n", markup=False)


def _labelled(label: str, value: str) -> list[str]:
    """One line, or for a list of things a line for each."""
    shown = _shortened(value)
    return [label, *shown.strip("\n").split("\n")] if shown.startswith("\n") else [f"{label} {shown}"]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]} … ({len(text)} characters; --report has all of them)"


def _print_counts(console: Console, running: Running, summary: Summary) -> None:
    identity = running.target.identity
    console.print(str(identity), style="bold", markup=False)
    for what, counts in (
        ("cases", summary.cases),
        ("rules, documented and derived", summary.rules),
        ("rules, clarified", summary.clarified),
    ):
        line = Text(f"  {what}: ")
        for verdict in _SHOWN:
            style = _STYLES.get(verdict, "red") if counts[verdict] else "dim"
            line.append(f" {counts[verdict]} {verdict} ", style=style)
        console.print(line)
    left_out = ", ".join(f"{count} {status}" for status, count in sorted(summary.no_scenario.items()))
    console.print(f"  rules without a scenario: {left_out or 'none'}", markup=False)
    console.print(f"  {summary.planned} cases planned, {summary.accounted} accounted for", markup=False)
    for reason, count in sorted(_inapplicable(running).items()):
        console.print(
            f"  inapplicable: {count} {'case' if count == 1 else 'cases'}, {reason}", style="dim", markup=False
        )


def _inapplicable(running: Running) -> dict[str, int]:
    reasons: dict[str, int] = {}
    for result in running.results.values():
        if result.verdict == "inapplicable":
            reasons[result.message] = reasons.get(result.message, 0) + 1
    return reasons
