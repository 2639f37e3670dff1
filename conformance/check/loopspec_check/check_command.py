"""`loopspec check`: what is wrong with stored histories."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path


def check(args: argparse.Namespace) -> int:
    """Print the findings as they are found, and then their sum. Return 1 if there are any."""
    from loopspec.contract.faults import UsageError
    from loopspec.contract.names import did_you_mean
    from loopspec.engine.output import print_no_more

    from .checking import check_file
    from .formats import FORMATS
    from .printing import JSONPrinter, Printer, SARIFPrinter, Sum, TextPrinter
    from .rules import providers

    for name, known in ((args.format, FORMATS), *((name, providers()) for name in args.provider)):
        if name and name not in known:
            raise UsageError(f"there is no {name!r}{did_you_mean(name, known, 'one of ' + ', '.join(known))}")
    printer: Printer = JSONPrinter() if args.json else SARIFPrinter() if args.sarif else TextPrinter(quote=args.quote)
    total = Sum()
    try:
        for path, is_named in _files(args.paths):
            total.files += 1
            checked = check_file(path, FORMATS.get(args.format), args.provider)
            if checked is None and is_named:
                raise UsageError(
                    f"{path} is in none of the formats {', '.join(FORMATS)}; `--format` names one to read it as"
                )
            total.unknown += checked is None
            for each in checked or ():
                if not each.format and not is_named:  # a file of another kind, and no JSON either
                    total.unknown += 1
                    continue
                total.add(each)
                printer.add(each)
            _show_progress(total.files)
        printer.end()
        if isinstance(printer, TextPrinter):
            print("\n".join(total.lines()), flush=True)
    except BrokenPipeError:  # the reader has left; the exit code is still that of the findings
        print_no_more()
    return 1 if total.rules else 0


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """The files to check, and whether the user has named each."""
    from .checking import stored_at
    from .sources import files_below

    for path in paths:
        if path.is_dir() and stored_at(path) is None:
            yield from ((each, False) for each in files_below(path))
        else:
            yield path, True


def _show_progress(files: int) -> None:
    if files % 100 == 0 and sys.stderr.isatty():
        print(f"\r{files} files", end="\r", file=sys.stderr, flush=True)
