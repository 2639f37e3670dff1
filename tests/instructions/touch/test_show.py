"""`loopspec show --as TOOL --after VERB:PATH`: what a model receives on touch."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec.contract.dialects import dialect_names

from ...conformance.cli.in_process import called
from ..skills.trees import GIT, Tree, lay
from ..test_show_difference import git

_NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
FILES = {
    **{f"{folder}/{name}": f"{name} of {folder}.\n" for folder in ("p", "p/src", "p/src/in") for name in _NAMES},
    "p/src/CLAUDE.md": "@style.md\n",
    "p/src/style.md": "The style.\n",
    "p/src/in/a.py": "",
}
TOUCHES = ("list:src", "read:src/in/a.py", "print:src/in/a.py")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project with nested files, which is the current folder."""
    lay(Tree({**GIT, **FILES}), tmp_path)
    monkeypatch.chdir(tmp_path / "p")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "p"


def after(*touches: str) -> list[str]:
    """The options for touches."""
    return [part for touch in touches for part in ("--after", touch)]


@pytest.mark.parametrize("name", dialect_names())
def test_a_tool_on_touch(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """The whole output is compared."""
    ended = called(capsys, "show", "--as", name, *after(*TOUCHES))

    assert (ended.code, ended.err) == (0, "")
    assert ended.out == snapshot


def test_a_large_file_is_cut(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "src/in/CLAUDE.md").write_text(("x" * 99 + "\n") * 1600, encoding="utf-8")

    ended = called(capsys, "show", "--as", "claude-code", *after("read:src/in/a.py"))

    assert "  3  src/in/CLAUDE.md  160000 bytes, cut after 150000 bytes, in line 1501" in ended.out.splitlines()
    assert "  src/in/CLAUDE.md: cut after 150000 bytes by the budget" in ended.out.splitlines()


def test_a_commit_is_touched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is not part of the commit is not there."""
    git(folder, "init", "--quiet")
    git(folder, "add", "src/in/a.py", "src/AGENTS.md")
    git(folder, "commit", "--quiet", "--message", "one")

    ended = called(capsys, "show", "--as", "opencode", "--at", "HEAD", *after("read:src/in/a.py"))

    assert ended.out.startswith("AGENTS.md of p/src.\n\n\nAfter read:")
    missing = called(capsys, "show", "--as", "opencode", "--at", "HEAD", *after("read:src/style.md"))
    assert missing.err == "loopspec: --after read:src/style.md: there is no src/style.md in the folder of the start\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (after("rad:src"), "--after rad:src: 'rad' is no verb: did you mean 'read'?"),
        (after("src"), "--after src: write VERB:PATH, with one of read, edit, list, search, print"),
        (after("read:"), "--after read:: write VERB:PATH, with one of read, edit, list, search, print"),
        (after("zzz:src"), "--after zzz:src: 'zzz' is no verb: the verbs are read, edit, list, search, print"),
        (after("read:no\nne"), r"--after read:no\nne: there is no no\nne in the folder of the start"),
        (
            [*after("read:src"), "--against", "codex"],
            "--after is for one tool and one commit: leave out the other side",
        ),
        ([*after("read:src"), "--at", "A..B"], "--after is for one tool and one commit: leave out the other side"),
    ],
)
def test_a_wrong_touch_is_one_sentence(
    arguments: list[str], sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = called(capsys, "show", "--as", "pi", *arguments)

    assert (ended.code, ended.out, ended.err) == (2, "", f"loopspec: {sentence}\n")


def test_after_is_for_one_tool(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for names in ("all", "pi,codex"):
        ended = called(capsys, "show", "--as", names, *after("read:src"))
        assert (ended.code, ended.err) == (2, "loopspec: --after is of one tool: name one tool after --as\n")
    alone = called(capsys, "show", *after("read:src"))
    assert (alone.code, alone.err) == (2, "loopspec: --after is for --as only: add --as DIALECT\n")
