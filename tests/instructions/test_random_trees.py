"""Random trees of instruction files: the generator, and the comparison of the reader with a tool."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.reading import read_workspace
from tools.workspace_tools import TOOLS, Tool

from .random_trees import Shape, differing, random_workspace

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

NUMBERS = range(20)
CLAUDE, COPILOT = (next(tool for tool in TOOLS if tool.name == name) for name in ("claude-code", "copilot-cli"))
DIALECTS = {CLAUDE.name: "claude-code-observed", COPILOT.name: "copilot-cli"}

each_tool = pytest.mark.parametrize("tool", [CLAUDE, COPILOT], ids=lambda tool: tool.name)


def nothing(cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
    return WorkspaceReading([])


@each_tool
def test_a_number_is_always_the_same_tree_and_the_trees_differ(tool: Tool) -> None:
    shape = Shape(tool.name)
    trees = [random_workspace(number, shape) for number in NUMBERS]
    assert trees == [random_workspace(number, shape) for number in NUMBERS]
    assert all(trees.count(tree) == 1 for tree in trees)


@each_tool
def test_the_trees_have_each_kind_of_entry_and_most_load_a_file(tool: Tool) -> None:
    trees = [random_workspace(number, Shape(tool.name)) for number in NUMBERS]
    kinds = Counter(entry.kind for tree in trees for entry in tree.entries.values())
    assert {"file", "folder", "link", "repository"} <= kinds.keys()
    said: list[str] = []
    assert len(differing(NUMBERS, tool, nothing, said.append)) == len(said) > 15


@each_tool
def test_a_tool_that_reads_as_the_reader_does_is_equal(tool: Tool) -> None:
    def reader(cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
        return read_workspace(DIALECTS[tool.name], cwd, home, [], agreed)

    assert differing(NUMBERS, tool, reader) == []


@pytest.mark.parametrize("names", [True, False])
def test_a_tool_that_changes_one_character_differs(names: bool) -> None:
    def changed(cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
        files = read_workspace(DIALECTS[CLAUDE.name], cwd, home, [], agreed).files
        last = (WorkspaceFile(one.path, one.text + "x") for one in files[-1:])
        return WorkspaceReading([WorkspaceFile(one.path if names else None, one.text) for one in (*files[:-1], *last)])

    assert differing(NUMBERS, CLAUDE, changed, str) == differing(NUMBERS, CLAUDE, nothing, str)
