"""`loopspec show --as`: what a tool reads of the instruction files of a folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from loopspec.cli.page import paragraph
from loopspec.contract.dialects import dialect_hint, dialect_names, instruction_axes
from loopspec.contract.faults import UsageError
from loopspec.engine.output import counted

if TYPE_CHECKING:
    from .as_read import AsRead

ALL = "all"
Short = Callable[[str], str]


def show_as(args: argparse.Namespace) -> int:
    """Print what the tool reads, or a table of all tools. Return 1 if the tool loads nothing because of an error."""
    from .as_read import Reader  # only this command needs the reader

    _check(args)
    folder, home = _absolute(args.path or Path()), _absolute(args.home or Path.home())
    reader, short = Reader(folder, home), shortened(folder, home)
    if args.read_as == ALL:
        from .show_table import print_table

        print_table({name: reader.read_as(name) for name in dialect_names()}, short)
        return 0
    read = reader.read_as(args.read_as)
    print(read.text or "(nothing: the tool loads no text)")
    for line in _lines(read, _shown(os.fspath(folder)), short):
        paragraph(line.lstrip(), indent=len(line) - len(line.lstrip()), hang=4)
    return 1 if read.failure else 0


def _absolute(path: Path) -> Path:
    """The path with its links, since a dialect decides about them."""
    return Path(os.path.normpath(path.absolute()))


def _check(args: argparse.Namespace) -> None:
    """Raise `UsageError` for a folder, a dialect or an option that does not fit."""
    for option in ("root", "max_bytes", "language"):
        if getattr(args, option):
            raise UsageError(f"--{option.replace('_', '-')} is not for --as, which reads as the tool reads")
    for folder, what in ((args.path, "the folder in which the tool is started"), (args.home, "the home folder")):
        if folder is not None and not folder.is_dir():
            raise UsageError(f"{folder} is no folder: name {what}")
    if args.read_as not in (ALL, *dialect_names()):
        raise UsageError(f"there is no dialect {args.read_as!r}{dialect_hint(args.read_as)}")


def shortened(folder: Path, home: Path) -> Short:
    """The form of a path in the output: relative to the folder, or to the home folder for what only that contains."""
    starts = tuple({os.fspath(folder): None, os.path.realpath(folder): None})
    homes = tuple({os.fspath(home): None, os.path.realpath(home): None})

    def short(path: str) -> str:
        if not path.startswith("/"):
            return _shown(path)
        start = max(starts, key=lambda each: len(os.path.commonpath([each, path])))
        common = os.path.commonpath([start, path])
        for each in homes:
            if common != start and os.path.commonpath([each, path]) == each and len(common) <= len(each):
                return _shown(f"~/{os.path.relpath(path, each)}")
        return _shown(path if common == "/" else os.path.relpath(path, start))

    return short


def _shown(path: str) -> str:
    """A path on one line: characters that a terminal would act on are escaped."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in path)


def _lines(read: AsRead, folder: str, short: Short) -> Iterator[str]:
    from .as_read import sentence

    tool = f"{read.dialect.title} {read.dialect.version}".strip()
    source = "" if read.dialect.judged else ", according to its document"
    yield ""
    yield f"Files that {tool} loads in {folder}{source}, in order:"
    width = len(str(len(read.files)))
    for number, file in enumerate(read.files, 1):
        yield f"  {number:{width}}  {short(file.path)}  {_size(read, number, short)}"
    if read.failure:
        yield f"  none: {short(read.failure.path)}: {sentence(read.failure, short)}"
    elif not read.files:
        yield "  none"
    yield ""
    yield "Notes:"
    for note in read.notes:
        yield f"  {short(note.path)}: {sentence(note, short)}"
    if not read.notes:
        yield "  none"
    yield from _differences(read, tool)


def _size(read: AsRead, number: int, short: Short) -> str:
    """The size of a file by its number, where the file is cut, and what imports the file."""
    file = read.files[number - 1]
    size = counted(file.size, "byte")
    cut = ""
    if file.cut is not None:
        line = file.text.count("\n") + 1
        cut = f", cut after {counted(file.cut, 'byte')}, in line {line}"
    by = "" if file.importer is None else f", imported by line {file.line} of {short(file.importer)}"
    return f"{size}{cut}{by}"


def _differences(read: AsRead, tool: str) -> Iterator[str]:
    """What the tool does in this folder against its document, and what is not known of it."""
    known, axes = read.dialect.axes, instruction_axes()
    if read.differing:
        yield ""
        yield f"{tool} reads this folder differently from its document:"
    for axis in read.differing:
        one = known[axis]
        documented, observed = (axes[axis].values[value] for value in (one.documented, one.observed))
        yield f"  {axis}: the document ({one.link}) says: {documented.sentence} The tool: {observed.sentence}"
    if read.open:
        yield ""
        yield f"The document of {tool} is silent, and another answer would make a difference here:"
    for axis in read.open:
        yield f"  {axis}: {axes[axis].question}"
