"""`loopspec replay`: judge the recorded cases of a report again."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from textwrap import indent

import msgspec

from ...contract.observation import Observation
from ...contract.roles import Role
from ...contract.specification import digest
from ...contract.target import Target
from ...engine.deadlines import Watchdog, longest
from ...engine.output import counted
from ...engine.replay import Again, Replayed, chosen, look_again, perform_again, replayed
from ...engine.result import FAILURES, CaseLine, Result
from ...reports.account import read_account
from ...reports.markdown import visible
from ...specification.cases import Case
from ...targets.resolve import resolve
from ..command import leave_at_once


def replay(args: argparse.Namespace) -> int:
    """Judge the cases again and print the results."""
    account = read_account(args.report)
    run = account.run
    cases = chosen(run.planned, account.lines, args.case)
    target = resolve(args.target) if args.target else None
    again = _performing(target, args, run.role) if target else look_again
    if run.features != digest():
        print(
            f"The report is about other features ({run.features}, loopspec {run.suite}) than the current ones "
            f"({digest()}), which judge the cases.\n"
        )
    if target:
        print(f"The scenes of the report are performed on {target.identity}\n")
    done: list[Replayed] = []
    for one in replayed(cases, again):
        done.append(one)
        for line in _lines(one, whole=len(cases) == 1):
            print(visible(line))
        if target and (end := _ending(one, target)):
            leave_at_once(args.target, end)
    if target:
        target.close()
    print(_sum(done))
    return _exit_code(done)


def _performing(target: Target, args: argparse.Namespace, role: Role | None) -> Again:
    """Returns a function that performs a case on the target. A case that cannot be interrupted ends the process."""

    def again(case: Case, line: CaseLine) -> Result | str:
        why = f"{target.identity.name} did not return within {args.timeout:g} s"
        limit = longest(args.timeout, target.isolated)
        with Watchdog(partial(leave_at_once, args.target)) as watchdog, watchdog.within(limit, why):
            return perform_again(target, role, args.timeout, case, line)

    return again


def _ending(one: Replayed, target: Target) -> str:
    """The reason why the target cannot perform another case."""
    if target.unusable:
        return target.unusable
    return one.now.message if one.now and one.now.verdict == "timed-out" and not target.isolated else ""


def _lines(one: Replayed, whole: bool) -> Iterator[str]:
    """Both verdicts, and the evidence of a case that fails; for a single case, all of the evidence."""
    then = one.then.verdict if one.then else "not-run"
    if one.now is None:
        if whole or one.owed:
            yield f"{one.case}\n  then: {then}, now: not judged, {one.why_not}\n"
        return
    yield f"{one.case}\n  then: {then}, now: {one.now.verdict}"
    now = one.now
    if now.inexact:
        yield f"  note: {now.inexact}"
    if now.verdict != "passed":
        yield f"  {now.location}  {now.step}".rstrip()
        if now.expected or now.seen:
            yield from (_labelled("expected", now.expected), _labelled("seen", now.seen))
        elif now.message:
            yield indent(now.message, "  ")
    elif one.then and one.then.message:
        yield _labelled("then", one.then.message)
    evidence = now.evidence or (one.then.evidence if one.then else {})
    yield from (_labelled(name, text) for name, text in evidence.items())
    if whole and now.observation is not None:
        yield _labelled("observation", _entries(now.observation))
    yield ""


def _labelled(label: str, text: str) -> str:
    """A text after its name, or below the name if the text has several lines."""
    lines = text.strip("\n").split("\n")
    return f"  {label}: {lines[0]}" if len(lines) == 1 else f"  {label}:\n" + indent("\n".join(lines), "    ")


def _entries(seen: Observation) -> str:
    """The observation, source by source, with an entry in each line."""
    lines = []
    for source, entries in msgspec.to_builtins(seen, enc_hook=repr).items():
        each = entries if isinstance(entries, list | tuple) else (entries,)
        lines += [f"{source}:", *(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in each)]
    return "\n".join(lines)


def _sum(done: list[Replayed]) -> str:
    """The number of unchanged verdicts, and the reasons of cases that were not judged."""
    judged = [one for one in done if one.now]
    otherwise = sum(not one.is_as_then for one in judged)
    lines = [f"{counted(len(judged), 'case')} judged again: {len(judged) - otherwise} unchanged, {otherwise} changed."]
    reasons = Counter(one.why_not.partition(":")[0] for one in done if one.now is None)
    lines += [f"not judged: {counted(count, 'case')}, {why_not}" for why_not, count in sorted(reasons.items())]
    return "\n".join(visible(line) for line in lines)


def _exit_code(done: list[Replayed]) -> int:
    """The exit code: 5 if nothing was judged, or not everything that should be; 1 if a case fails; otherwise 0."""
    verdicts = [one.now.verdict for one in done if one.now and one.now.verdict != "inapplicable"]
    if not verdicts or any(one.owed for one in done):
        return 5
    return 1 if any(verdict in FAILURES for verdict in verdicts) else 0
