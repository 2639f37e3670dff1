"""`loopspec show --as`: what a tool reads of the instruction files of a folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...contract.dialects import Choice, dialect, dialect_names
from ...contract.faults import UsageError
from ...contract.names import did_you_mean
from ...engine.counting import counted

if TYPE_CHECKING:
    from loopspec_reference.instruction_files import LoadedFile

    from ...targets.reference.as_read import AsRead

ALL = "all"


def show_as(args: argparse.Namespace) -> int:
    """Print what the tool reads, or a table of all tools. Return 1 if the tool loads nothing because of an error."""
    from ...targets.reference.as_read import read_as  # only this command needs the reader

    folder = Path(args.path or Path())
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: name the folder in which the tool is started")
    names = dialect_names()
    if args.read_as != ALL and args.read_as not in names:
        hint = did_you_mean(args.read_as, names, f"the dialects are {', '.join(names)}")
        raise UsageError(f"there is no dialect {args.read_as!r}{hint}")
    folder, home = folder.resolve(), Path(args.home or Path.home()).resolve()
    if args.read_as == ALL:
        print("\n".join(table({name: read_as(name, folder, home, _configured(name)) for name in names}, folder)))
        return 0
    read = read_as(args.read_as, folder, home, _configured(args.read_as))
    _print(args.read_as, read, folder, home)
    return 1 if read.failure else 0


def _configured(name: str) -> Sequence[str]:
    """The file that a tool without a search is configured with."""
    return [dialect(name).places()["{name}"]]


def _print(name: str, read: AsRead, folder: Path, home: Path) -> None:
    from ...targets.reference.as_read import sentence

    short = partial(_short, folder)
    print(read.text or "(nothing: no file has a text to load)")
    print(f"\nFiles that {read.dialect.title} reads in {folder}, in order:")
    for file in read.files:
        print(f"  {short(file.path)}  {_size(file, short)}")
    if read.failure:
        print(f"  none: {read.failure}")
    elif not read.files:
        print("  none")
    print("\nNotes:")
    for note in read.notes:
        print(f"  {short(note.path)}: {sentence(note, short)}")
    if not read.notes:
        print("  none")
    for line in _differences(read.dialect.axes):
        print(line)


def _size(file: LoadedFile, short: Callable[[str], str]) -> str:
    size = counted(file.size, "byte")
    cut = "" if file.cut is None else f", cut after {file.cut}"
    by = "" if file.importer is None else f", imported by line {file.line} of {short(file.importer)}"
    return f"{size}{cut}{by}"


def _differences(axes: Mapping[str, Choice]) -> list[str]:
    """Where the tool does something else than its document says, and what is not known."""
    lines = [
        f"  {axis}: the document says {one.documented}, the tool has {one.observed} ({one.link})"
        for axis, one in axes.items()
        if one.observed
    ]
    unknown = [axis for axis, one in axes.items() if one.unknown]
    if lines:
        lines = ["\nThe tool differs from its document; this page shows the tool:", *lines]
    if unknown:
        lines += [f"\nNot known of this tool: {', '.join(unknown)}"]
    return lines


def _short(folder: Path, path: str) -> str:
    return os.path.relpath(path, folder)


def table(reads: Mapping[str, AsRead], folder: Path) -> list[str]:
    """The lines of a table of files and tools: the place of each file in what a tool reads."""
    short = partial(_short, folder)
    files = dict.fromkeys(file.path for read in reads.values() for file in read.files)
    rows = [["file", *reads]]
    for path in files:
        rows.append([short(path), *(_places(path, read) for read in reads.values())])
    rows.append(["files read", *(str(len(read.files)) if not read.failure else "fails" for read in reads.values())])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _places(path: str, read: AsRead) -> str:
    """The places of a file among those that a tool reads, with a note of a cut one."""
    found = [f"{at}{'' if file.cut is None else ' cut'}" for at, file in enumerate(read.files, 1) if file.path == path]
    return ", ".join(found) or "–"
