"""Random trees of instruction files: the generator, and the comparison of the reader with a tool."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.reading import read_workspace

from .random_trees import DIALECT, differing, random_workspace

NUMBERS = range(20)


def nothing(cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
    return WorkspaceReading([])


def reader(cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
    return read_workspace(DIALECT, cwd, home, [], agreed)


def test_a_number_is_always_the_same_tree_and_the_trees_differ() -> None:
    trees = [random_workspace(number) for number in NUMBERS]
    assert trees == [random_workspace(number) for number in NUMBERS]
    assert all(trees.count(tree) == 1 for tree in trees)


def test_the_trees_have_each_kind_of_entry_and_most_load_a_file() -> None:
    kinds = Counter(entry.kind for number in NUMBERS for entry in random_workspace(number).entries.values())
    assert {"file", "folder", "link", "repository"} <= kinds.keys()
    said: list[str] = []
    assert len(differing(NUMBERS, nothing, said.append)) == len(said) > 15


def test_a_tool_that_reads_as_the_reader_does_is_equal() -> None:
    assert differing(NUMBERS, reader) == []


def test_a_tool_that_changes_one_character_differs() -> None:
    def changed(cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
        files = reader(cwd, home, agreed).files
        return WorkspaceReading([*files[:-1], *(WorkspaceFile(one.path, one.text + "x") for one in files[-1:])])

    assert differing(NUMBERS, changed, str) == differing(NUMBERS, nothing, str)
