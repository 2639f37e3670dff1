"""`loopspec lint`: what is left out, what is not checked, exceptions, levels and fixes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopspec.contract.workspaces import Entry

from ...conformance.cli.in_process import called, said
from .judged import on_disk

DEAD = Entry(text="@./missing.md\n")


@pytest.fixture
def project() -> Iterator[Path]:
    """A repository with a file in order."""
    with on_disk({"project/CLAUDE.md": Entry(text="Use tabs.\n")}) as tree:
        yield tree.base / "project"


def write(project: Path, path: str, text: str = "@./missing.md\n") -> None:
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def rules_in(capsys: pytest.CaptureFixture[str], project: Path, *arguments: str) -> list[tuple[str, str]]:
    """The rule and the path of each finding."""
    report = json.loads(called(capsys, "lint", str(project), "--json", *arguments).out)
    return [(one["rule"], one["path"]) for one in report["findings"]]


@pytest.mark.parametrize("path", ["fixtures/CLAUDE.md", "a/testdata/b/CLAUDE.md", "third_party/x/CLAUDE.md"])
def test_a_folder_of_others_is_left_out_unless_included(
    path: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`include` names the folder, a pattern, or a folder below."""
    write(project, path)
    folder = path.rpartition("/")[0]
    while folder.rpartition("/")[2] in ("b", "x"):
        folder = folder.rpartition("/")[0]

    assert rules_in(capsys, project) == []
    assert f"left out: {folder} (" in called(capsys, "lint", str(project)).out
    for include in (folder, f"{folder}/", f"{folder[:-2]}*", f"{folder}/b/c"):
        write(project, "loopspec.toml", f"[lint]\ninclude = ['{include}']\n")
        assert rules_in(capsys, project) == [("LINT-01", path)], include


def test_an_excluded_path_has_no_findings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`exclude` names files, folders and patterns."""
    for path in ("a/CLAUDE.md", "b/c/CLAUDE.md", "d/CLAUDE.md", "e/CLAUDE.md"):
        write(project, path)
    write(project, "loopspec.toml", '[lint]\nexclude = ["a", "b/*", "d/CLAUDE.md"]\n')

    assert rules_in(capsys, project) == [("LINT-01", "e/CLAUDE.md")]


def test_a_tracked_file_is_linted_although_a_pattern_matches(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For Git, the patterns are about other files only."""
    write(project, ".gitignore", "a\nb\n!b/c\n")
    for path in ("a/CLAUDE.md", "b/CLAUDE.md"):
        write(project, path)
    assert rules_in(capsys, project) == []
    subprocess.run(["git", "-C", str(project), "add", "-f", "a/CLAUDE.md"], check=True)

    assert rules_in(capsys, project) == [("LINT-01", "a/CLAUDE.md")]


