"""`loopspec lint`: what goes wrong with the instruction files of a repository."""

from __future__ import annotations

import argparse
from pathlib import Path


def lint(args: argparse.Namespace) -> int:
    """Print the findings. Return 1 if there are any."""
    from loopspec.contract.dialects import dialect_names
    from loopspec.engine.output import print_no_more

    from .linting import FORMATS, configuration_of, require_tool
    from .linting import lint as lint_folder

    folder = Path(args.folder or Path())
    tools = tuple(args.read_as)
    if "all" in tools:
        tools = dialect_names()
    for tool in tools:
        require_tool(tool)
    report = lint_folder(folder, tools, configuration_of(folder))
    try:
        print(FORMATS[args.format](report), flush=True)
    except BrokenPipeError:  # the reader has left; the exit code is still that of the findings
        print_no_more()
    return 1 if report.findings else 0
