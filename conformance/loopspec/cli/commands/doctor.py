"""`loopspec doctor`: check whether an adapter works, and whether a fault is the adapter's or the implementation's."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from textwrap import wrap

from rich.text import Text

from ...engine.doctor import Examination, Finding, Mark, rules_of
from ...engine.output import counted
from ...reports.terminal import Terminal

_MARKS: dict[Mark, tuple[str, str]] = {"fine": ("✓", "green"), "wrong": ("✗", "bold red"), "open": ("–", "yellow")}
_WHAT = 20  # columns for the name of a step
_LAST = 6  # lines of each text of evidence


def doctor(args: argparse.Namespace) -> int:
    """Examine a target, and end with one sentence about the result."""
    console = Terminal(file=sys.stdout, highlight=False, emoji=False)
    examination = Examination(args.target, lambda finding: _print(console, finding), args.timeout)
    examination.go()
    for what, evidence in examination.evidence.items():
        lines = evidence.rstrip("\n").split("\n")
        console.print(f"the end of {what}:" if len(lines) > _LAST else f"{what}:", markup=False)
        for line in lines[-_LAST:]:
            text = Text(_harmless(f"  {line}"), no_wrap=True)
            text.truncate(console.width, overflow="ellipsis")
            console.print(text, style="dim")
    console.print(_verdict(examination), style="green" if examination.exit_code == 0 else "red", markup=False)
    if examination.hung:  # the process would wait for its thread
        sys.stdout.flush()
        os._exit(examination.exit_code)
    return examination.exit_code


def _print(console: Terminal, finding: Finding) -> None:
    mark, style = _MARKS[finding.mark]
    console.print(Text.assemble((mark, style), " ", finding.what.ljust(_WHAT), _harmless(finding.said)))
    for line in finding.details:
        indent = " " * (4 + len(line) - len(line.lstrip()))
        text = _harmless(line.strip())
        for part in wrap(text, max(20, console.width), initial_indent=indent, subsequent_indent=indent + "  "):
            console.print(Text(part, style="dim"))


def _harmless(text: str) -> str:
    """Escape the control characters in the adapter's output."""
    return "".join(one if one.isprintable() else f"\\x{ord(one):02x}" for one in text.rstrip("\r").expandtabs())


def _verdict(examination: Examination) -> str:
    if examination.fault:
        cure = f" To fix it: {examination.cure}." if examination.cure else ""
        fault = re.sub(r"(^|: )the adapter (?!of )", r"\1it ", _harmless(examination.fault))
        return f"The adapter is at fault: {_ended(fault)}{cure}"
    if examination.failed:
        return (
            f"The adapter works; {len(examination.failed)} of {counted(examination.tried, 'smoke case')} failed in the "
            f"implementation: {rules_of(examination.failed)}. Run `loopspec run {shlex.quote(examination.name)}`."
        )
    doubts = [_harmless(name) for name in examination.doubts]
    if examination.advisory:
        fail = "rule fails" if len(examination.advisory) == 1 else "rules fail"
        doubts.insert(0, f"{len(examination.advisory)} advisory {fail}: {rules_of(examination.advisory)}")
    if doubts:
        return f"No fault was found, but {_ended('; '.join(doubts))}"
    return "The smoke cases pass; `loopspec run` judges the others."


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith("?") else f"{sentence}."