def test_a_deeper_gitignore_wins(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last pattern of the nearest file decides, also below a folder that is linted by its name."""
    write(project, ".gitignore", "CLAUDE.md\n")
    write(project, "a/.gitignore", "!CLAUDE.md\n")
    write(project, "a/b/CLAUDE.md")
    write(project, "c/CLAUDE.md")

    assert rules_in(capsys, project) == [("LINT-01", "a/b/CLAUDE.md")]
    assert rules_in(capsys, project / "a" / "b") == [("LINT-01", "CLAUDE.md")]
    assert rules_in(capsys, project / "c") == []


def test_a_start_is_a_folder_without_an_instruction_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`starts` names folders in which persons start a tool."""
    write(project, "AGENTS.md", "Use tabs.\n")
    write(project, "CLAUDE.md", "@AGENTS.md\n")
    write(project, "packages/api/main.go", "package main\n")
    assert rules_in(capsys, project) == []
    write(project, "loopspec.toml", '[lint]\nstarts = ["packages/*"]\n')

    assert said(capsys, "lint", str(project), "--as", "claude-code")[0] == (
        "CLAUDE.md:1: warning LINT-32 imports AGENTS.md: Claude Code started in ./ loads it, "
        "and started in packages/api/ only after the user has agreed"
    )


def test_every_rule_is_ignored_by_a_star_until_a_day(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The finding counts again after the last day, and a line says so."""
    write(project, "CLAUDE.md")
    entry = '[[lint.ignore]]\nrule = "*"\npath = "*.md"\nreason = "Later."\n'
    write(project, "loopspec.toml", f"{entry}until = 9999-12-31\n")
    assert rules_in(capsys, project) == []
    write(project, "loopspec.toml", f"{entry}until = 2020-02-29\n")

    lines = said(capsys, "lint", str(project), code=1)
    assert "LINT-01" in lines[0]
    assert lines[1] == "loopspec.toml ignored * in *.md until 2020-02-29: mend the finding and remove the entry"


def test_a_wrong_date_is_a_usage_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """TOML has dates without quotation marks."""
    write(project, "loopspec.toml", '[[lint.ignore]]\nrule = "*"\npath = "*"\nreason = "x"\nuntil = "soon"\n')

    assert "`until`, a date such as 2030-12-31" in called(capsys, "lint", str(project)).err


LEVELS = {"error": "@./missing.md\n", "warning": "Follow `@docs/a.md`\n", "note": " \n"}


@pytest.mark.parametrize("level", LEVELS)
def test_fail_on_decides_the_exit_code(level: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors fail by default."""
    write(project, "docs/a.md", "A.\n")
    (project / "CLAUDE.md").unlink()
    write(project, "GEMINI.md", LEVELS[level])
    codes = {on: called(capsys, "lint", str(project), "--fail-on", on).code for on in LEVELS}
    failing = [*LEVELS][[*LEVELS].index(level) :]

    assert codes == {on: int(on in failing) for on in LEVELS}
    assert called(capsys, "lint", str(project)).code == (level == "error")


def test_the_report_ends_with_what_is_not_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of tools that no rule is about, and what is left out."""
    for path in (".claude/agents/a.md", ".claude/agents/b.md", ".cursor/rules/x.mdc", ".cursorrules"):
        write(project, path)
    for path in ("skills/x/SKILL.md", ".claude/skills/y/SKILL.md", ".github/copilot-instructions.md"):
        write(project, path)
    for path in ("vendor/CLAUDE.md", "x/fixtures/y/z", ".agents/x/AGENTS.md", ".venv/x"):
        write(project, path)
    write(project, ".gitignore", ".venv\nbuild/\n")
    write(project, "build/x")

    last = said(capsys, "lint", str(project), "--as", "claude-code")[-2:]

    kinds = "instructions of GitHub Copilot (1 file), rules of Cursor (2 files)"
    hidden = "instruction files in folders such as .agents/x, where no tool starts (1 file)"
    assert last == [
        f"not checked: {kinds}, skills (2 files), sub-agents of Claude Code (2 files), {hidden}",
        "left out: vendor (packages of others), x/fixtures (test data) and 2 entries that Git ignores",
    ]


FIXES = {
    "LINT-02": (
        "Read @docs/a.md, then (@./docs/a.md).\n@docs/a.md\n",
        "Read @docs/a.md , then (@./docs/a.md).\n@docs/a.md\n",
    ),
    "LINT-34": ("One\r\n@./Docs/A.md\r\n", "One\r\n@./docs/a.md\r\n"),
    "LINT-20": ("\ufeff# Rules\n", "# Rules\n"),
}


@pytest.mark.parametrize("rule", FIXES)
def test_fix_prints_a_diff_and_then_mends_the_file(
    rule: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The findings are gone, and other bytes and the mode of the file are the same."""
    before, after = FIXES[rule]
    name = "AGENTS.md" if rule == "LINT-20" else "CLAUDE.md"
    write(project, "docs/a.md", "A.\n")
    (project / "CLAUDE.md").unlink()
    (project / name).write_bytes(before.encode())
    (project / name).chmod(0o640)
    assert rule in {found for found, _ in rules_in(capsys, project)}

    lines = called(capsys, "lint", str(project), "--fix").out.splitlines()

    assert lines[:2] == [f"--- {name}", f"+++ {name}"]
    assert lines[-1].startswith("no findings")
    assert (project / name).read_bytes() == after.encode()
    assert (project / name).stat().st_mode & 0o777 == 0o640


def test_fix_changes_no_file_outside_and_no_accepted_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link that leads out of the repository is not written through."""
    outside = project.parent / "outside.md"
    outside.write_text("\ufeff# Rules\n", encoding="utf-8")
    (project / "AGENTS.md").symlink_to(outside)
    write(project, "a/AGENTS.md", "\ufeff# Accepted\n")
    write(project, "loopspec.toml", '[[lint.ignore]]\nrule = "*"\npath = "a/*"\nreason = "x"\n')

    out = called(capsys, "lint", str(project), "--as", "codex", "--fix").out

    assert outside.read_text(encoding="utf-8").startswith("\ufeff")
    assert (project / "a/AGENTS.md").read_text(encoding="utf-8").startswith("\ufeff")
    assert "---" not in out


def test_fix_of_a_file_that_cannot_be_written_is_a_usage_error(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the file; there is no traceback."""

    def refusing(self: Path, data: bytes) -> int:
        raise PermissionError(13, "Permission denied", str(self))

    (project / "AGENTS.md").write_text("\ufeff# Rules\n", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", refusing)
    ended = called(capsys, "lint", str(project), "--as", "codex", "--fix")

    assert ended.code == 2
    assert "AGENTS.md cannot be written: Permission denied" in ended.err


@pytest.mark.parametrize("arguments", [["--json", "--fix"], ["--sarif", "--fix"]])
def test_a_fix_is_printed_as_text_only(arguments: list[str], project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program that reads the other forms would read the diff."""
    ended = called(capsys, "lint", str(project), *arguments)

    assert ended.code == 2
    assert "--fix" in ended.err
