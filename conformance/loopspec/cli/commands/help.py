"""`loopspec help`: print all commands, or the options of one."""

from __future__ import annotations

import argparse
import sys


def help_(args: argparse.Namespace) -> int:
    """Print the help of the named command, or of all commands."""
    from ..parser import parser  # imports this module

    parser().parse_args([*args.names, "--help"])
    return 0  # `--help` has ended the process; for type checkers


def no_command(args: argparse.Namespace) -> int:
    """Print the help of an incomplete command to standard error, and return 2."""
    args.parser.print_help(sys.stderr)
    return 2
