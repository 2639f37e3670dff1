"""The questions about skills, and the answers of the tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopspec.contract.dialects import dialect_names
from loopspec_instructions.answers import questions, reasons, skill_dialects, values_of
from loopspec_instructions.reader import DiskFiles, MemoryFiles
from loopspec_instructions.reader.memory import Special
from loopspec_instructions.skills.reader import Skills, read_skills

from .trees import TREES, lay, skill

# What a model is shown, and what the reader does not need.
NOT_READ = ("ignore-files", "shown", "loaded")


def test_there_are_enough_questions_and_measured_tools() -> None:
    assert len(questions()) >= 25
    assert sum(skill_dialects()[name].judged for name in skill_dialects()) >= 6
    assert skill_dialects().keys() <= set(dialect_names())


def _readings(base: Path, values: dict[str, str]) -> Iterator[Skills]:
    for number, tree in enumerate(TREES.values()):
        at = base / str(number)
        yield read_skills(DiskFiles(), str(at / tree.cwd), str(at / tree.home), values)


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All trees, each in a folder with its number."""
    base = tmp_path_factory.mktemp("trees").resolve()
    for number, tree in enumerate(TREES.values()):
        lay(tree, base / str(number))
    return base


@pytest.mark.parametrize(
    ("axis", "value"),
    [(axis, value) for axis, of in questions().items() if axis not in NOT_READ for value in of.values],
)
def test_each_value_makes_a_difference(axis: str, value: str, laid: Path) -> None:
    """Against another value, in the reading of a tree by a tool."""
    others = [other for other in questions()[axis].values if other != value]

    assert any(
        one != two
        for name in skill_dialects()
        for other in others
        for one, two in zip(
            _readings(laid, {**values_of(name), axis: other}),
            _readings(laid, {**values_of(name), axis: value}),
            strict=True,
        )
    )


def test_each_reason_is_given(laid: Path) -> None:
    strict = {**values_of("opencode"), "other-name": "skipped", "name-characters": "strict"}
    found = {
        one.reason
        for name in skill_dialects()
        for each in _readings(laid, dict(values_of(name)))
        for one in each.unseen
    }
    found |= {one.reason for each in _readings(laid, strict) for one in each.unseen}
    forbidden = MemoryFiles({"/p/.agents/skills/x/SKILL.md": Special.FORBIDDEN})
    found |= {one.reason for one in read_skills(forbidden, "/p", "/h", values_of("codex")).unseen}

    assert found == reasons().keys()
    assert all(sentence[0].islower() or sentence[0] in "{U" for sentence in reasons().values())


def test_the_description_of_a_hidden_or_cut_skill(tmp_path: Path) -> None:
    """A description that is cut is marked, and its start is kept."""
    lay_one = {"/p/.agents/skills/x/SKILL.md": skill("x", "d" * 2000)}

    (cut,) = read_skills(MemoryFiles(lay_one), "/p", "/h", values_of("codex")).seen
    (whole,) = read_skills(MemoryFiles(lay_one), "/p", "/h", values_of("pi")).seen

    assert (len(cut.description), cut.is_cut) == (1024, True)
    assert (len(whole.description), whole.is_cut) == (2000, False)
