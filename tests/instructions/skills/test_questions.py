"""The questions about skills, and the answers of the tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urldefrag

import pytest

from loopspec.contract.dialects import dialect_names
from loopspec_instructions.reader import DiskFiles, MemoryFiles, Special
from loopspec_instructions.skills import (
    Skills,
    questions,
    read_skills,
    reasons,
    skill_dialects,
    values_of,
)

from .trees import TREES, lay, skill

EACH_TOOL = pytest.mark.parametrize("name", skill_dialects())
# What a model is shown, and what the reader does not need.
NOT_READ = ("ignore-files", "shown", "loaded")


def test_there_are_enough_questions_and_measured_tools() -> None:
    assert len(questions()) >= 25
    assert sum(skill_dialects()[name].judged for name in skill_dialects()) >= 6
    assert skill_dialects().keys() <= set(dialect_names())


def test_questions_and_sentences_are_whole_and_unique() -> None:
    sentences = [value.sentence for of in questions().values() for value in of.values.values()]

    assert all(re.fullmatch(r"[A-Z].*[^?]\?", of.question) for of in questions().values())
    assert all(re.fullmatch(r"[A-Z].*[^.]\.", sentence) for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("axis", questions())
def test_each_value_is_that_of_a_tool(axis: str) -> None:
    """As its document has it or as it does; so a question has two values at least."""
    choices = [choice for name in skill_dialects() if (choice := skill_dialects()[name].axes.get(axis))]
    had = {value for choice in choices for value in (choice.documented, choice.observed, choice.measured)}

    assert len(questions()[axis].values) >= 2
    assert questions()[axis].values.keys() <= had


@EACH_TOOL
def test_a_tool_has_one_answer_with_one_basis_to_each_question_that_concerns_it(name: str) -> None:
    known = skill_dialects()[name]
    concerned = {
        axis
        for axis, of in questions().items()
        if all(known.axes[other].actual != value for other, value in of.unless.items() if other in known.axes)
    }

    assert known.axes.keys() == concerned
    assert bool(known.version) is known.judged
    for axis, choice in known.axes.items():
        assert {choice.documented, choice.observed, choice.measured} - {""} <= questions()[axis].values.keys(), axis
        assert sum(map(bool, (choice.documented, choice.measured, choice.unknown))) == 1, axis
        assert known.judged or not (choice.measured or choice.observed), axis
        assert bool(choice.documented) is bool(choice.link) is choice.says.endswith("."), axis
        assert not choice.documented or urldefrag(choice.link).url in known.documents, axis
        assert choice.observed != choice.documented or not choice.observed, axis


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
