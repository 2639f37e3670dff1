"""The parser of the command line: the commands of the kit, and those that products add."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import get_args

from .. import __version__
from .arguments import Parser
from .command import Command, Group, added_commands, calling
from .core import CORE

_MORE = "Options: `loopspec help COMMAND`. Completion: `loopspec completion SHELL`."


def commands() -> tuple[Command, ...]:
    """All commands: those of the kit, and those of products after them."""
    return (*CORE, *added_commands())


def parser(argv: Sequence[str] | None = None) -> Parser:
    """The parser of the whole command line; for the words of a command of the kit, the part that reads them.

    No product is imported, and no option read, that a command of the kit does not need.
    """
    name = argv[0] if argv else ""
    own = [command for command in CORE if command.name == name and command.group]
    wanted = own or commands()
    whole = Parser(prog="loopspec")
    whole.add_argument("--version", action="version", version=f"loopspec {__version__}")
    whole.set_defaults(command=calling("loopspec.cli.commands.help:no_command"))
    found: argparse._SubParsersAction[Parser] = whole.add_subparsers(prog="loopspec", parser_class=Parser)
    for command in wanted:
        command.add(found)
    whole.help = _overview(wanted)
    return whole


def _overview(wanted: Iterable[Command]) -> str:
    """The output of `loopspec help`: every command with its meaning."""
    lines = ["loopspec COMMAND …: an executable specification of an agent loop"]
    for title in get_args(Group):
        lines.append(f"{title}:")
        lines += [f"  {one.name:13} {one.says.removesuffix('.')}" for one in wanted if one.group == title]
    return "\n".join([*lines, _MORE, ""])
