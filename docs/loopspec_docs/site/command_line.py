"""The command line, read from its parser: every command with its options and examples."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple, get_args

from markupsafe import Markup

from loopspec.cli.command import Group
from loopspec.cli.core import commands, parser

from .markdown import Page, code, coded, joined, plain, rendered

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


def pages() -> Iterator[Page]:
    """Make the page."""
    declared = {command.name: command for command in commands()}
    groups: dict[str, list[_Leaf]] = {group: [] for group in (*get_args(Group), _OTHERS)}
    for name, one in leaves(parser()):
        command = declared[name.split()[0]]
        examples = {line: says for line, says in command.examples.items() if f"{line} ".startswith(f"loopspec {name} ")}
        groups[command.group or _OTHERS].append(_Leaf(name, one, examples))
    groups = {group: found for group, found in groups.items() if found}
    yield rendered("command-line", groups=groups, exit_codes=EXIT_CODES)


class _Leaf(NamedTuple):
    """A command without commands of its own."""

    name: str
    parser: argparse.ArgumentParser
    examples: dict[str, str]

    @property
    def usage(self) -> str:
        return self.parser.format_usage().removeprefix("usage: ")

    def actions(self, *, options: bool) -> list[tuple[Markup, Markup]]:
        """Its arguments, or its options."""
        actions = (action for action in self.parser._actions if action.help != argparse.SUPPRESS)
        return [_shown(action) for action in actions if bool(action.option_strings) == options]


def leaves(whole: argparse.ArgumentParser, above: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parsers of the commands without commands of their own, each with the words that it is called by."""
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                inner = list(leaves(below, f"{above}{name} "))
                yield from inner or [(f"{above}{name}", below)]


def _shown(action: argparse.Action) -> tuple[Markup, Markup]:
    """An argument or an option as it is typed, and what it means."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if isinstance(action.choices, list | tuple) and not action.metavar:
        value = action.dest.upper()
    shown = f"[{value}]" if value and action.nargs in ("?", "*") else value
    notes = [coded(action.help or "")]
    if action.choices:
        notes.append("one of " + joined((code(str(choice)) for choice in action.choices), ", "))
    if isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"):
        notes.append(plain("may be repeated"))
    if action.default not in (None, False, "", [], argparse.SUPPRESS):
        notes.append("default: " + code(str(action.default)))
    return code(" ".join(filter(None, [", ".join(action.option_strings), shown]))), joined(notes, "; ")
