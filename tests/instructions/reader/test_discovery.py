"""Which files are found in the folders of the search, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import (
    Link,
    MemoryFiles,
    Node,
    Note,
    ReadingEndedError,
    Reason,
    Special,
    read_instructions,
)

from .dialects import AFTER, PLAIN, Files, first_note, loaded, noted, paths, read


def test_one_family_of_names() -> None:
    """The axis value "one-family-per-project": the names C.md, .c/C.md and C.local.md are one family."""
    groups = (("C.md",), (".c/C.md",), ("C.local.md",), ("A.md",), (".c/A.md",))
    others: Files = {"/p/A.md": "1", "/p/a/.c/A.md": "2"}
    values: dict[str, Any] = {"file_names": groups, "selection": "one-family-per-project"}
    tree: Files = {**others, "/p/a/.c/C.md": "3", "/p/C.local.md": "4", "/p/a/C.md": "5"}
    reading = read(tree, PLAIN, **values)

    assert [text for _, text in loaded(reading)] == ["4", "5", "3"]
    assert reading.notes == tuple(Note("hidden", path, other="/p/C.local.md") for path in others)
    assert [text for _, text in loaded(read(others, PLAIN, **values))] == ["1", "2"]


def test_the_order_by_path_compares_code_units() -> None:
    """An upper-case letter precedes a lower-case letter, so a folder can precede the folder above it."""
    tree: Files = {"/p/M.md": "x", "/p/B/M.md": "x", "/p/B/c/M.md": "x"}

    assert paths(tree, cwd="/p/B/c", file_names=(("M.md",),), order="by-path") == [
        "/p/B/M.md",
        "/p/B/c/M.md",
        "/p/M.md",
    ]


NAMES: dict[str, Any] = {"file_names": (("O.md", "A.md", "C.md"),)}


def test_hidden_files_are_noted_with_the_file_that_hides_them() -> None:
    """One note for each existing file of a later name."""
    reading = read({"/p/O.md": "o", "/p/A.md": "a", "/p/C.md": "c"}, PLAIN, **NAMES)

    assert reading.notes == (Note("hidden", "/p/A.md", other="/p/O.md"), Note("hidden", "/p/C.md", other="/p/O.md"))


def test_files_of_another_name_are_hidden_in_the_whole_project() -> None:
    """The axis value "one-name-per-project"."""
    reading = read(
        {"/p/C.md": "c", "/p/a/A.md": "a"}, PLAIN, **NAMES, selection="one-name-per-project", grouping="by-name"
    )

    assert loaded(reading) == [("/p/a/A.md", "a")]
    assert reading.notes == (Note("hidden", "/p/C.md", other="/p/a/A.md"),)


@pytest.mark.parametrize(
    ("content", "value", "expected"),
    [
        ("", "skipped", []),
        ("", "blank-loaded", []),
        ("", "loaded", [""]),
        (" \n", "skipped", []),
        (" \n", "blank-loaded", [" \n"]),
        (" \n", "loaded", [" \n"]),
    ],
)
def test_a_file_without_text(content: str, value: str, expected: list[str]) -> None:
    """The axis `blank_file`."""
    reading = read({"/p/A.md": content}, PLAIN, blank_file=value)

    assert [text for _, text in loaded(reading)] == expected
    assert noted(reading) == ([] if expected else [("empty", "/p/A.md")])


FAILURES = [("not_a_file", Special.FOLDER), ("not_a_file", Special.PIPE), ("link_loop", Link("A.md"))]

FAILURES += [("unreadable", Special.FORBIDDEN)]


@pytest.mark.parametrize(("axis", "node"), FAILURES)
@pytest.mark.parametrize(
    ("value", "expected"),
    [("next-name", ["c", "b"]), ("hides", ["b"]), ("skipped", ["b"]), ("drops-project", []), ("ends", None)],
)
def test_a_file_that_cannot_be_read(axis: str, node: Node, value: str, expected: list[str] | None) -> None:
    """The axes `not_a_file`, `link_loop` and `unreadable`: the global file is loaded unless the load ends."""
    nodes: Files = {"/home/G.md": "g", "/p/A.md": node, "/p/C.md": "c", "/p/a/b/A.md": "b"}
    reason: Reason = "not-a-file" if axis == "not_a_file" else "unreadable"
    values: dict[str, Any] = {**NAMES, "global_place": "first", "global_files": (("G.md",),), axis: value}
    if expected is None:
        with pytest.raises(ReadingEndedError, match="ends the load") as caught:
            read(nodes, PLAIN, **values)
        assert (caught.value.path, caught.value.reason) == ("/p/A.md", reason)
        assert caught.value.notes == (Note(reason, "/p/A.md"),)
    else:
        reading = read(nodes, PLAIN, **values)
        assert [text for _, text in loaded(reading)] == ["g", *expected]
        assert noted(reading)[0] == (reason, "/p/A.md")
        dropped = Note("project-dropped", "/p/a/b/A.md", other="/p/A.md")
        assert (dropped in reading.notes) == (value == "drops-project")


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


@pytest.mark.parametrize(
    ("value", "expected"),
    [("each-path", ["/p/A.md", "/p/a/A.md"]), ("real-path", ["/p/A.md"]), ("same-file", ["/p/A.md"])],
)
def test_two_paths_to_one_file(value: str, expected: list[str]) -> None:
    """The axis `links`: the first path of the order stays."""
    reading = read({"/p/A.md": "x", "/p/a/A.md": Link("../A.md")}, PLAIN, links=value)
    reason: Reason = "repeated" if value == "each-path" else "already-loaded"

    assert [path for path, _ in loaded(reading)] == expected
    assert first_note(reading) == Note(reason, "/p/a/A.md", other="/p/A.md")


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


@pytest.mark.parametrize(
    ("value", "root", "expected"),
    [("last", "git-entry", ["r", "b", "l"]), ("none", "git-entry", ["r", "b"]), ("last", "nothing", ["b"])],
)
def test_the_private_file_of_a_project(value: str, root: str, expected: list[str]) -> None:
    """The axis `local_file`: the file at the root of the project is last, and without a root there is none."""
    nodes: Files = {"/p/.t/L.md": "l", "/p/A.md": "r", "/p/a/b/A.md": "b", "/p/a/b/.t/L.md": "no"}
    values: dict[str, Any] = {"local_files": (".t/L.md",), "local_file": value, "root": root}

    assert [text for _, text in loaded(read(nodes, PLAIN, **values))] == expected


def test_two_names_that_lead_to_one_path() -> None:
    """A dialect without a global file loads the path for each of them, and notes the repeat."""
    nodes: Files = {"/p/.t/A.md": "x"}
    reading = read(nodes, PLAIN, cwd="/p/.t", file_names=((".t/A.md",), ("A.md",)))

    assert loaded(reading) == [("/p/.t/A.md", "x")] * 2
    assert reading.notes == (Note("repeated", "/p/.t/A.md", other="/p/.t/A.md"),)


def test_configured_files_have_the_order_of_the_configuration() -> None:
    """A relative path starts at the working directory; a missing file is noted."""
    reading = read({"/p/x.md": "x", "/p/a/b/y.md": "y"}, AFTER, configured=["y.md", "../gone.md", "/p/./x.md"])

    assert loaded(reading) == [("/p/a/b/y.md", "y"), ("/p/x.md", "x")]
    assert reading.notes == (Note("missing", "/p/a/gone.md"),)


@pytest.mark.parametrize(("cwd", "home"), [("p", "/home"), ("/p", "home"), ("", "/home")])
def test_a_relative_folder_is_an_error(cwd: str, home: str) -> None:
    """The reader does not know a current folder."""

    with pytest.raises(ValueError, match="is not an absolute path"):
        read_instructions(MemoryFiles({}), cwd, home, PLAIN)
