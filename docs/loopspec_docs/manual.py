"""The whole command line as data, read from its parser: every command, with its options and examples."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import get_args

from loopspec.cli.command import Command as DeclaredCommand
from loopspec.cli.command import Group
from loopspec.cli.core import commands, parser

from .site import Argument, Command, CommandLine, Example

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


def manual() -> CommandLine:
    """Every command with its options, as the parser has them."""
    declared = {command.name: command for command in commands()}
    found = [_command(name, declared[name.split()[0]], one) for name, one in _leaves(parser(), "")]
    groups = [*get_args(Group), _OTHERS]
    return CommandLine(tuple(sorted(found, key=lambda one: groups.index(one.group))), EXIT_CODES)


def _leaves(whole: argparse.ArgumentParser, above: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parsers of the commands without commands of their own, each with the words that it is called by."""
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                inner = list(_leaves(below, f"{above}{name} "))
                yield from inner or [(f"{above}{name}", below)]


def _command(name: str, declared: DeclaredCommand, found: argparse.ArgumentParser) -> Command:
    begins = f"loopspec {name} "
    actions = [action for action in found._actions if action.help != argparse.SUPPRESS]
    return Command(
        name=name,
        group=declared.group or _OTHERS,
        says=found.description or "",
        usage=_usage(found),
        arguments=tuple(_argument(action) for action in actions if not action.option_strings),
        options=tuple(_argument(action) for action in actions if action.option_strings),
        examples=tuple(
            Example(line, says) for line, says in declared.examples.items() if f"{line} ".startswith(begins)
        ),
    )


def _usage(found: argparse.ArgumentParser) -> tuple[str, ...]:
    """The parts of the usage: the command, then each option and argument."""
    line = " ".join(found.format_usage().removeprefix("usage: ").split())
    rest = line.removeprefix(found.prog)
    return (found.prog, *re.findall(r"\[(?:[^][]|\[[^][]*\])*\]|\S+", rest))


def _argument(action: argparse.Action) -> Argument:
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if isinstance(action.choices, list | tuple) and not action.metavar:
        value = action.dest.upper()
    names = ", ".join(action.option_strings)
    shown = f"{names} {value}" if names and value else names or value
    optional = action.nargs in ("?", "*")
    return Argument(
        names=f"{names} [{value}]" if names and optional else f"[{value}]" if optional else shown,
        says=action.help or "",
        default="" if action.default in (None, False, "", [], argparse.SUPPRESS) else str(action.default),
        choices=tuple(map(str, action.choices or ())),
        repeats=isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"),
    )
