"""What `loopspec show --as` prints of several readings: a table of files and tools, and the difference of two."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from itertools import islice

from loopspec.cli.page import is_terminal, paragraph
from loopspec.engine.output import counted, listed

from .answers import note_texts
from .as_read import AsRead, Short, sentence

NOT_LOADED = "–"
_MOST_LINES = 20_000  # of both texts: a comparison takes more than a second for more
_WIDTH = 80  # columns, of output that is no terminal
_PATH = 28  # columns: a longer path has a line of its own


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print a table in as many parts as its width needs: each part has the first column, and some of the others."""
    width = shutil.get_terminal_size().columns if is_terminal() else _WIDTH
    first = max(len(row[0]) for row in rows if len(row[0]) <= _PATH)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    columns = list(range(1, len(rows[0])))
    while columns:
        part: list[int] = []
        left = width - first
        while columns and (not part or widths[columns[0]] + 2 <= left):
            left -= widths[columns[0]] + 2
            part.append(columns.pop(0))
        for row in rows:
            if len(row[0]) > first:
                print(row[0])
            head = "" if len(row[0]) > first else row[0]
            print("  ".join([head.ljust(first), *(row[at].ljust(widths[at]) for at in part)]).rstrip())
        if columns:
            print()


def table(reads: Mapping[str, AsRead], short: Short) -> list[list[str]]:
    """The rows of the table: the names of the tools, a row for each file, and what the files amount to."""
    loaded = dict.fromkeys(file.path for read in reads.values() for file in read.files)
    found = dict.fromkeys(note.path for read in reads.values() for note in read.notes if note_texts()[note.reason].cell)
    rows = [["file", *(name + ("" if read.dialect.judged else "*") for name, read in reads.items())]]
    paths = sorted({**loaded, **found}, key=lambda path: _from_outside(short(path)))
    rows += [[short(path), *(_cell(path, read) for read in reads.values())] for path in paths]
    rows.append(["files loaded", *("fails" if read.failure else str(len(read.files)) for read in reads.values())])
    rows.append(["bytes", *(str(read.size) for read in reads.values())])
    rows.append(["tokens, about", *(str(read.tokens) for read in reads.values())])
    if any(read.limit for read in reads.values()):
        shares = (read.share if read.limit else NOT_LOADED for read in reads.values())
        rows.append(["of its limit", *shares])
    return rows


def _from_outside(shown: str) -> tuple[bool, int, bool, str]:
    """A key that sorts files below the home folder first, and then from the outermost folder to the innermost one."""
    return (not shown.startswith("~"), -shown.count("../"), "/" in shown.lstrip("./"), shown)


def _cell(path: str, read: AsRead) -> str:
    """The places of a file among those that a tool loads, or why the tool does not load the file."""
    places = [
        f"{at}{' import' if file.importer else ''}{'' if file.cut is None else ' cut'}"
        for at, file in enumerate(read.files, 1)
        if file.path == path
    ]
    cells = (note_texts()[note.reason].cell for note in read.notes if note.path == path)
    return ", ".join(places) or next(filter(None, cells), NOT_LOADED)


def print_legend(reads: Mapping[str, AsRead], short: Short) -> None:
    """Print what the cells mean, what hides a file, which tools fail, and which dialects are not measured."""
    for line in _legend(reads, short):
        paragraph(line, hang=2)


def _legend(reads: Mapping[str, AsRead], short: Short) -> Iterator[str]:
    yield "A number is the place of the file in what the tool loads."
    yield f"import: another file imports the file. {NOT_LOADED}: the tool does not look for the file."
    yield "tokens: one for each four bytes, since each model counts in its own way."
    yield "`loopspec show --as TOOL` shows the text, and why a file is cut or skipped."
    hidden: dict[tuple[str, str], list[str]] = {}
    for name, read in reads.items():
        for note in read.notes:
            if note.reason == "hidden":
                hidden.setdefault((note.path, note.other), []).append(name)
    for (path, other), names in hidden.items():
        yield f"Hidden: {short(path)} by {short(other)}, for {listed(names)}."
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
        yield f"* By the document alone, and not measured: {', '.join(documents)}."


def print_difference(reads: Mapping[str, AsRead], short: Short) -> None:
    """Print the table of two readings, and the lines in which the texts differ that a model receives."""
    (one, first), (other, second) = reads.items()
    rows = table(reads, short)
    texts = [{short(file.path): file.text for file in read.files} for read in (first, second)]
    for row in rows:
        old, new = (text.get(row[0]) for text in texts)
        if old is not None and new is not None and old != new:
            row[2] += " differs"
    rows[0] = ["file", one, other] if first.name == second.name else rows[0]
    print_table(rows)
    print()
    print_legend(reads, short)
    print()
    old_lines, new_lines = first.text.splitlines(), second.text.splitlines()
    if len(old_lines) + len(new_lines) > _MOST_LINES:
        print(f"The texts have more than {_MOST_LINES:,} lines, and are not compared.")
        return
    changes = unified_diff(old_lines, new_lines, one, other, lineterm="")
    start = list(islice(changes, 1))
    if not start:
        print("A model receives the same text.")
    for line in (*start, *changes):
        print(line)
