"""The command line, read from its parser: every command with its options and examples."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import get_args

from loopspec.cli.command import Group
from loopspec.cli.core import commands, parser

from .markdown import code, coded, fence, heading, items, page, slug, table
from .words import intro

EXIT_CODES = {
    0: "The target is conformant. For other commands: done.",
    1: "Cases fail, crash or time out. For `doctor`: the adapter is broken. For `report --diff`: it got worse. "
    "For `fuzz`: a difference was found. For `lint`: there are findings of the level of `--fail-on`.",
    2: "The command is wrong, or a file cannot be used.",
    3: "The baseline is stale: a case that it lists passes.",
    4: "The target is unusable.",
    5: "Nothing was judged, or the run did not account for every case.",
    130: "The run was interrupted, by Ctrl-C or by a signal.",
}
_OTHERS = "Help"


def pages() -> dict[str, str]:
    """Make the page."""
    declared = {command.name: command for command in commands()}
    parts = intro("command-line")
    for group in (*get_args(Group), _OTHERS):
        found = [(name, one) for name, one in leaves(parser()) if (declared[name.split()[0]].group or _OTHERS) == group]
        parts += [heading(2, group, slug(group))] if found else []
        for name, one in found:
            examples = declared[name.split()[0]].examples
            parts += [heading(3, f"loopspec {name}", slug(f"loopspec {name}")), coded(one.description or "")]
            parts += [fence(one.format_usage().removeprefix("usage: "))]
            actions = [action for action in one._actions if action.help != argparse.SUPPRESS]
            for word in ("Argument", "Option"):
                rows = [_argument(action) for action in actions if bool(action.option_strings) == (word == "Option")]
                parts += [table((word, "Meaning"), rows)] if rows else []
            lines = (
                f"{code(line)} {coded(says)}"
                for line, says in examples.items()
                if f"{line} ".startswith(f"loopspec {name} ")
            )
            parts.append(items(lines))
    rows_ = ((str(number), coded(says)) for number, says in EXIT_CODES.items())
    return {"command-line.md": page(*parts, heading(2, "Exit codes", "exit-codes"), table(("Code", "Meaning"), rows_))}


def leaves(whole: argparse.ArgumentParser, above: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parsers of the commands without commands of their own, each with the words that it is called by."""
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                inner = list(leaves(below, f"{above}{name} "))
                yield from inner or [(f"{above}{name}", below)]


def _argument(action: argparse.Action) -> tuple[str, str]:
    """An argument or an option as it is typed, and what it means."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if isinstance(action.choices, list | tuple) and not action.metavar:
        value = action.dest.upper()
    shown = f"[{value}]" if value and action.nargs in ("?", "*") else value
    notes = [coded(action.help or "")]
    if action.choices:
        notes.append(f"one of {', '.join(code(str(choice)) for choice in action.choices)}")
    if isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"):
        notes.append("may be repeated")
    if action.default not in (None, False, "", [], argparse.SUPPRESS):
        notes.append(f"default: {code(str(action.default))}")
    return code(" ".join(filter(None, [", ".join(action.option_strings), shown]))), "; ".join(notes)
