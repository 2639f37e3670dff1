"""`loopspec show --as A --against B` and `--at REV..REV`: what differs between two tools and between two commits."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from loopspec.contract.faults import UsageError
from loopspec_instructions.at_commit import FilesAtCommit

from ..conformance.cli.in_process import called

Captured = pytest.CaptureFixture[str]


def git(folder: Path, *arguments: str) -> str:
    """What Git prints, with an identity and without the configuration of the machine."""
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    names = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], **own, **names}
    ended = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return ended.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two commits, and a work tree that differs from both; the home folder is next to it."""
    root = tmp_path / "repo"
    (root / "api").mkdir(parents=True)
    (tmp_path / "home/.codex").mkdir(parents=True)
    (tmp_path / "home/.codex/AGENTS.md").write_text("Global.\n", encoding="utf-8")
    git(root, "init", "--quiet")
    (root / "AGENTS.md").write_text("First.\n", encoding="utf-8")
    (root / "api/note.txt").write_text("", encoding="utf-8")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "one")
    (root / "AGENTS.md").write_text("First.\nSecond.\n", encoding="utf-8")
    (root / "api/AGENTS.md").symlink_to("../AGENTS.md")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "two")
    (root / "AGENTS.md").write_text("Third.\n", encoding="utf-8")
    (root / "AGENTS.override.md").write_text("Untracked.\n", encoding="utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return root


def test_two_tools(repository: Path, capsys: Captured) -> None:
    ended = called(capsys, "show", "api", "--as", "codex", "--against", "kimi-cli")

    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert [line.split() for line in lines[:5]] == [
        ["file", "codex", "kimi-cli"],
        ["~/.codex/AGENTS.md", "1", "–"],
        ["../AGENTS.md", "hidden", "1"],
        ["../AGENTS.override.md", "2", "–"],
        ["AGENTS.md", "3", "2", "differs"],
    ]
    at = lines.index("--- codex")
    assert lines[at + 1] == "+++ kimi-cli"
    assert {"-Global.", "-Untracked."} < set(lines[at:])


def test_two_commits(repository: Path, capsys: Captured) -> None:
    """Only the commits count: no file of the work tree is read."""
    ended = called(capsys, "show", "api", "--as", "codex", "--at", "HEAD~..HEAD")

    lines = ended.out.splitlines()
    assert ended.code == 0
    assert [line.split() for line in lines[:4]] == [
        ["file", "HEAD~", "HEAD"],
        ["~/.codex/AGENTS.md", "1", "1"],
        ["../AGENTS.md", "2", "2", "differs"],
        ["AGENTS.md", "–", "3"],
    ]
    assert lines[lines.index("--- HEAD~") :][1] == "+++ HEAD"
    assert [line for line in lines if line.startswith("+")] == ["+++ HEAD", "+Second.", "+", "+", "+First.", "+Second."]
    assert "Third." not in ended.out
    assert "Untracked." not in ended.out


def test_one_commit(repository: Path, capsys: Captured) -> None:
    ended = called(capsys, "show", "--as", "codex", "--at", "HEAD~")
    table = called(capsys, "show", "--as", "codex,kimi-cli", "--at", "HEAD")

    assert ended.out.startswith("Global.\n\nFirst.\n\n\n")
    assert "Second." not in ended.out
    assert "AGENTS.override.md" not in table.out


def test_the_same_text(repository: Path, capsys: Captured) -> None:
    (repository / "AGENTS.override.md").unlink()

    ended = called(capsys, "show", "--as", "opencode", "--against", "pi")

    assert ended.out.splitlines()[-1] == "A model receives the same text."


def test_long_texts_are_not_compared(repository: Path, capsys: Captured) -> None:
    (repository / "AGENTS.override.md").write_text("line\n" * 20_001, encoding="utf-8")

    ended = called(capsys, "show", "--as", "gemini-cli", "--against", "pi")

    assert ended.out.splitlines()[-1] == "The texts have more than 20,000 lines, and are not compared."


def test_git_of_a_hook_does_not_lead_to_another_repository(
    repository: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of Git starts with the variable GIT_DIR."""
    monkeypatch.setenv("GIT_DIR", "/nowhere")

    assert called(capsys, "show", "--as", "codex", "--at", "HEAD").code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--at", "none"], "there is no commit 'none' in {root}: name a commit, a branch or a tag"),
        (["--at", "-x"], "there is no commit '-x' in {root}: name a commit, a branch or a tag"),
        (["new", "--at", "HEAD"], "{root}/new is no folder in the commit 'HEAD': name another folder or commit"),
    ],
)
def test_a_wrong_commit_is_one_sentence(
    arguments: list[str], sentence: str, repository: Path, capsys: Captured
) -> None:
    (repository / "new").mkdir()

    ended = called(capsys, "show", *arguments[:-2], "--as", "codex", f"--at={arguments[-1]}")

    assert (ended.code, ended.out, ended.err) == (2, "", f"loopspec: {sentence.format(root=repository)}\n")


def test_a_folder_outside_any_repository(tmp_path: Path, capsys: Captured) -> None:
    ended = called(capsys, "show", str(tmp_path), "--as", "codex", "--at", "HEAD")

    assert ended.code == 2
    assert ended.err.startswith(f"loopspec: Git cannot read {tmp_path} for --at: not a git repository")


def test_files_of_a_commit(repository: Path, tmp_path: Path) -> None:
    """Links, folders, submodules, missing objects, and what is outside the work tree."""
    (tmp_path / "outside.md").write_text("Outside.\n", encoding="utf-8")
    (repository / "out.md").symlink_to("../outside.md")
    (repository / "loop.md").symlink_to("loop.md")
    (repository / "nowhere.md").symlink_to("nothing")
    (repository / "caf\udce9.md").write_text("Odd name.\n", encoding="utf-8")
    (repository / "lost.md").write_text("Lost.\n", encoding="utf-8")
    git(repository, "add", "--all")
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    git(repository, "commit", "--quiet", "--message", "three")
    lost = git(repository, "rev-parse", "HEAD:lost.md")
    (repository / ".git/objects" / lost[:2] / lost[2:]).unlink()

    files = FilesAtCommit(repository, "HEAD")
    path = "{}/{}".format

    assert files.kind(path(repository, "api")) == files.kind(path(repository, "module")) == "folder"
    assert files.kind(path(repository, "loop.md")) == "loop"
    assert files.kind(path(repository, "nowhere.md")) == "missing"
    assert files.read(path(repository, "out.md"), 99).data == b"Outside.\n"
    assert files.read(path(repository, "api/AGENTS.md"), 3).data == b"Thi"
    assert files.read(path(repository, "api/AGENTS.md"), 3).size == 7
    assert files.read(path(repository, "caf\udce9.md"), 99).data == b"Odd name.\n"
    assert files.real_path(path(repository, "api/AGENTS.md")) == path(repository, "AGENTS.md")
    assert files.identity(path(repository, "api/AGENTS.md")) == files.identity(path(repository, "AGENTS.md"))
    assert [entry.name for entry in files.entries(path(repository, "api"))] == ["AGENTS.md", "note.txt"]
    assert files.kind(path(repository, ".git/HEAD")) == "file"
    with pytest.raises(OSError, match="the object is missing"):
        files.read(path(repository, "lost.md"), 99)


def test_nothing_is_written(repository: Path, capsys: Captured) -> None:
    def states() -> list[tuple[str, float]]:
        return sorted((str(path), path.lstat().st_mtime_ns) for path in repository.rglob("*"))

    before = states()

    called(capsys, "show", "--as", "codex", "--at", "HEAD~..HEAD")

    assert states() == before


def test_without_git(repository: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))

    with pytest.raises(UsageError, match="PATH has no git, which --at needs: install Git"):
        FilesAtCommit(repository, "HEAD")
