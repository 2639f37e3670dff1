"""Generated trees: the reader and a simple model agree, and so do a disk and the same files in memory."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from loopspec_instructions.reader import Dialect, DiskFiles, MemoryFiles, Reading, ReadingEndedError, read_instructions
from loopspec_instructions.reader.files import Files
from loopspec_instructions.reader.memory import Link, Node, Special
from loopspec_instructions.reader.mentions import find_mentions
from loopspec_instructions.reader.regions import between_backticks, comments, markdown_code
from loopspec_lab.fuzzing.trees import FileTree, file_trees
from loopspec_reference import ReadRequest
from loopspec_reference.agentsmd import LoadWarning, Reason, load
from loopspec_reference.agentsmd.mentions import mentions

from ..instructions.reader.dialects import AFTER, INLINE, PLAIN, changed, loaded
from .workspaces import FOLDERS, TREES, WILD_DIALECTS, WILD_TREES, Tree, expected


@given(TREES)
def test_the_reader_reads_what_the_model_reads(tree: Tree) -> None:
    """Order, walk, selection and budget, for all combinations of their values."""
    reading = read_instructions(MemoryFiles(tree.nodes("")), tree.cwd, "/h", tree.dialect)

    assert loaded(reading) == expected(tree, "")


@given(TREES)
def test_every_file_of_the_search_is_loaded_or_noted(tree: Tree) -> None:
    """A file that is not loaded has a note with its path: nothing vanishes without a word."""
    tree = Tree(tree.files, tree.roots, tree.cwd, changed(tree.dialect, {"walk": "file-system-root"}))
    reading = read_instructions(MemoryFiles(tree.nodes("")), tree.cwd, "/h", tree.dialect)
    named = {name for group in tree.dialect.file_names for name in group}
    above = [folder for folder in FOLDERS if tree.cwd == folder or tree.cwd.startswith(folder + "/")]
    there = {f"{folder}/{name}" for folder in above for name in named} & set(tree.files)

    assert there == {file.path for file in reading.files} | {note.path for note in reading.notes}


class OverFiles:
    """A backend over files in memory."""

    def __init__(self, files: MemoryFiles) -> None:
        self._files = files

    async def read(self, request: ReadRequest) -> bytes:
        """Read the whole file."""
        return self._files.read(request.file_path, 1 << 20).data


NOTES: dict[str, Reason] = {"import-cycle": Reason.CYCLE, "import-too-deep": Reason.DEPTH}


@given(file_trees(), st.sampled_from([0, 0, 10, 40, 90]))
def test_the_reader_and_the_loader_of_the_middleware_agree(tree: FileTree, limit: int) -> None:
    """With the values of the AgentsMD middleware, sections, import cycles and deep imports are those of its loader."""
    files = MemoryFiles({path: content or "" for path, content in tree.files.items() if path.startswith("/")})
    configured = [path for path in tree.configured if path.startswith("/")]
    warnings: list[LoadWarning] = []
    try:
        loaded_sections = asyncio.run(load(OverFiles(files), configured, limit, warnings.append))
    except OSError:
        loaded_sections = None
    try:
        reading = read_instructions(files, "/p", "/h", changed(AFTER, {"budget": limit}), configured)
    except ReadingEndedError:
        # The loader does not read a file that the budget does not reach, and so does not see that it is a folder.
        assert loaded_sections is None or limit
        return

    assert loaded_sections is not None
    assert loaded(reading) == [(section.path, section.text) for section in loaded_sections]
    notes = Counter((note.other, NOTES[note.reason]) for note in reading.notes if note.reason in NOTES)
    assert notes == Counter((w.path, w.reason) for w in warnings if w.reason in NOTES.values())


def lay_out(base: str, nodes: Mapping[str, Node]) -> None:
    """Create the nodes on the disk."""
    for path, node in nodes.items():
        place = Path(base + path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(node, Link):
            place.symlink_to(node.target)
        elif node is Special.FOLDER:
            place.mkdir(exist_ok=True)
        elif node is Special.PIPE:
            os.mkfifo(place)
        elif isinstance(node, bytes):
            place.write_bytes(node)


def outcome(files: Files, base: str, cwd: str, dialect: Dialect) -> Reading | tuple[str, str]:
    """The reading, or the path and the reason of the error."""
    try:
        return read_instructions(files, base + cwd, base + "/h", dialect)
    except ReadingEndedError as error:
        return error.path, error.reason


LOOPS: dict[str, Node] = {"/w/A.md": Link("A.md"), "/w/v/A.md": Link("../../w"), "/w/v/.git": Link("O.md/x")}


@given(WILD_TREES, st.sampled_from(FOLDERS[1:]), WILD_DIALECTS)
@example(LOOPS, "/w/v", PLAIN)
def test_a_disk_and_the_memory_give_the_same_reading(nodes: dict[str, Node], cwd: str, dialect: Dialect) -> None:
    """Files, texts and notes, for every kind of link."""
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.realpath(folder)
        folders: dict[str, Node] = dict.fromkeys(FOLDERS[1:], Special.FOLDER)
        lay_out(base, {**folders, **nodes})
        memory = MemoryFiles({base + path: node for path, node in {**folders, **nodes}.items()})

        assert outcome(DiskFiles(), base, cwd, dialect) == outcome(memory, base, cwd, dialect)


PIECES = st.sampled_from(
    [
        "@a/b.md",
        "@x",
        "@b.md",
        "`",
        "``",
        "```",
        "\n",
        "\n\n",
        "    ",
        "~~~\n",
        "<!--",
        "-->",
        "- ",
        "> ",
        "x",
        "\\",
        "\r\n",
        " ",
        "|",
        "|-|\n",
        "é",
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)


@given(TEXTS)
def test_the_mentions_are_those_of_the_loader(text: str) -> None:
    """With the values of the AgentsMD middleware, each mention has its place and its line."""
    found = find_mentions(text, AFTER)

    assert [each.path for each in found] == mentions(text)
    assert all(text[each.start : each.end] == "@" + each.path for each in found)
    assert [each.line for each in found] == [text[: each.start].count("\n") + 1 for each in found]
    assert {each.place for each in found} <= {None}


@given(TEXTS)
def test_regions_are_parts_of_the_text(text: str) -> None:
    """In order and without overlaps; each has the marks of its kind."""
    for regions in (markdown_code(text), between_backticks(text), comments(text)):
        assert all(0 <= region.start < region.end <= len(text) for region in regions)
        assert all(first.end <= second.start for first, second in pairwise(regions))
    pairs = [found.span() for found in re.finditer(r"(`+)([\s\S]*?)\1", text)]
    assert [(region.start, region.end) for region in between_backticks(text)] == pairs
    for region in between_backticks(text):
        assert text[region.start] == text[region.end - 1] == "`"
    for region in markdown_code(text):
        part = text[region.start : region.end]
        assert region.place == "indented" or "`" in part or "~" in part


@given(TEXTS)
def test_a_mention_is_an_import_or_has_a_place(text: str) -> None:
    """With every value that skips, the mentions are the same, and some are no imports."""
    values = {"import_code": "skipped", "import_indented": "skipped", "import_comment": "skipped"}
    plain, skipping = find_mentions(text, INLINE), find_mentions(text, changed(INLINE, values))

    assert [(each.start, each.end) for each in plain] == [(each.start, each.end) for each in skipping]
