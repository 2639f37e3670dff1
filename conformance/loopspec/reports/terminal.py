"""The terminal output at the end of a run: failures, counts, and one sentence."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from textwrap import indent
from typing import IO

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ..contract.reasons import Kind
from ..engine.judge import only_lacks
from ..engine.output import counted, print_no_more
from ..engine.result import IN_ORDER, VERDICTS, CaseLine, Verdict, refused_names
from ..engine.run import Summary
from ..specification.cases import SEPARATOR, Case
from ..specification.ledger import ledger
from ..specification.order import documents_in_order
from ..specification.sources import case_named
from ..targets.resolve import AbsentTarget
from .account import SHOWN, Account, FailedRule, ReportedRule, Tally, ending
from .markdown import shortened

_STYLES: dict[Verdict, str] = {"passed": "green", "known": "yellow", "stale": "yellow", "inapplicable": "dim"}
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
_shortened = partial(shortened, longest=_LONG, where="; --report has all of them")
_NEXT = "next: loopspec explain RULE, loopspec docs FOLDER; or --report FILE, and loopspec report FILE --html PAGE"


class Terminal(Console):
    """A console whose reader may leave, as `head` does: the exit code is still that of the run."""

    def on_broken_pipe(self) -> None:
        """Discard further output."""
        self.quiet = True
        print_no_more()


def print_summary(account: Account, file: IO[str], *, quiet: bool = False, verbose: bool = False) -> None:
    """Print the failures of a finished run by rule, the counts of every verdict, and the last sentence.

    `verbose`: print failures with all of their steps, and each inapplicable case.
    """
    summary = account.summary
    assert summary is not None
    console = Terminal(file=file, highlight=False, soft_wrap=True, emoji=False)
    for failed in account.failed_rules:
        _print_rule(console, account, failed, verbose)
    for entry in summary.stale:
        if entry not in account.results:  # an entry for a rule or for an invariant: no single case is stale
            what = "invariant, and it holds" if SEPARATOR in entry else "rule, and all of its cases pass"
            console.print(f"stale {entry}: the baseline lists this {what}\n", markup=False)
    if not quiet:
        _print_counts(console, account, summary, verbose=verbose)
        _print_inapplicable(console, account, verbose)
        if verbose:
            _print_refused(console, account)
        _print_not_judged(console, summary, verbose)
        if summary.is_whole:
            console.print(_NEXT, style="dim", markup=False)
    console.print(ending(account), style="green" if summary.exit_code == 0 else "red", markup=False)


def _print_rule(console: Console, account: Account, failed: FailedRule, verbose: bool) -> None:
    lines = [line for line in failed.lines if line.verdict == failed.verdict]
    first, case = lines[0], _case(lines[0])
    apart = "" if failed.is_normative else " (advisory: counts under --strict)"
    console.print(f"[bold red]{failed.verdict}[/] [bold]{failed.rule.id}[/] {escape(case.rule.sentence)}{apart}")
    if verbose:
        for line in lines:
            _print_lines(console, [line.case, *_steps(_case(line), line), *_said(line), *_hint(account, [line]), ""])
    else:
        if case.source:
            _print_lines(console, [case.id])
        _print_lines(
            console, [f"{first.location or f'{case.file}:{case.line}'}  {first.step or case.title}", *_said(first)]
        )
        if len(lines) > 1:
            _print_lines(console, [f"and {counted(len(lines) - 1, 'more scenario')} of it"])
        _print_lines(console, _hint(account, lines))
    again = f"loopspec run {shlex.quote(account.run.target)} --case {shlex.quote(first.case)}"
    _print_lines(console, [f"why:   loopspec explain {failed.rule.id}", f"again: {again}", ""])


def _case(line: CaseLine) -> Case:
    case = case_named(line.case)
    assert case is not None
    return case


def _print_lines(console: Console, lines: list[str]) -> None:
    if lines:
        console.print(indent("\n".join(lines), "  "), markup=False)


def _hint(account: Account, lines: list[CaseLine]) -> list[str]:
    """The line about axes that the target could declare a posture on, if there are any."""
    hint = account.hint(lines)
    return [f"or:    {hint}"] * bool(hint)


def _steps(case: Case, line: CaseLine) -> Iterator[str]:
    """All steps of a case, with a mark at the failing one."""
    failed = line.location.rpartition(":")[2]
    for step in case.steps:
        yield f"{'>' if str(step.line) == failed else ' '} {case.file}:{step.line}  {step}"


def _said(line: CaseLine) -> Iterator[str]:
    """The message of the failing step, the variants of the scene, and the output of the implementation."""
    what = line.message.partition("\n")[0]
    if line.expected or line.seen:
        if what:
            yield what
        yield from _labelled("expected:", line.expected)
        yield from _labelled("seen:    ", line.seen)
        _, label, givens = line.message.partition(IN_ORDER)
        if label:
            yield from _labelled(label, givens.strip())
    elif line.message:
        yield _shortened(line.message)
    for kind in ("variants at once", "standard output", "standard error"):
        if text := line.evidence.get(kind, "").strip():
            yield from _labelled(f"{kind}:", "…" + text[-_LONG:] if len(text) > _LONG else text)


def _labelled(label: str, value: str) -> list[str]:
    """One line; or for a value of several lines these lines below the label, with their relative indentation."""
    shown = _shortened(value).strip("\n")
    if "\n" not in shown and not value.startswith("\n"):
        return [f"{label} {shown}"]
    return [label.rstrip(), *(line if value.startswith("\n") else f"    {line}" for line in shown.split("\n"))]


def _print_counts(console: Console, account: Account, summary: Summary, *, verbose: bool) -> None:
    """How many examples passed, and the other verdicts that occur; then the rules passed by document."""
    rules = [rule for rule in account.rules.values() if rule.state != "inapplicable"]
    invariants, variants = (
        [rule for rule in rules if ledger().rules[rule.id].status == status] for status in ("invariant", "variant")
    )
    planned = set(account.run.planned)
    broken = Counter(line.verdict for name, line in account.results.items() if name not in planned)
    varied = sum(map(Counter, summary.variants.values()), Counter[Verdict]())
    examples = Counter(summary.cases) - broken - varied
    del examples["inapplicable"], varied["inapplicable"]
    others = _others(examples)
    count = f"{examples['passed']} of " if others else ""
    of_rules = counted(len(rules) - len(invariants) - len(variants), "rule")
    line = Text(f"{account.run.identity}: {count}{counted(examples.total(), 'example')} of {of_rules} passed")
    line.append(f" in {sum(line.seconds for line in account.lines):.1f} s")
    console.print(line.append(others), style="bold")
    if invariants:
        console.print(Text(f"  {_holding(invariants, 'invariant')} in all examples").append(_others(broken)))
    if variants:
        scenes = counted(varied.total(), "transformed scene")
        console.print(Text(f"  {_holding(variants, 'variant')} in {scenes}").append(_others(varied)))
    _print_documents(console, rules, "rules and invariants passed" if invariants else "rules passed")
    if verbose:
        left_out = ", ".join(f"{count} {status}" for status, count in sorted(summary.no_scenario.items()))
        console.print(f"  rules without a scenario: {left_out or 'none'}", markup=False)
        all_planned = counted(summary.planned, "case")
        console.print(f"  {all_planned} planned, {summary.accounted} accounted for", markup=False)
        for name, verdicts in summary.variants.items():
            said = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in SHOWN if verdicts[verdict])
            console.print(f"  variant {name}: {said}", markup=False)
    if short := len(account.run.short):
        form = "was judged in its short form" if short == 1 else "were judged in their short form"
        full = f"--soak judges {'it' if short == 1 else 'them'} in full"
        console.print(f"  {counted(short, 'example')} {form}: {full}", style="dim", markup=False)


def _holding(rules: Sequence[ReportedRule], name: str) -> str:
    """How many invariants or variants hold, and of how many, if that is another number."""
    hold = sum(rule.state == "passed" for rule in rules)
    holds = "holds" if len(rules) == 1 else "hold"
    return f"{f'{hold} of ' if hold < len(rules) else ''}{counted(len(rules), name)} {holds}"


def _others(counts: Mapping[Verdict, int]) -> Text:
    """The verdicts that occur, apart from passed ones, with their numbers."""
    found = [verdict for verdict in VERDICTS[:-1] if verdict != "passed" and counts.get(verdict)]
    line = Text()
    for sign, verdict in zip((": ", *[", "] * len(found)), found, strict=False):
        line.append(sign).append(f"{counts[verdict]} {verdict}", style=_STYLES.get(verdict, "red"))
    return line


def _print_documents(console: Console, rules: Sequence[ReportedRule], head: str) -> None:
    """A line for each document: of its applicable rules, how many passed, the normative and the advisory ones."""
    rows = []
    for key in documents_in_order():
        of_document = [(rule.is_normative, rule.state) for rule in rules if ledger().rules[rule.id].document == key]
        rows += [(ledger().documents[key], *Tally.of(of_document).cells)] * bool(of_document)
    width = max((len(title) for title, *_ in (*rows, (head,))), default=0)
    for title, *cells in [(head, "normative", "advisory"), *rows] if rows else []:
        console.print(f"  {title:{width}}" + "".join(f"{cell:>11}" for cell in cells), markup=False)


def _print_inapplicable(console: Console, account: Account, verbose: bool) -> None:
    """The number of examples that do not apply; `verbose`: what is missing, with numbers, and each case.

    A case can lack several capabilities: the second number of a capability counts the cases that lack no other.
    """
    lines = [line for line in account.results.values() if line.verdict == "inapplicable"]
    if not lines:
        return
    apply = "does not apply to this target" if len(lines) == 1 else "do not apply to this target"
    more = "" if verbose else ": -v says why"
    console.print(f"  {counted(len(lines), 'example')} {apply}{more}", style="dim", markup=False)
    if not verbose:
        return
    counts: dict[str, Counter[str]] = {title: Counter() for title in (*_TITLES.values(), _OTHER)}
    for line in lines:
        if line.reason is not None:
            title = _TITLES.get(line.reason.kind, _OTHER)
            names = line.reason.names if line.reason.kind == "capability" else (line.reason.named,)
            counts[title].update(names if title != _OTHER else [line.message])
    run = account.run
    target = AbsentTarget(run.identity, run.roles, run.capabilities, run.postures)
    alone = Counter(only_lacks(_case(line), target, line.reason) for line in lines)
    for title, of_kind in counts.items():
        if of_kind:
            only = {name: f" ({alone[name]})" if title == _TITLES["capability"] else "" for name in of_kind}
            named = ", ".join(f"{name} {n}{only[name]}" for name, n in sorted(of_kind.items()))
            console.print(f"    {title}: {named}", style="dim", markup=False)
    for line in lines:
        console.print(f"    {line.case}: {line.message}", style="dim", markup=False)


def _print_refused(console: Console, account: Account) -> None:
    """The number of cases whose name the backend refuses to store, and each case."""
    if refused := refused_names(account.lines):
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
