"""A parser of arguments whose errors are one sentence, with a suggestion where one is known; checks of arguments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ..contract.faults import UsageError
from ..contract.names import did_you_mean


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
