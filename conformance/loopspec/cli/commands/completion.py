"""`loopspec completion`: a script that lets a shell complete commands and options."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...contract.faults import UsageError


def completion(args: argparse.Namespace) -> int:
    """Print the script for one shell. Raises `UsageError` if shtab is not installed."""
    try:
        import shtab
    except ImportError:
        raise UsageError("completion needs shtab: python -m pip install 'loopspec[completion]'") from None
    from ..parser import parser  # imports this module

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
