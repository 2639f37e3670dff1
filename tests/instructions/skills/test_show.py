"""`loopspec show --as` lists the skills that a tool offers to a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...conformance.cli.in_process import called
from ..test_show_difference import git
from .trees import GIT, Tree, lay, skill

TOP = "p/.agents/skills"
FILES = {
    f"{TOP}/pdf/SKILL.md": skill("pdf"),
    f"{TOP}/deep/er/SKILL.md": skill("er"),
    f"{TOP}/plain/SKILL.md": "No front matter.\n",
    f"{TOP}/long/SKILL.md": skill('"a\\u001bb"', "d" * 2000),
    "p/.claude/skills/only/SKILL.md": skill("only"),
    "home/.agents/skills/pdf/SKILL.md": skill("pdf", "Another one"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project with skills, which is the current folder."""
    lay(Tree({**GIT, **FILES}), tmp_path)
    monkeypatch.chdir(tmp_path / "p")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "p"


def skills_in(out: str) -> list[str]:
    """The lines about skills."""
    lines = out.splitlines()
    return lines[next((at for at, line in enumerate(lines) if line.startswith("Skills that ")), len(lines)) :]


def test_the_skills_of_a_tool(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the reason for each skill that the tool passes over."""
    ended = called(capsys, "show", "--as", "gemini-cli")

    assert skills_in(ended.out) == [
        "Skills that gemini-cli 0.61.0 offers to a model:",
        r"  a\x1bb  .agents/skills/long/SKILL.md",
        "  pdf  .agents/skills/pdf/SKILL.md",
        "  not .agents/skills/plain/SKILL.md: no front matter between two lines `---` at the start of the file",
        "  not .agents/skills/deep/er/SKILL.md: more levels below the skills folder than the tool searches",
        "  not ~/.agents/skills/pdf/SKILL.md: hidden by .agents/skills/pdf/SKILL.md, which has the same name",
        "  not .claude/skills/only/SKILL.md: in a folder that the tool does not search for skills",
        "  A model is shown the name, the description and the path of a skill.",
        "  A model loads a skill by a tool of its own.",
    ]


def test_a_cut_description(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = skills_in(called(capsys, "show", "--as", "codex").out)

    assert r"  a\x1bb  .agents/skills/long/SKILL.md, with 1,024 characters of its description" in lines


def test_a_tool_that_is_known_by_its_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = skills_in(called(capsys, "show", "--as", "claude-code").out)

    assert lines[:2] == [
        "Skills that Claude Code offers to a model, according to its document:",
        "  only  .claude/skills/only/SKILL.md",
    ]
    assert "A model" not in "".join(lines)


def test_a_dialect_without_skills_has_no_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert skills_in(called(capsys, "show", "--as", "eino").out) == []
    assert skills_in(called(capsys, "show", "../home/.agents", "--as", "qwen-code", "--home", "..").out) == []


def test_the_skills_of_a_commit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", ".agents/skills/pdf")
    git(folder, "commit", "--quiet", "--message", "one")

    lines = skills_in(called(capsys, "show", "--as", "qwen-code", "--at", "HEAD").out)

    assert lines[1] == "  pdf  .agents/skills/pdf/SKILL.md"
    assert [line for line in lines if "plain" in line or "only" in line] == []
