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


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, ["/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]),
        ({"order": "from-working-directory"}, ["/p/a/b/A.md", "/p/a/A.md", "/p/A.md"]),
        ({"walk": "above-root"}, ["/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]),
        ({"walk": "file-system-root"}, ["/A.md", "/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]),
        ({"root": "nothing"}, ["/p/a/b/A.md"]),
        ({"root": "git-repository"}, ["/p/a/b/A.md"]),
        ({"root": "nothing", "no_root": "every-folder-above"}, ["/A.md", "/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]),
        ({"root": "nothing", "no_root": "above-home"}, ["/A.md", "/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]),
        ({"below": "yes"}, ["/p/A.md", "/p/a/A.md", "/p/a/b/A.md", "/p/a/b/c/A.md"]),
    ],
)
def test_the_folders_of_the_search(values: dict[str, Any], expected: list[str]) -> None:
    """The axes `order`, `walk`, `root`, `no_root` and `below`."""
    assert paths(TREE, **values) == expected


def test_the_nearest_file() -> None:
    """The axis value "nearest": the search ends at the first folder with a file, or at the root."""
    tree: Files = {"/A.md": "x", "/p/A.md": "p", "/p/a/B.md": "a", "/p/a/A.md/x": ""}
    groups = (("A.md",), ("B.md",))

    assert paths(tree, walk="nearest", file_names=groups) == ["/p/a/B.md"]
    assert paths(tree, walk="nearest") == ["/p/A.md"]
    assert paths({"/A.md": "x"}, walk="nearest") == []


def test_one_folder_above_the_root() -> None:
    """Two folders above the root is too far."""
    tree: Files = {f"{folder}/A.md": "x" for folder in ("/w", "/w/v", "/w/v/r", "/w/v/r/s")}
    tree["/w/v/r/.git"] = "gitdir: somewhere"
    found = paths(tree, cwd="/w/v/r/s", walk="above-root")

    assert found == ["/w/v/A.md", "/w/v/r/A.md", "/w/v/r/s/A.md"]


def test_outside_a_project_the_search_ends_above_the_home_folder() -> None:
    """The home folder is below the root folder, so a search from elsewhere reaches the root folder."""
    tree: Files = {f"{folder}/A.md": "x" for folder in ("/h", "/h/u", "/h/u/w")}
    from_work = paths({**tree, "/A.md": "x"}, cwd="/h/u/w", root="nothing", no_root="above-home")

    assert from_work == ["/A.md", "/h/A.md", "/h/u/A.md", "/h/u/w/A.md"]  # the home folder is /home


@pytest.mark.parametrize("root", ["git-entry", "nothing"])
@pytest.mark.parametrize(("value", "expected"), [("home-alone", ["y"]), ("as-elsewhere", ["x", "y"])])
def test_the_home_folder_as_working_directory(value: str, expected: list[str], root: str) -> None:
    """The axis `at_home`: in a project and outside any."""
    nodes: Files = {"/.git": "", "/A.md": "x", "/home/A.md": "y", "/home/s/A.md": "z"}
    values: dict[str, Any] = {"at_home": value, "no_root": "every-folder-above", "root": root}

    assert [text for _, text in loaded(read(nodes, PLAIN, cwd="/home", **values))] == expected
    assert [text for _, text in loaded(read(nodes, PLAIN, cwd="/home/s", **values))] == ["x", "y", "z"]


@pytest.mark.parametrize("root", ["git-entry", "git-repository"])
def test_a_repository_is_a_root_for_every_reader(root: str) -> None:
    """The folder has HEAD, objects and refs."""
    assert paths({**TREE, **GIT}, root=root) == ["/p/A.md", "/p/a/A.md", "/p/a/b/A.md"]


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


def test_the_search_ends_at_the_home_folder() -> None:
    """The axis value "up-to-home"; a working directory elsewhere is searched up to the root folder."""
    tree: Files = {"/A.md": "x", "/home/A.md": "x", "/home/w/A.md": "x", "/o/A.md": "x"}
    values: dict[str, Any] = {"root": "nothing", "no_root": "up-to-home"}

    assert paths(tree, cwd="/home/w", **values) == ["/home/A.md", "/home/w/A.md"]
    assert paths(tree, cwd="/home/w", **{**values, "no_root": "above-home"}) == ["/A.md", "/home/A.md", "/home/w/A.md"]
    assert paths(tree, cwd="/o", **values) == ["/A.md", "/o/A.md"]


@pytest.mark.parametrize(
    ("node", "accepted"), [("gitdir: x", True), (Special.FOLDER, True), (Special.PIPE, False), (Link("../g"), False)]
)
def test_a_git_entry_that_is_no_link(node: Node, accepted: bool) -> None:
    """The axis value "git-folder-or-file"; the value "git-entry" accepts all of them."""
    tree: Files = {"/r/A.md": "r", "/r/s/A.md": "s", "/r/.git": node, "/g": Special.FOLDER}

    assert paths(tree, cwd="/r/s", root="git-folder-or-file") == (["/r/A.md"] if accepted else []) + ["/r/s/A.md"]
    assert paths(tree, cwd="/r/s", root="git-entry") == ["/r/A.md", "/r/s/A.md"]


@pytest.mark.parametrize(("value", "expected"), [("as-written", ["x"]), ("real-path", ["y", "x"])])
def test_a_working_directory_that_is_a_link(value: str, expected: list[str]) -> None:
    """The axis `working_directory` decides which folders are above."""
    nodes: Files = {"/q/.git": "", "/q/A.md": "y", "/q/s/A.md": "x", "/w": Link("q/s")}
    reading = read(nodes, PLAIN, cwd="/w", working_directory=value)

    assert [text for _, text in loaded(reading)] == expected


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
