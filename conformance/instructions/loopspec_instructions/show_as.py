"""`loopspec show --as`: what a tool reads of the instruction files of a folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from loopspec.cli.page import paragraph
from loopspec.contract.dialects import dialect_hint, dialect_names, instruction_axes
from loopspec.contract.faults import UsageError
from loopspec.engine.output import counted, in_a_line

if TYPE_CHECKING:
    from .as_read import AsRead, Reader, Short
    from .reader import LoadedFile

ALL = "all"


def show_as(args: argparse.Namespace) -> int:
    """Print what the tool reads, a table of tools, or a difference. Return 1 if the one tool loads nothing."""
    _check(args)
    folder, home = _absolute(args.path or Path()), _absolute(args.home or Path.home())
    readers = _readers(folder, home, _revisions(args.at))
    reader, short = next(iter(readers.values())), shortened(folder, home)
    names = args.read_as.split(",")
    if len(readers) > 1 or args.against:
        from .show_difference import print_difference

        tools = {name: reader.read_as(name) for name in (args.read_as, args.against) if name}
        commits = {rev: each.read_as(args.read_as) for rev, each in readers.items()}
        print_difference(tools if args.against else commits, short)
        return 0
    if len(names) > 1 or names == [ALL]:
        _print_tables(reader, names, folder, home, short)
        return 0
    if args.after:
        return _print_after(args, reader, short)
    from .show_skills import skill_lines

    read, skills = reader.read_as(args.read_as), reader.skills(args.read_as)
    print(read.text or "(nothing: the tool loads no text)")
    of_skills = skill_lines(args.read_as, skills, short) if skills else ()
    _print_lines((*_lines(read, in_a_line(os.fspath(folder)), short), *of_skills))
    return 1 if read.failure else 0


def _print_after(args: argparse.Namespace, reader: Reader, short: Short) -> int:
    """Print what the tool attaches on touch: the text, and the files of each touch."""
    from .show_touch import touch_lines, touches_in

    touches = touches_in(args.after, reader)
    read = reader.after(args.read_as, touches)
    if read is None:
        print(f"What {args.read_as} attaches on touch was not measured.")
        return 0
    print(read.all.text or "(nothing: the tool attaches no text)")
    _print_lines(touch_lines(args.read_as, touches, read, short))
    return 0


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        paragraph(line.lstrip(), indent=len(line) - len(line.lstrip()), hang=4)


def _revisions(at: str | None) -> list[str]:
    """The commits of `A` or `A..B`; an empty side of the latter is HEAD, as in Git."""
    return [each or "HEAD" for each in at.split("..", 1)] if at else []


def _readers(folder: Path, home: Path, revisions: Sequence[str]) -> dict[str, Reader]:
    """A reader for each commit, or one for the disk."""
    from .as_read import Reader  # only this command needs the reader
    from .at_commit import FilesAtCommit

    at = folder.resolve()
    by_commit = {each: Reader(at, home, FilesAtCommit(at, each)) for each in revisions}
    return by_commit or {"": Reader(folder, home)}


def _print_tables(reader: Reader, names: Sequence[str], folder: Path, home: Path, short: Short) -> None:
    """Print one table of named tools; of all tools, a table of the user's tools and one of the others."""
    from .show_table import print_legend, print_table, table
    from .user_tools import groups_for

    named = groups_for(folder, home) if ALL in names else [("", tuple(names))]
    groups = [group for group in named if group[1]]
    reads = {name: reader.read_as(name) for _, group in groups for name in group}
    for title, group in groups:
        if len(groups) > 1:
            print(title)
        print_table(table({name: reads[name] for name in group}, short))
        print()
    print_legend(reads, short)


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
    names = args.read_as.split(",")
    _check_sides(args, is_one=len(names) == 1 and names != [ALL])
    for name in [*names, *([args.against] if args.against else [])]:
        if name not in dialect_names() and not (name == ALL and names == [ALL]):
            raise UsageError(f"there is no dialect {name!r}{dialect_hint(name)}")


def _check_sides(args: argparse.Namespace, *, is_one: bool) -> None:
    """Raise `UsageError` for a difference that has no two sides, and for several tools where one is meant."""
    revisions = _revisions(args.at)
    is_difference = bool(args.against or len(revisions) > 1)
    if is_difference and args.after:
        raise UsageError("--after is for one tool and one commit: leave out the other side")
    if not is_one and (is_difference or args.after):
        raise UsageError(f"{'--after' if args.after else 'a difference'} is of one tool: name one tool after --as")
    if args.against and len(revisions) > 1:
        raise UsageError("--against compares two tools, and --at two commits: use one of them")
    if args.against == args.read_as or len(set(revisions)) < len(revisions):
        raise UsageError("the two sides of the difference are the same: name another one")


def shortened(folder: Path, home: Path) -> Short:
    """The form of a path in the output: relative to the folder, or to the home folder for what only that contains."""
    starts = tuple({os.fspath(folder): None, os.path.realpath(folder): None})
    homes = tuple({os.fspath(home): None, os.path.realpath(home): None})

    def short(path: str) -> str:
        if not path.startswith("/"):
            return in_a_line(path)
        start = max(starts, key=lambda each: len(os.path.commonpath([each, path])))
        common = os.path.commonpath([start, path])
        for each in homes:
            if common != start and os.path.commonpath([each, path]) == each and len(common) <= len(each):
                return in_a_line(f"~/{os.path.relpath(path, each)}")
        return in_a_line(path if common == "/" else os.path.relpath(path, start))

    return short


def _lines(read: AsRead, folder: str, short: Short) -> Iterator[str]:
    tool = f"{read.dialect.title} {read.dialect.version}".strip()
    source = "" if read.dialect.judged else ", according to its document"
    yield ""
    yield f"Files that {tool} loads in {folder}{source}, in order:"
    yield from file_lines(read, short, range(len(read.files)))
    limit = f", {read.share} of the limit of {read.limit:,} bytes" if read.limit else ""
    yield from (f"{line}{limit}" for line in sum_lines(read))
    yield from note_lines(read, short)
    yield from _differences(read, tool)


def file_lines(read: AsRead, short: Short, numbers: range) -> Iterator[str]:
    """Some of the files, by their numbers from 0, or why there are none."""
    from .as_read import sentence

    width = len(str(len(read.files)))
    for number in numbers:
        file = read.files[number]
        yield f"  {number + 1:{width}}  {short(file.path)}  {_size(file, short)}"
    if read.failure:
        yield f"  none: {short(read.failure.path)}: {sentence(read.failure, short)}"
    elif not numbers:
        yield "  none"


def sum_lines(read: AsRead) -> Iterator[str]:
    """The size of the whole text, also as tokens, unless there is none."""
    if read.files:
        yield f"  together {counted(read.size, 'byte')}, about {counted(read.tokens, 'token')}"


def note_lines(read: AsRead, short: Short) -> Iterator[str]:
    """The notes, each in a sentence."""
    from .as_read import sentence

    yield ""
    yield "Notes:"
    yield from [f"  {short(note.path)}: {sentence(note, short)}" for note in read.notes] or ["  none"]


def _size(file: LoadedFile, short: Short) -> str:
    """The size of a file, where the file is cut, and what imports the file."""
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
