"""What Git ignores and tracks, compared with Git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loopspec_instructions.linting.version_control import Ignored, Index

PATTERNS = [
    *("target", "/target", "target/", "*.md", "a/*.md", "**/x", "a/**", "a/**/b", "!keep.md", "# no", "\\#yes"),
    *("[ab].md", "[!ab].md", "?.md", "a b ", "a\\ ", "doc/*/x", "*", "!*/", "**", "/*", "a**b", "[", "x["),
    *("", "   ", "\\!x", "[]a].md"),
]
PATHS = [
    *("target", "a/target", "a/target/x", "x", "b/x", "a/b", "a/c/b", "a/c/d/b", "a.md", "b.md", "c.md", "a/a.md"),
    *("keep.md", "#yes", "# no", "a b", "a ", "doc/1/x", "doc/1/2/x", "ab", "a1b", "!x", "].md", "[", "a/x/y.md"),
]


@pytest.mark.parametrize("lines", [[one] for one in PATTERNS] + [["*.md", "!keep.md"], ["*", "!*/", "!*.md"]], ids=repr)
def test_a_pattern_matches_what_it_matches_for_git(lines: list[str], tmp_path: Path) -> None:
    """Each path alone, as a file: a folder above that is ignored is not looked at."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = subprocess.run(
        ["git", "-C", str(tmp_path), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"],
        input="\0".join(PATHS) + "\0",
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split("\0")
    expected = {
        asked[at + 3]: bool(asked[at]) and not asked[at + 2].startswith("!") for at in range(0, len(asked) - 1, 4)
    }
    ignored = Ignored(tmp_path / ".gitignore")

    def decided(path: str) -> bool:
        folders = [path[:at] for at, char in enumerate(path) if char == "/"]
        return any(ignored.decides(each, is_folder=True) for each in folders) or bool(
            ignored.decides(path, is_folder=False)
        )

    assert {path: decided(path) for path in PATHS} == expected


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_index_holds_what_git_tracks(version: str, tmp_path: Path) -> None:
    """A path is whole: the end of another path is not tracked. Version 4 is not read."""
    git(tmp_path, "init", "-q")
    long = "/".join(["folder" * 20] * 40) + "/x.md"
    for path in ("a/CLAUDE.local.md", "CLAUDE.md", "b/c/d.md", "CLAUDE.mdx", "intent.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x", encoding="utf-8")
    git(tmp_path, "add", "a", "CLAUDE.mdx", "b")
    blob = subprocess.run(
        ["git", "-C", str(tmp_path), "hash-object", "-w", "CLAUDE.mdx"], capture_output=True, text=True
    )
    if version != "4":
        git(tmp_path, "update-index", "--add", "--cacheinfo", f"100644,{blob.stdout.strip()},{long}")
    if version == "3":
        git(tmp_path, "add", "--intent-to-add", "intent.md")
    git(tmp_path, "update-index", "--index-version", version) if version == "4" else None
    index = Index(str(tmp_path))
    tracked = {"a/CLAUDE.local.md", "a", "b/c", "b", "b/c/d.md", "CLAUDE.mdx", long}
    tracked |= {"intent.md"} if version == "3" else set()
    paths = [*tracked, "CLAUDE.local.md", "CLAUDE.md", "c", "d.md", "CLAUDE.mdx/x", "intent.md", "b/c/d", "missing"]

    assert {path for path in paths if index.holds(path)} == (set() if version == "4" else tracked)


def test_the_index_of_a_linked_worktree_is_read(tmp_path: Path) -> None:
    """Its .git is a file that names the folder of Git."""
    main, worktree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    git(main, "init", "-q")
    (main / "CLAUDE.local.md").write_text("x", encoding="utf-8")
    git(main, "add", ".")
    git(main, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one")
    git(main, "worktree", "add", "-q", str(worktree))

    assert Index(str(worktree)).holds("CLAUDE.local.md")
    assert not Index(str(tmp_path)).holds("CLAUDE.local.md")
