"""A command of the command line, and the commands that are installed.

The kit has commands of its own; a product adds commands as entry points of `loopspec.commands`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Literal

from ..contract.registered import all_loaded
from .arguments import Parser

# The titles of the groups in which `loopspec help` prints the commands, in order.
Group = Literal[
    "Test an implementation",
    "Read the specification, and check instruction files",
    "Write an adapter in another language, and test the suite",
]
TEST: Group = "Test an implementation"
READ: Group = "Read the specification, and check instruction files"
WRITE: Group = "Write an adapter in another language, and test the suite"

TARGET = "reference, py:package.module:factory, cmd:command line, or known:name"


def _no_options(parser: Parser) -> None:
    """Add nothing."""


@dataclass(frozen=True)
class Command:
    """A command by its name.

    `says` is its help text, `does` the "module:function" that receives the parsed arguments and returns the exit code:
    the module is imported when the command is called. `options` adds the options to its parser. `examples` are whole
    command lines, each with what it does, also of the commands below it.
    """

    name: str
    group: Group | None
    says: str
    does: str
    options: Callable[[Parser], None] = _no_options
    examples: Mapping[str, str] = field(default_factory=dict)

    def add(self, commands: argparse._SubParsersAction[Parser]) -> None:
        """Add the parser of the command."""
        self.options(sub_command(commands, self.name, self.does, self.says))


def sub_command(commands: argparse._SubParsersAction[Parser], name: str, does: str, says: str) -> Parser:
    """Add a command with its name, its function, and its help text."""
    added = commands.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
    added.set_defaults(command=calling(does))
    return added


def calling(does: str) -> Callable[[argparse.Namespace], int]:
    """The function with this "module:function", imported when it is called."""
    return lambda args: int(resolve_name(does)(args))


def added_commands() -> tuple[Command, ...]:
    """The commands that products add, in the order of the alphabet."""
    found: list[Command] = all_loaded("commands")
    return tuple(sorted(found, key=lambda command: command.name))
