"""`loopspec show --as`: what a tool reads of the instruction files of a folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from loopspec.cli.page import paragraph
from loopspec.contract.dialects import dialect_hint, dialect_names
from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean
from loopspec.engine.output import in_a_line

from .as_read import Reader, Short
from .at_commit import FilesAtCommit
from .show_lines import shortened, skill_lines, start_lines, touch_lines
from .show_table import print_difference, print_legend, print_table, table
from .touch.reader import VERBS, Touch

ALL = "all"


def show_as(args: argparse.Namespace) -> int:
    """Print what the tool reads, a table of tools, or a difference. Return 1 if the one tool loads nothing."""
    _check(args)
    folder, home = _absolute(args.path or Path()), _absolute(args.home or Path.home())
    readers = _readers(folder, home, _revisions(args.at))
    reader, short = next(iter(readers.values())), shortened(folder, home)
    names = args.read_as.split(",")
    if len(readers) > 1 or args.against:
        tools = {name: reader.read_as(name) for name in (args.read_as, args.against) if name}
        commits = {rev: each.read_as(args.read_as) for rev, each in readers.items()}
        print_difference(tools if args.against else commits, short)
        return 0
    if len(names) > 1 or names == [ALL]:
        _print_tables(reader, names, folder, home, short)
        return 0
    if args.after:
        return _print_after(args, reader, short)
    read, skills = reader.read_as(args.read_as), reader.skills(args.read_as)
    print(read.text or "(nothing: the tool loads no text)")
    of_skills = skill_lines(args.read_as, skills, short) if skills else ()
    _print_lines((*start_lines(read, in_a_line(os.fspath(folder)), short), *of_skills))
    return 1 if read.failure else 0


def _print_after(args: argparse.Namespace, reader: Reader, short: Short) -> int:
    """Print what the tool attaches on touch: the text, and the files of each touch."""
    touches = _touches_in(args.after, reader)
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
    at = folder.resolve()
    by_commit = {each: Reader(at, home, FilesAtCommit(at, each)) for each in revisions}
    return by_commit or {"": Reader(folder, home)}


def _print_tables(reader: Reader, names: Sequence[str], folder: Path, home: Path, short: Short) -> None:
    """Print one table of named tools; of all tools, a table of the user's tools and one of the others."""
    from .user_tools import groups_for  # only all tools need the configuration of lint

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


def _touches_in(after: Sequence[str], reader: Reader) -> list[Touch]:
    """The touches of the option `--after`. Raises `UsageError` for a wrong verb or path."""
    found = []
    for each in after:
        verb, _, path = each.partition(":")
        if not path:
            raise UsageError(f"--after {in_a_line(each)}: write VERB:PATH, with one of {', '.join(VERBS)}")
        known = next((known for known in VERBS if known == verb), None)
        if known is None:
            hint = did_you_mean(verb, VERBS, f"the verbs are {', '.join(VERBS)}")
            raise UsageError(f"--after {in_a_line(each)}: {verb!r} is no verb{hint}")
        if not reader.exists(path):
            raise UsageError(f"--after {in_a_line(each)}: there is no {in_a_line(path)} in the folder of the start")
        found.append(Touch(known, path))
    return found
