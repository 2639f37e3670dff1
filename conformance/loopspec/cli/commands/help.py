"""The commands that print a text about loopspec: `loopspec help`, `completion` and `protocol`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...contract.faults import UsageError


def help_(args: argparse.Namespace) -> int:
    """Print the help of the named command, or of all commands."""
    from ..core import parser  # imports this module

    parser().parse_args([*args.names, "--help"])
    return 0  # `--help` has ended the process; for type checkers


def no_command(args: argparse.Namespace) -> int:
    """Print the help of an incomplete command to standard error, and return 2."""
    args.parser.print_help(sys.stderr)
    return 2


def completion(args: argparse.Namespace) -> int:
    """Print the script that completes commands in one shell. Raises `UsageError` if shtab is not installed."""
    try:
        import shtab
    except ImportError:
        raise UsageError("completion needs shtab: python -m pip install 'loopspec[completion]'") from None
    from ..core import parser  # imports this module

    whole = parser()
    _complete_files(whole, shtab.FILE)
    print(shtab.complete(whole, shell=args.shell))
    return 0


def _complete_files(parser: argparse.ArgumentParser, files: object) -> None:
    """Complete file names for every argument that is a path, in this parser and in those of its commands."""
    for action in parser._actions:
        if action.type is Path:
            action.complete = files  # type: ignore[attr-defined]  # shtab reads this attribute
        for command in action.choices.values() if isinstance(action, argparse._SubParsersAction) else ():
            _complete_files(command, files)


def protocol(args: argparse.Namespace) -> int:
    """Print the schema of every message of the protocol, or the page about the protocol."""
    from ...protocol.schema import page, schema_text  # with all messages

    sys.stdout.write(page() if args.page else schema_text() + "\n")
    return 0
