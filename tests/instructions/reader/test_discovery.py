"""What a search notes, what a model receives, and values that no tool has: the features have what each tool finds."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import MemoryFiles, ReadingEndedError, read_instructions
from loopspec_instructions.reader.memory import Link, Special
from loopspec_instructions.reader.reading import Note, Reason

from .dialects import AFTER, BARE, INLINE, PLAIN, Files, first_note, loaded, noted, paths, read, text

NAMES: dict[str, Any] = {"file_names": (("O.md", "A.md", "C.md"),)}


def test_a_budget_that_ends_before_a_file_that_cannot_be_read() -> None:
    """The file is not reached, so the project stays."""
    nodes: Files = {"/p/A.md": "1234", "/p/a/A.md": Special.FORBIDDEN}
    values: dict[str, Any] = {"budget_cut": "cut", "budget_counts": "contents", "unreadable": "drops-project"}

    assert [text for _, text in loaded(read(nodes, PLAIN, **values, budget=4))] == ["1234"]
    assert [text for _, text in loaded(read(nodes, PLAIN, **values, budget=5))] == []
    assert [text for _, text in loaded(read({**nodes, "/p/A.md": "    "}, PLAIN, **values, budget=4))] == []


@pytest.mark.parametrize("axis", ["unreadable", "link_loop", "through_file"])
def test_a_file_that_drops_its_name(axis: str) -> None:
    """The files of the next name are loaded in all folders."""
    failing: Files = {"unreadable": Special.FORBIDDEN, "link_loop": Link("A.md"), "through_file": Link("../C.md/x")}
    nodes: Files = {"/p/A.md": "1", "/p/C.md": "2", "/p/a/A.md": failing[axis], "/p/a/b/C.md": "3"}
    values: dict[str, Any] = {"selection": "one-name-per-project", "grouping": "by-name", axis: "drops-name"}
    reading = read(nodes, PLAIN, **NAMES, **values)

    assert [text for _, text in loaded(reading)] == ["2", "3"]
    assert Note("name-dropped", "/p/A.md", other="/p/a/A.md") in reading.notes


def test_rules_that_are_read_by_level() -> None:
    """A link to a folder is followed; a link to the folder of rules itself does not make the search endless."""
    values: dict[str, Any] = {"rules_folders": (".r",), "walk": "working-directory", "rules_by_level": True}
    nodes: Files = {
        "/p/.r/b/c.md": "3",
        "/p/.r/d.md": "2",
        "/p/.r/x": Link("../out"),
        "/p/out/y.md": "4",
        "/p/A.md": "1",
    }

    assert [text for _, text in loaded(read(nodes, PLAIN, cwd="/p", **values))] == ["1", "2", "3", "4"]
    again = [text for _, text in loaded(read({**nodes, "/p/.r/z": Link(".")}, PLAIN, cwd="/p", **values))]
    assert again[:4] == ["1", "2", "3", "4"]
    assert len(again) < 2_000


@pytest.mark.parametrize("path", ["../x.md", "/p/a/../x.md", "a..b.md"])
def test_two_dots_in_a_configured_path(path: str) -> None:
    """The axis `configured_dots`: the dots of a name count too."""
    nodes: Files = {"/p/x.md": "x", "/p/a/a..b.md": "y"}

    assert len(loaded(read(nodes, AFTER, cwd="/p/a", configured=[path]))) == 1
    with pytest.raises(ReadingEndedError) as caught:
        read(nodes, AFTER, cwd="/p/a", configured=[path], configured_dots="ends")
    assert (caught.value.path, caught.value.reason) == (path, "invalid-path")


@pytest.mark.parametrize(("value", "expected"), [("followed", ["x", "b"]), ("skipped", ["b"]), ("ends", None)])
def test_a_link_out_of_the_project(value: str, expected: list[str] | None) -> None:
    """The axis `outside_links`. A link inside the project is not concerned."""
    nodes: Files = {"/out.md": "x", "/p/A.md": Link("../out.md"), "/p/b.md": "b", "/p/a/A.md": Link("../b.md")}
    if expected is None:
        with pytest.raises(ReadingEndedError) as caught:
            read(nodes, PLAIN, outside_links=value)
        assert (caught.value.path, caught.value.reason) == ("/p/A.md", "link-skipped")
    else:
        reading = read(nodes, PLAIN, outside_links=value)
        assert [text for _, text in loaded(reading)] == expected
        reason: Reason = "link-followed" if value == "followed" else "link-skipped"
        assert first_note(reading) == Note(reason, "/p/A.md", other="/out.md")


GLOBAL: Files = {"/home/.t/O.md": "go", "/home/.t/A.md": "ga", "/p/O.md": "po", "/p/A.md": "pa"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"global_place": "first", "global_files": ((".t/O.md", ".t/A.md"),)}, ["go", "po", "pa"]),
        ({"global_place": "last", "global_files": ((".t/O.md", ".t/A.md"),)}, ["po", "pa", "go"]),
        ({"global_place": "first-of-name", "global_files": ((".t/O.md",), (".t/A.md",))}, ["go", "po", "ga", "pa"]),
        ({"global_place": "none", "global_files": ((".t/O.md",),)}, ["po", "pa"]),
    ],
)
def test_the_place_of_the_global_file(values: dict[str, Any], expected: list[str]) -> None:
    """The axis `global_place`: a group of global files is loaded like a group of file names."""
    groups: dict[str, Any] = {"file_names": (("O.md",), ("A.md",)), "grouping": "by-name"}

    assert [text for _, text in loaded(read(GLOBAL, PLAIN, **groups, **values))] == expected


def test_two_names_that_lead_to_one_path() -> None:
    """A dialect without a global file loads the path for each of them, and notes the repeat."""
    nodes: Files = {"/p/.t/A.md": "x"}
    reading = read(nodes, PLAIN, cwd="/p/.t", file_names=((".t/A.md",), ("A.md",)))

    assert loaded(reading) == [("/p/.t/A.md", "x")] * 2
    assert reading.notes == (Note("repeated", "/p/.t/A.md", other="/p/.t/A.md"),)


@pytest.mark.parametrize(("cwd", "home"), [("p", "/home"), ("/p", "home"), ("", "/home")])
def test_a_relative_folder_is_an_error(cwd: str, home: str) -> None:
    """The reader does not know a current folder."""

    with pytest.raises(ValueError, match="is not an absolute path"):
        read_instructions(MemoryFiles({}), cwd, home, PLAIN)


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


def test_an_import_has_its_importer() -> None:
    """Path, line and level; the text of an inline import is a part of the text of the discovered file."""
    nodes: Files = {"/p/A.md": "1\n@x/b.md\n2", "/p/x/b.md": "B\r\n\r\n@c.md .", "/p/x/c.md": "C"}
    reading = read(nodes, INLINE, cwd="/p", markers=BARE)

    assert [(file.path, file.text, file.importer, file.line, file.level, file.inline) for file in reading.files] == [
        ("/p/A.md", "1\n[B\r\n\r\n[C] .]\n2", None, None, 0, False),
        ("/p/x/b.md", "B\r\n\r\n[C] .", "/p/A.md", 2, 1, True),
        ("/p/x/c.md", "C", "/p/x/b.md", 3, 2, True),
    ]


def test_the_part_of_an_import_is_exact_after_trimming() -> None:
    """White space around the whole text is removed, not around an import."""
    reading = read(
        {"/p/A.md": "\n @b.md", "/p/b.md": " B "}, INLINE, cwd="/p", surrounding_space="removed", markers=BARE
    )

    assert [file.text for file in reading.files] == ["[ B ]", " B "]


def test_an_empty_import_has_markers_inline_and_no_section_after() -> None:
    """A file that is imported is loaded whatever its text is; a section without a text is none."""
    assert text("@e.md", {"/p/e.md": ""}) == "[]"
    assert loaded(read({"/p/A.md": "@e.md", "/p/e.md": ""}, AFTER, configured=["/p/A.md"])) == [("/p/A.md", "@e.md")]


def test_a_dialect_without_imports_notes_no_mentions() -> None:
    """A mention is text like any other."""
    assert read({"/p/A.md": "@gone.md"}, PLAIN, cwd="/p").notes == ()


def test_imports_of_a_cut_file() -> None:
    """An import after the cut is gone, and an import at the cut is shortened."""
    values: dict[str, Any] = {
        "budget": 9,
        "budget_cut": "cut",
        "budget_counts": "contents",
        "budget_character": "replaced",
    }
    nodes: Files = {"/p/A.md": "12 @b.md 8 @b.md", "/p/b.md": "BC"}

    def texts(budget: int) -> list[str]:
        return [f.text for f in read(nodes, INLINE, cwd="/p", markers=BARE, **{**values, "budget": budget}).files]

    assert texts(9) == ["12 [BC] 8", "BC"]
    assert texts(5) == ["12 [B", "B"]
    assert texts(4) == ["12 ["]


def test_a_file_of_comments_is_empty() -> None:
    """The comments are removed first."""
    assert noted(read({"/p/A.md": "<!-- x -->\n"}, PLAIN, comments="removed")) == [("empty", "/p/A.md")]


CUT: dict[str, Any] = {
    "budget": 10,
    "budget_order": "root-first",
    "budget_cut": "cut",
    "budget_counts": "contents",
    "budget_character": "replaced",
    "global_budget": "not-counted",
}


def cut_texts(nodes: Files, **values: Any) -> list[str]:
    """The texts of the loaded files."""
    return [text for _, text in loaded(read(nodes, PLAIN, **{**CUT, **values}))]


def test_wrong_bytes_count_as_bytes() -> None:
    """A wrong byte counts as one, although its replacement character has three."""
    assert cut_texts({"/p/A.md": b"\xff" * 9, "/p/a/A.md": "23"}) == ["\ufffd" * 9, "2"]


def test_headings_and_separators_count() -> None:
    """The axis `budget_counts`: every file but the last has a separator, every file a heading with its path."""
    nodes: Files = {"/p/A.md": "x" * 50, "/p/a/A.md": "y" * 10}
    values: dict[str, Any] = {
        "budget": 60,
        "budget_order": "leaf-first",
        "budget_counts": "sections",
        "heading": "# {path}\n",
    }
    leaf, root = len("# /p/a/A.md\n") + 10, len("# /p/A.md\n") + 2

    assert cut_texts(nodes, **values) == ["x" * (60 - leaf - root), "y" * 10]
    assert cut_texts(nodes, **values, separator="") == ["x" * (62 - leaf - root), "y" * 10]


def test_a_heading_that_fills_the_budget_leaves_no_file() -> None:
    """The heading of a file that is not loaded has used up what was left."""
    values: dict[str, Any] = {"budget": 12, "budget_counts": "sections", "heading": "# {path}\n", "separator": ""}

    assert cut_texts({"/p/A.md": "x"}, **values, cwd="/p") == ["x"]
    assert cut_texts({"/p/A.md": "x"}, **{**values, "budget": 10}) == []
    assert cut_texts({"/p/A.md": "x"}, **{**values, "budget": 11}) == ["x"]


def test_the_last_file_stays_if_the_leaf_gets_the_budget_first() -> None:
    """Whole files, counted from the working directory; the order of the files does not change."""
    nodes: Files = {"/p/A.md": "1", "/p/a/A.md": "22", "/p/a/b/A.md": "3" * 9}
    values: dict[str, Any] = {**CUT, "budget_cut": "whole-files", "budget_order": "leaf-first"}

    assert [text for _, text in loaded(read(nodes, PLAIN, **values))] == ["3" * 9]
    assert [text for _, text in loaded(read(nodes, PLAIN, **{**values, "budget": 11}))] == ["22", "3" * 9]
