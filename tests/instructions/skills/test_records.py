"""The reader finds the skills that the real tools offer to a model: `measure.py` has recorded them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopspec_instructions.answers import skill_dialects, values_of
from loopspec_instructions.reader import DiskFiles
from loopspec_instructions.skills.reader import Skills, read_skills

from .measure import RECORDED, TOOLS
from .trees import TREES, lay

RECORDS: dict[str, dict[str, list[list[str]] | str]] = json.loads(RECORDED.read_text(encoding="utf-8"))


def read(tool: str, name: str, base: Path) -> Skills:
    """The reading of a tree on the disk."""
    tree = TREES[name]
    lay(tree, base)
    return read_skills(DiskFiles(), str(base / tree.cwd), str(base / tree.home), values_of(tool))


def test_each_measured_tool_has_a_record_of_each_topic_and_of_random_trees() -> None:
    assert set(TOOLS) == {name for name, known in skill_dialects().items() if known.judged} == RECORDS.keys()
    for tool, trees in RECORDS.items():
        assert {name for name in TREES if not name.startswith("random")} <= trees.keys() <= TREES.keys(), tool
        assert sum(name.startswith("random") for name in trees) >= 8, tool


@pytest.mark.parametrize(("tool", "name"), [(tool, name) for tool, trees in RECORDS.items() for name in trees])
def test_a_tree_is_read_as_by_the_tool(tool: str, name: str, tmp_path: Path) -> None:
    """Names, descriptions and files. Where the tool lists one of several with a name, it is one of those."""
    recorded = RECORDS[tool][name]
    found = read(tool, name, tmp_path.resolve())
    if isinstance(recorded, str):
        assert (found.seen, [one.reason for one in found.unseen][-1]) == ((), "ends")
        return

    either: dict[str, set[str]] = {}
    for one in found.unseen:
        if one.reason == "either":
            either.setdefault(one.other, {one.other}).add(one.path)

    assert sorted(skill.name for skill in found.seen) == sorted(listed for listed, _, _ in recorded)
    for skill in found.seen:
        paths = {Path(path).resolve() for path in either.get(skill.path, {skill.path})}
        of_name = [one for one in recorded if one[0] == skill.name]
        if tool != "qwen-code":  # names no path
            of_name = [one for one in of_name if (tmp_path / one[2]).resolve() in paths]
        assert len(of_name) == 1, skill
        assert skill.path in either or _is_same(of_name[0][1], skill.description), skill


def _is_same(recorded: str, description: str) -> bool:
    """Whether a record is of a description. kimi-cli has words of its own for a file without text."""
    start, dots, length = recorded.replace("No description provided.", "").partition("… ")
    return start[:40].strip() == description[:40].strip() and (not dots or int(length) == len(description))
