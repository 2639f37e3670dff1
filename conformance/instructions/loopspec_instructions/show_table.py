"""`loopspec show --as all`: a table of instruction files and tools."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from loopspec.cli.page import is_terminal, paragraph
from loopspec.engine.output import counted

if TYPE_CHECKING:
    from .as_read import AsRead

# What a cell says of a file that a tool finds and does not load.
_INSTEAD: Mapping[str, str] = {
    "hidden": "hidden",
    "empty": "empty",
    "over-budget": "over budget",
    "unreadable": "unreadable",
    "not-utf-8": "not UTF-8",
    "not-a-file": "no file",
    "link-skipped": "link",
    "name-dropped": "dropped",
    "project-dropped": "dropped",
}
_NOT_LOADED = "–"


def print_table(reads: Mapping[str, AsRead], short: Callable[[str], str]) -> None:
    """Print the place of each file in what each tool loads; on a narrow terminal, a paragraph for each file."""
    rows = table(reads, short)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if is_terminal() and sum(widths) + 2 * len(widths) > shutil.get_terminal_size().columns:
        _print_by_file(rows)
    else:
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print()
    for line in _legend(reads, short):
        paragraph(line)


def table(reads: Mapping[str, AsRead], short: Callable[[str], str]) -> list[list[str]]:
    """The rows of the table: the names of the tools, a row for each file, and the number of loaded files."""
    loaded = dict.fromkeys(file.path for read in reads.values() for file in read.files)
    found = dict.fromkeys(note.path for read in reads.values() for note in read.notes if note.reason in _INSTEAD)
    rows = [["file", *reads]]
    paths = sorted({**loaded, **found}, key=lambda path: _from_outside(short(path)))
    rows += [[short(path), *(_cell(path, read) for read in reads.values())] for path in paths]
    return [*rows, ["files loaded", *("fails" if read.failure else str(len(read.files)) for read in reads.values())]]


def _from_outside(shown: str) -> tuple[bool, int, bool, str]:
    """A key that sorts files below the home folder first, and then from the outermost folder to the innermost one."""
    return (not shown.startswith("~"), -shown.count("../"), "/" in shown.lstrip("./"), shown)


def _cell(path: str, read: AsRead) -> str:
    """The places of a file among those that a tool loads, or why the tool does not load the file."""
    places = [f"{at}{'' if file.cut is None else ' cut'}" for at, file in enumerate(read.files, 1) if file.path == path]
    if places:
        return ", ".join(places)
    return next(
        (_INSTEAD[note.reason] for note in read.notes if note.path == path and note.reason in _INSTEAD), _NOT_LOADED
    )


def _print_by_file(rows: list[list[str]]) -> None:
    names = rows[0][1:]
    for path, *cells in rows[1:]:
        paragraph(path, style="bold")
        said = [f"{name} {cell}" for name, cell in zip(names, cells, strict=True) if cell != _NOT_LOADED]
        paragraph(", ".join(said) or "loaded by no tool", indent=2)


def _legend(reads: Mapping[str, AsRead], short: Callable[[str], str]) -> Iterator[str]:
    """What the cells mean, which tools fail, and which dialects are not measured."""
    from .as_read import sentence

    yield "A number is the place of the file in what the tool loads."
    yield "`loopspec show --as TOOL` shows the text, and why a file is cut, hidden or skipped."
    for name, read in reads.items():
        if read.failure:
            yield f"{name} loads nothing: {short(read.failure.path)}: {sentence(read.failure, short)}."
        if read.differing:
            on = counted(len(read.differing), "axis", "axes")
            yield f"{name} reads this folder differently from its document on {on}."
    configured = [name for name, read in reads.items() if read.dialect.value("walk") == "configured"]
    if configured:
        yield f"By configuration: {', '.join(configured)}. The configured file is AGENTS.md in the folder."
    if documents := [name for name, read in reads.items() if not read.dialect.judged]:
        yield f"By the document alone, and not measured: {', '.join(documents)}."
