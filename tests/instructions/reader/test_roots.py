"""Which folders are searched, and what the root of a project is."""

from __future__ import annotations

import pytest

from loopspec_instructions.reader import Special

from .dialects import Files, paths

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
