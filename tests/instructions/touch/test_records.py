"""The reader attaches the files that the real tools attach on touch: `measure.py` has recorded them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from loopspec_instructions import dialects
from loopspec_instructions.answers import touch_dialects, touch_questions, touch_values
from loopspec_instructions.reader import DiskFiles, read_instructions
from loopspec_instructions.touch.reader import Touch, TouchReader

from ..skills.trees import lay
from .measure import ATTACH_NOTHING, OWN_NAMES, RECORDED, SOME, TOOLS
from .trees import MARK, OWN, TREES

RECORDS: dict[str, dict[str, dict[str, list[str]]]] = json.loads(RECORDED.read_text(encoding="utf-8"))
ATTACHING = sorted(TOOLS.keys() - set(ATTACH_NOTHING))


def attached(tool: str, name: str, base: Path, values: Mapping[str, str]) -> dict[str, list[str]]:
    """What the reader attaches with each touch of a tree on the disk: the paths in the texts, in order."""
    tree, files = TREES[name], DiskFiles()
    cwd, home = str(base / tree.cwd), str(base / tree.home)
    dialect = dialects.reader_of(tool, observed=True)
    loaded = read_instructions(files, cwd, home, dialect, agreed=False).files
    reader = TouchReader(files, cwd, home, dialect, values, loaded)
    found = {}
    for touch in tree.touches:
        verb, _, path = touch.replace(OWN, OWN_NAMES.get(tool, "AGENTS.md")).partition(":")
        made = Touch(verb.removeprefix("sub-"), f"{base}/{path}", verb.startswith("sub-"))  # type: ignore[arg-type]  # a text
        texts = [file.text for file in reader.attached(made).files if not file.inline]
        found[touch] = [mark for text in texts for mark in MARK.findall(text)]
    return found


def test_each_tool_has_a_record_of_each_topic() -> None:
    """A tool that attaches nothing has some of them; the others have random trees, too."""
    assert touch_dialects().keys() == TOOLS.keys() == RECORDS.keys()
    assert {name for name, known in touch_dialects().items() if known.axes["read"].actual == "nothing"} == {
        *ATTACH_NOTHING
    }
    topics = {name for name in TREES if not name.startswith("random")}
    for tool, trees in RECORDS.items():
        assert (set(SOME) if tool in ATTACH_NOTHING else topics) <= trees.keys() <= TREES.keys(), tool
        assert tool in ATTACH_NOTHING or sum(name.startswith("random") for name in trees) >= 4, tool


@pytest.mark.parametrize(("tool", "name"), [(tool, name) for tool, trees in RECORDS.items() for name in trees])
def test_a_tree_is_touched_as_by_the_tool(tool: str, name: str, tmp_path: Path) -> None:
    base = tmp_path.resolve()
    lay(TREES[name], base)

    assert attached(tool, name, base, touch_values(tool)) == RECORDS[tool][name]


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All trees, each in a folder with its name."""
    base = tmp_path_factory.mktemp("touch").resolve()
    for name, tree in TREES.items():
        lay(tree, base / name)
    return base


@pytest.mark.parametrize(
    ("axis", "value"),
    [(axis, value) for axis, of in touch_questions().items() if axis != "place" for value in of.values],
)
def test_each_value_makes_a_difference(axis: str, value: str, laid: Path) -> None:
    """Against another value, in a tree that a tool touches. The place of the files is shown and not read."""
    others = [other for other in touch_questions()[axis].values if other != value]

    assert any(
        attached(tool, name, laid / name, {**touch_values(tool), axis: other})
        != attached(tool, name, laid / name, {**touch_values(tool), axis: value})
        for tool in ATTACHING
        for name in TREES
        for other in others
    )
