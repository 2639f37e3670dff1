"""Which folders are searched, and what the root of a project is."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import Link, Node, Note, Special

from .dialects import PLAIN, Files, loaded, paths, read

TREE: Files = {path: path for path in ("/A.md", "/p/A.md", "/p/a/A.md", "/p/a/b/A.md", "/p/a/b/c/A.md", "/p/x/A.md")}

GIT: Files = {
    "/p/.git/HEAD": "ref: refs/heads/main\n",
    "/p/.git/objects": Special.FOLDER,
    "/p/.git/refs": Special.FOLDER,
}


@pytest.mark.parametrize("missing", sorted(GIT))
def test_an_incomplete_repository_is_no_repository(missing: str) -> None:
    """Each of the three entries is needed."""
    rest = {path: node for path, node in GIT.items() if path != missing}

    assert paths({**TREE, **rest}, root="git-repository") == ["/p/a/b/A.md"]
    assert paths({**TREE, **rest}, root="git-entry") == ["/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]


@pytest.mark.parametrize(
    ("head", "accepted"),
    [("ref: refs/heads/x", True), ("ref: elsewhere", False), ("0" * 40 + "\n", True), ("0" * 39 + "\n", False)],
)
def test_git_checks_the_head(head: str, accepted: bool) -> None:
    """HEAD names a branch or a commit."""
    assert (len(paths({**TREE, **GIT, "/p/.git/HEAD": head}, root="git-repository")) == 3) is accepted


@pytest.mark.parametrize(("target", "accepted"), [("../.git", True), ("/p/.git", True), ("../nothing", False)])
def test_a_git_file_names_a_repository(target: str, accepted: bool) -> None:
    """A linked worktree has such a file; its path is relative to the folder of the file."""
    nodes = {**TREE, **GIT, "/p/a/.git": f"gitdir: {target}\n"}
    expected = ["/p/a/A.md", "/p/a/b/A.md"] if accepted else ["/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]

    assert paths(nodes, root="git-repository") == expected


@pytest.mark.parametrize(
    ("node", "accepted"), [("gitdir: x", True), (Special.FOLDER, True), (Special.PIPE, False), (Link("../g"), False)]
)
def test_a_git_entry_that_is_no_link(node: Node, accepted: bool) -> None:
    """The axis value "git-folder-or-file"; the value "git-entry" accepts all of them."""
    tree: Files = {"/r/A.md": "r", "/r/s/A.md": "s", "/r/.git": node, "/g": Special.FOLDER}

    assert paths(tree, cwd="/r/s", root="git-folder-or-file") == (["/r/A.md"] if accepted else []) + ["/r/s/A.md"]
    assert paths(tree, cwd="/r/s", root="git-entry") == ["/r/A.md", "/r/s/A.md"]


WORKTREE: Files = {
    "/r/.git/HEAD": "ref: refs/heads/main",
    "/r/.git/worktrees/w/HEAD": "ref: refs/heads/w",
    "/r/.git/worktrees/w/commondir": "../..\n",
    "/r/w/.git": "gitdir: /r/.git/worktrees/w\n",
    "/r/A.md": "main",
    "/r/w/A.md": "worktree",
    "/r/w/s/A.md": "below",
}


@pytest.mark.parametrize(
    ("value", "nodes", "expected"),
    [
        ("no", {}, ["main", "worktree", "below"]),
        ("hides", {}, ["worktree", "below"]),
        ("hides", {"/r/w/.git": "gitdir: ../.git/worktrees/w"}, ["worktree", "below"]),
        ("hides", {"/r/w/.git": Special.FOLDER}, ["main", "worktree", "below"]),
        ("hides", {"/r/w/.git": "nothing"}, ["main", "worktree", "below"]),
        ("hides", {"/r/.git/worktrees/w/commondir": "../../.."}, ["main", "worktree", "below"]),
        ("hides", {"/r/w/A.md": ""}, ["below"]),
    ],
)
def test_a_linked_worktree_below_its_repository(value: str, nodes: Files, expected: list[str]) -> None:
    """The axis `worktree`: the file at the root of the worktree is a copy of the file at the root of the repository."""
    values: dict[str, Any] = {"worktree": value, "root": "nothing", "walk": "file-system-root"}
    reading = read({**WORKTREE, **nodes}, PLAIN, cwd="/r/w/s", **values)

    assert [text for _, text in loaded(reading)] == expected
    hidden = Note("hidden", "/r/A.md", other="/r/w/A.md")
    assert (hidden in reading.notes) == ("main" not in expected)
