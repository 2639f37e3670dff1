"""`loopspec lint`: what goes wrong with the instruction files of a repository."""

from __future__ import annotations

import argparse
from pathlib import Path

from loopspec.contract.dialects import dialect_names
from loopspec.contract.faults import UsageError
from loopspec.engine.output import print_no_more

from .linting.configuration import configuration_of, require_tool
from .linting.findings import LEVELS
from .linting.fixes import changes, write_changes
from .linting.formats import FORMATS
from .linting.linter import lint as lint_folder


def lint(args: argparse.Namespace) -> int:
    """Print the findings. Return 1 if there is one of the level of `--fail-on` or above."""
    folder = Path(args.folder or Path())
    tools = dialect_names() if "all" in args.read_as else tuple(args.read_as)
    for tool in tools:
        require_tool(tool)
    if args.fix and args.format != "text":
        raise UsageError("--fix prints a diff: it needs the form of the output that persons read, --format text")
    configuration = configuration_of(folder)
    report = lint_folder(folder, tools, configuration)
    try:
        if args.fix and (found := changes(report)):
            print("".join(change.diff for change in found), flush=True)
            write_changes(found)
            report = lint_folder(folder, tools, configuration)
        print(FORMATS[args.format](report), flush=True)
    except BrokenPipeError:  # the reader has left; the exit code is still that of the findings
        print_no_more()
    failing = LEVELS[: LEVELS.index(args.fail_on) + 1]
    return 1 if any(one.severity in failing for one in report.findings) else 0
