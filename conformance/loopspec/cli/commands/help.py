"""`loopspec help`: what the commands are, and the options of one."""

from __future__ import annotations

import argparse
import sys


def help_(args: argparse.Namespace) -> int:
    """Print the help of the command that is named, or that of all commands."""
    from ..parser import parser  # which names this module

    parser().parse_args([*args.names, "--help"])
    return 0  # `--help` has ended the process: for those who parse without


def no_command(args: argparse.Namespace) -> int:
    """Print the help of what was given without a command to standard error, and return 2: nothing was done."""
    args.parser.print_help(sys.stderr)
    return 2
