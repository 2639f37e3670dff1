"""A command of the command line, and the parser of its arguments.

The kit has commands of its own; a product adds commands as entry points of `loopspec.commands`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal, NoReturn

from ..contract.faults import UsageError
from ..contract.names import did_you_mean
from ..contract.registered import all_loaded

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


class Parser(argparse.ArgumentParser):
    """A parser of commands and options. A wrong argument ends the process with a sentence and exit code 2.

    Options cannot be abbreviated, since an abbreviation could become ambiguous in a later version.
    """

    def __init__(self, **how: Any) -> None:  # Any: as argparse takes them, also from `add_parser`
        super().__init__(**how, allow_abbrev=False)
        self.help = ""
        self.set_defaults(parser=self)

    def format_help(self) -> str:
        """Return the written help text, or argparse's."""
        return self.help or super().format_help()

    def parse_args(  # type: ignore[override]  # argparse overloads it for namespaces of other classes
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse all arguments: an unknown one is an error of the command that received it."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            parser: Parser = parsed.parser
            options = [option for action in parser._actions for option in action.option_strings]
            wrong = next((one for one in unknown if one.startswith("-")), None)
            if wrong is None:
                parser.error(f"`{parser.prog}` takes no argument {unknown[0]!r}")
            name = wrong.partition("=")[0]
            parser.error(f"`{parser.prog}` has no option {name!r}{did_you_mean(name, options)}")
        return parsed

    def error(self, message: str) -> NoReturn:
        """End the process with the error, and say where the help is."""
        hint = "" if message.endswith("?") else f" (see `{self.prog} --help`)"
        self.exit(2, f"loopspec: {message}{hint}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # Any: as argparse has it
        choices: Iterable[str] | None = action.choices
        if choices is None or value in choices:
            return
        known = list(choices)
        if isinstance(action, argparse._SubParsersAction):
            has_none = "there is no command" if " " not in self.prog else f"`{self.prog}` has no command"
            self.error(f"{has_none} {value!r}{did_you_mean(value, known)}")
        hint = did_you_mean(value, known, f"choose from {', '.join(known)}")
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}{hint}")


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
    options: Callable[[Parser], None] = lambda parser: None
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


def leave_at_once(name: str, why: str) -> NoReturn:
    """End the process immediately, with the reason why a target is unusable: a hanging thread would be waited for."""
    sys.stdout.flush()
    print(f"loopspec: {name} is unusable: {why}", file=sys.stderr, flush=True)
    os._exit(4)


def refuse_same(files: Mapping[str, Path | None]) -> None:
    """Raise `UsageError` if two outputs have one file. `files` is by option; None: the option is not used."""
    known: dict[Path, str] = {}
    for name, path in files.items():
        if path is not None and path.resolve() != Path(os.devnull):
            other = known.setdefault(path.resolve(), name)
            if other != name:
                raise UsageError(f"{other} and {name} both name {path}: name a separate file for each")


def seconds(text: str) -> float:
    """A positive number of seconds, as argparse reads it."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number
