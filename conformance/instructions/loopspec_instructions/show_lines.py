"""What `loopspec show --as TOOL` prints of one reading: the files, the notes, the skills, and what touches attach."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from loopspec.contract.dialects import instruction_axes
from loopspec.engine.output import counted, in_a_line

from .answers import questions, reasons, skill_dialects, touch_dialects, touch_questions
from .as_read import AfterTouches, AsRead, Short, sentence
from .reader.reading import LoadedFile
from .skills.reader import Skills
from .touch.reader import Touch


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


def start_lines(read: AsRead, folder: str, short: Short) -> Iterator[str]:
    """The files that a tool loads when it starts, their size together, the notes, and what is not as documented."""
    tool = f"{read.dialect.title} {read.dialect.version}".strip()
    source = "" if read.dialect.judged else ", according to its document"
    yield ""
    yield f"Files that {tool} loads in {folder}{source}, in order:"
    yield from _file_lines(read, short, range(len(read.files)))
    limit = f", {read.share} of the limit of {read.limit:,} bytes" if read.limit else ""
    if read.files:
        yield f"{_sum(read)}{limit}"
    yield from _note_lines(read, short)
    yield from _differences(read, tool)


def _file_lines(read: AsRead, short: Short, numbers: range) -> Iterator[str]:
    """Some of the files, by their numbers from 0, or why there are none."""
    width = len(str(len(read.files)))
    for number in numbers:
        file = read.files[number]
        yield f"  {number + 1:{width}}  {short(file.path)}  {_size(file, short)}"
    if read.failure:
        yield f"  none: {short(read.failure.path)}: {sentence(read.failure, short)}"
    elif not numbers:
        yield "  none"


def _sum(read: AsRead) -> str:
    """The size of the whole text, also as tokens."""
    return f"  together {counted(read.size, 'byte')}, about {counted(read.tokens, 'token')}"


def _note_lines(read: AsRead, short: Short) -> Iterator[str]:
    """The notes, each in a sentence."""
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


def skill_lines(name: str, found: Skills, short: Short) -> Iterator[str]:
    """The skills that a tool offers to a model, those that it passes over, and what a model is shown."""
    known = skill_dialects()[name]
    source = "" if known.judged else ", according to its document"
    yield ""
    yield f"Skills that {known.title} {known.version}".rstrip() + f" offers to a model{source}:"
    for skill in found.seen:
        cut = f", with {len(skill.description):,} characters of its description" if skill.is_cut else ""
        yield f"  {in_a_line(skill.name)}  {short(skill.path)}{cut}"
    if not found.seen:
        yield "  none"
    for unseen in found.unseen:
        yield f"  not {short(unseen.path)}: {reasons()[unseen.reason].format(other=short(unseen.other or '/'))}"
    for axis in ("shown", "loaded"):
        if value := known.axes[axis].actual.replace("unknown", ""):
            yield f"  {questions()[axis].values[value].sentence}"


def touch_lines(name: str, touches: Sequence[Touch], read: AfterTouches, short: Short) -> Iterator[str]:
    """The files of each touch, their size together, the notes, and what holds for all of them."""
    known, start = touch_dialects()[name], 0
    for touch, attached in zip(touches, read.each, strict=True):
        end = start + len(attached.files)
        yield ""
        yield f"After {touch.verb}:{in_a_line(touch.path)}, {known.title} {known.version} attaches, in order:"
        yield from _file_lines(read.all, short, range(start, end))
        start = end
    yield ""
    yield "All of it:"
    yield _sum(read.all) if read.all.files else "  none"
    for axis in ("place", "sub-agent") if read.all.files else ():
        yield f"  {touch_questions()[axis].values[known.axes[axis].actual].sentence}"
    yield from _note_lines(read.all, short)
