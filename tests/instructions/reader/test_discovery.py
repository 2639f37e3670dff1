"""What a search notes, and values that no tool has. The rules of the features have what each tool finds."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import (
    Link,
    MemoryFiles,
    Note,
    ReadingEndedError,
    Reason,
    Special,
    read_instructions,
)

from .dialects import AFTER, PLAIN, Files, first_note, loaded, read

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
