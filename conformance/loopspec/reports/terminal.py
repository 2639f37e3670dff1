"""The terminal output at the end of a run: failures, counts, and one sentence."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import indent
from typing import IO

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ..contract.axes import posture_hint
from ..engine.judge import only_lacks
from ..engine.output import counted, print_no_more
from ..engine.result import FAILURES, IN_ORDER, VERDICTS, Result, Verdict, refused_names, worst
from ..engine.run import RuleOutcome, SuiteRun, Summary
from ..specification.cases import SEPARATOR, Case
from ..specification.ledger import NORMATIVE, ledger
from ..specification.order import documents_in_order
from ..specification.reasons import Inapplicable, Kind
from .ending import ending_of

_STYLES: dict[Verdict, str] = {"passed": "green", "known": "yellow", "stale": "yellow", "inapplicable": "dim"}
# from the best to the worst, and inapplicable last
_SHOWN: tuple[Verdict, ...] = (*reversed(VERDICTS[:-1]), VERDICTS[-1])
_ENTRIES = 5  # entries of a baseline, without -v
_LONG = 1500  # characters of evidence per value
# The titles of the lines that count inapplicable cases, by the kind of the reason.
_TITLES: Mapping[Kind, str] = {
    "role": "missing role",
    "other-role": "not for the role",
    "capability": "missing capability (and the cases that lack no other)",
    "posture": "another posture",
    "dialect": "another value in the target's dialect",
}
_OTHER = "other reason"
_NEXT = "next: loopspec explain RULE, loopspec docs FOLDER; or --report FILE, and loopspec report FILE --html PAGE"


class Terminal(Console):
    """A console whose reader may leave, as `head` does: the exit code is still that of the run."""

    def on_broken_pipe(self) -> None:
        """Discard further output."""
        self.quiet = True
        print_no_more()


def print_summary(
    suite_run: SuiteRun, summary: Summary, file: IO[str], *, quiet: bool = False, verbose: bool = False
) -> None:
    """Print the failures by rule, the counts of every verdict, and the last sentence.

    `verbose`: print failures with all of their steps, and each inapplicable case.
    """
    console = Terminal(file=file, highlight=False, soft_wrap=True, emoji=False)
    cases = {case.id: case for case in suite_run.judged}
    for outcome in suite_run.outcomes():
        results = [result for result in outcome.results if result.verdict != "not-run"]  # those share one reason
        verdict = worst(result.verdict for result in results) if results else "not-run"
        if verdict in FAILURES - {"not-run"} or verdict == "stale":
            _print_rule(console, suite_run, replace(outcome, verdict=verdict), cases, verbose)
    for entry in summary.stale:
        if entry not in suite_run.results:  # an entry for a rule or for an invariant: no single case is stale
            what = "invariant, and it holds" if SEPARATOR in entry else "rule, and all of its cases pass"
            console.print(f"stale {entry}: the baseline lists this {what}\n", markup=False)
    if not quiet:
        _print_counts(console, suite_run, summary, verbose=verbose)
        _print_inapplicable(console, suite_run, cases, verbose)
        if verbose:
            _print_refused(console, suite_run)
        _print_not_judged(console, summary, verbose)
        if summary.is_whole:
            console.print(_NEXT, style="dim", markup=False)
    console.print(ending_of(suite_run, summary), style="green" if summary.exit_code == 0 else "red", markup=False)


def _print_rule(
    console: Console, suite_run: SuiteRun, outcome: RuleOutcome, cases: dict[str, Case], verbose: bool
) -> None:
    results = [result for result in outcome.results if result.verdict == outcome.verdict]
    first = results[0]
    case = cases[first.case]
    is_normative = any(cases[result.case].basis in NORMATIVE for result in results)
    apart = "" if is_normative else " (advisory: counts under --strict)"
    console.print(f"[bold red]{outcome.verdict}[/] [bold]{outcome.id}[/] {escape(case.rule.sentence)}{apart}")
    if verbose:
        for result in results:
            lines = [
                *_steps(cases[result.case], result),
                *_said(result),
                *_hint([cases[result.case]], result, suite_run),
            ]
            _print_lines(console, [f"{result.case}", *lines, ""])
    else:
        if case.source:
            _print_lines(console, [case.id])
        _print_lines(
            console, [f"{first.location or f'{case.file}:{case.line}'}  {first.step or case.title}", *_said(first)]
        )
        if len(results) > 1:
            _print_lines(console, [f"and {counted(len(results) - 1, 'more scenario')} of it"])
        _print_lines(console, _hint([cases[result.case] for result in results], first, suite_run))
    again = f"loopspec run {shlex.quote(suite_run.name)} --case {shlex.quote(first.case)}"
    _print_lines(console, [f"why:   loopspec explain {outcome.id}", f"again: {again}", ""])


def _print_lines(console: Console, lines: list[str]) -> None:
    if lines:
        console.print(indent("\n".join(lines), "  "), markup=False)


def _hint(cases: list[Case], first: Result, suite_run: SuiteRun) -> list[str]:
    """The line about axes that the target could declare a posture on, if there are any."""
    if first.verdict != "failed":
        return []
    presupposed = {axis: value for case in cases for axis, value in case.postures.items()}
    hint = posture_hint(presupposed, suite_run.target.postures)
    return [f"or:    {hint}"] * bool(hint)


def _steps(case: Case, result: Result) -> Iterator[str]:
    """All steps of a case, with a mark at the failing one."""
    failed = result.location.rpartition(":")[2]
    for step in case.steps:
        yield f"{'>' if str(step.line) == failed else ' '} {case.file}:{step.line}  {step}"


def _said(result: Result) -> Iterator[str]:
    """The message of the failing step, and the output of the implementation."""
    what = result.message.partition("\n")[0]
    if result.expected or result.seen:
        if what:
            yield what
        yield from _labelled("expected:", result.expected)
        yield from _labelled("seen:    ", result.seen)
        _, label, givens = result.message.partition(IN_ORDER)
        if label:
            yield from _labelled(label, givens.strip())
    elif result.message:
        yield _shortened(result.message)
    for stream in ("standard output", "standard error"):
        if text := result.evidence.get(stream, "").strip():
            yield from _labelled(f"{stream}:", "…" + text[-_LONG:] if len(text) > _LONG else text)


def _labelled(label: str, value: str) -> list[str]:
    """One line; or for a value of several lines these lines below the label, with their relative indentation."""
    shown = _shortened(value).strip("\n")
    if "\n" not in shown and not value.startswith("\n"):
        return [f"{label} {shown}"]
    return [label.rstrip(), *(line if value.startswith("\n") else f"    {line}" for line in shown.split("\n"))]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]} … ({len(text)} characters; --report has all of them)"


def _print_counts(console: Console, suite_run: SuiteRun, summary: Summary, *, verbose: bool) -> None:
    """How many examples passed, and the other verdicts that occur; then the rules passed by document."""
    outcomes = [outcome for outcome in suite_run.outcomes() if outcome.verdict != "inapplicable"]
    invariants = [outcome for outcome in outcomes if ledger().rules[outcome.id].status == "invariant"]
    broken = Counter(suite_run.results[name].verdict for name in suite_run.unplanned)
    examples = Counter(summary.cases) - broken
    del examples["inapplicable"]
    rules = counted(len(outcomes) - len(invariants), "rule")
    others = _others(examples)
    count = f"{examples['passed']} of " if others else ""
    line = Text(f"{suite_run.target.identity}: {count}{counted(examples.total(), 'example')} of {rules} passed")
    line.append(f" in {sum(result.seconds for result in suite_run.results.values()):.1f} s")
    console.print(line.append(others), style="bold")
    if invariants:
        hold = sum(outcome.verdict == "passed" for outcome in invariants)
        which = f"{hold} of " if hold < len(invariants) else ""
        console.print(
            Text(f"  {which}{counted(len(invariants), 'invariant')} hold in all examples").append(_others(broken))
        )
    _print_documents(console, outcomes, "rules and invariants passed" if invariants else "rules passed")
    if verbose:
        left_out = ", ".join(f"{count} {status}" for status, count in sorted(summary.no_scenario.items()))
        console.print(f"  rules without a scenario: {left_out or 'none'}", markup=False)
        planned = counted(summary.planned, "case")
        console.print(f"  {planned} planned, {summary.accounted} accounted for", markup=False)
    for name, verdicts in summary.variants.items():
        said = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in _SHOWN if verdicts[verdict])
        console.print(f"  variant {name}: {said}", markup=False)
    if suite_run.short:
        one = len(suite_run.short) == 1
        form = "was judged in its short form" if one else "were judged in their short form"
        full = f"--soak judges {'it' if one else 'them'} in full"
        console.print(f"  {counted(len(suite_run.short), 'example')} {form}: {full}", style="dim", markup=False)


def _others(counts: Mapping[Verdict, int]) -> Text:
    """The verdicts that occur, apart from passed ones, with their numbers."""
    found = [verdict for verdict in VERDICTS[:-1] if verdict != "passed" and counts.get(verdict)]
    line = Text()
    for sign, verdict in zip((": ", *[", "] * len(found)), found, strict=False):
        line.append(sign).append(f"{counts[verdict]} {verdict}", style=_STYLES.get(verdict, "red"))
    return line


def _print_documents(console: Console, outcomes: Sequence[RuleOutcome], head: str) -> None:
    """A line for each document: of its applicable rules, how many passed, the normative and the advisory ones."""
    titles = {key: ledger().documents[key] for key in documents_in_order()}
    rows = []
    for key, title in titles.items():
        of_document = [outcome for outcome in outcomes if ledger().rules[outcome.id].document == key]
        kinds = [[one for one in of_document if (one.basis in NORMATIVE) is kind] for kind in (True, False)]
        passed = [f"{sum(one.verdict == 'passed' for one in kind)}/{len(kind)}" if kind else "–" for kind in kinds]
        rows += [(title, *passed)] * bool(of_document)
    width = max((len(title) for title, *_ in (*rows, (head,))), default=0)
    for title, *cells in [(head, "normative", "advisory"), *rows] if rows else []:
        console.print(f"  {title:{width}}" + "".join(f"{cell:>11}" for cell in cells), markup=False)


def _print_inapplicable(console: Console, suite_run: SuiteRun, cases: dict[str, Case], verbose: bool) -> None:
    """The number of examples that do not apply; `verbose`: what is missing, with numbers, and each case.

    A case can lack several capabilities: the second number of a capability counts the cases that lack no other.
    """
    results = [result for result in suite_run.results.values() if result.verdict == "inapplicable"]
    if not results:
        return
    apply = "does not apply to this target" if len(results) == 1 else "do not apply to this target"
    more = "" if verbose else ": -v says why"
    console.print(f"  {counted(len(results), 'example')} {apply}{more}", style="dim", markup=False)
    if not verbose:
        return
    counts: dict[str, Counter[str]] = {title: Counter() for title in (*_TITLES.values(), _OTHER)}
    for result in results:
        if result.reason is not None:
            title = _TITLES.get(result.reason.kind, _OTHER)
            counts[title].update(_names(result.reason) if title != _OTHER else [result.message])
    alone = Counter(only_lacks(cases[result.case], suite_run.target, result.reason) for result in results)
    for title, of_kind in counts.items():
        if of_kind:
            only = {name: f" ({alone[name]})" if title == _TITLES["capability"] else "" for name in of_kind}
            named = ", ".join(f"{name} {n}{only[name]}" for name, n in sorted(of_kind.items()))
            console.print(f"    {title}: {named}", style="dim", markup=False)
    for result in results:
        console.print(f"    {result.case}: {result.message}", style="dim", markup=False)


def _names(reason: Inapplicable) -> Iterable[str]:
    """What a line counts for a reason: each missing capability; the roles, or the axis and its value, as one."""
    if reason.kind == "capability":
        return reason.names
    return [(" or " if reason.kind == "role" else " is ").join(reason.names)]


def _print_refused(console: Console, suite_run: SuiteRun) -> None:
    """The number of cases whose name the backend refuses to store, and each case."""
    if refused := refused_names(suite_run.results.values()):
        console.print(f"  refused names: {counted(len(refused), 'case')} passed", style="yellow", markup=False)
        for name, message in refused.items():
            console.print(f"    {name}: {_shortened(message)}", style="dim", markup=False)


def _print_not_judged(console: Console, summary: Summary, verbose: bool) -> None:
    """The entries of the baseline that name a case which is not judged here; without `verbose`, the first ones."""
    entries = summary.not_judged
    if not entries:
        return
    names = "names a case" if len(entries) == 1 else "name cases"
    count = counted(len(entries), "entry", "entries")
    what = "that is not judged here" if len(entries) == 1 else "that are not judged here"
    console.print(f"  baseline: {count} {names} {what}", style="yellow", markup=False)
    for name, reason in list(entries.items())[: None if verbose else _ENTRIES]:
        console.print(f"    {name}: {reason}", style="dim", markup=False)
    if len(entries) > _ENTRIES and not verbose:
        console.print(f"    and {len(entries) - _ENTRIES} more, which -v prints", style="dim", markup=False)
