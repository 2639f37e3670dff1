"""What the model receives of a file, and the budget."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import Node, Note, ReadingEndedError

from .dialects import AFTER, PLAIN, loaded, noted, read

Files = dict[str, Node]


@pytest.mark.parametrize(("value", "expected"), [("replaced", ["a\ufffdb", "c"]), ("skipped", ["c"]), ("ends", None)])
def test_a_file_that_is_not_utf8(value: str, expected: list[str] | None) -> None:
    """The axis `bad_bytes`: the note has the offset of the first wrong byte."""
    nodes: Files = {"/p/A.md": b"a\xffb", "/p/a/A.md": "c"}
    if expected is None:
        with pytest.raises(ReadingEndedError) as caught:
            read(nodes, PLAIN, bad_bytes=value)
        assert (caught.value.path, caught.value.reason) == ("/p/A.md", "not-utf-8")
    else:
        reading = read(nodes, PLAIN, bad_bytes=value)
        assert [text for _, text in loaded(reading)] == expected
        assert reading.notes == (Note("not-utf-8", "/p/A.md", at=1),)


@pytest.mark.parametrize(
    ("values", "content", "expected"),
    [
        ({"byte_order_mark": "kept"}, "\ufeffa\ufeff", "\ufeffa\ufeff"),
        ({"byte_order_mark": "removed"}, "\ufeffa\ufeff", "a\ufeff"),
        ({"surrounding_space": "kept"}, " \na b\n ", " \na b\n "),
        ({"surrounding_space": "removed"}, " \na b\n ", "a b"),
        ({"surrounding_space": "trailing-removed"}, " \na b\n ", " \na b"),
        ({"surrounding_space": "global-removed"}, " a ", " a "),
        ({"line_endings": "kept"}, "a\r\nb\rc", "a\r\nb\rc"),
        ({"line_endings": "normalized"}, "a\r\nb\rc\n", "a\nb\nc\n"),
        ({"comments": "kept"}, "a<!-- b -->c", "a<!-- b -->c"),
        ({"comments": "removed"}, "a<!-- b\n-->c<!--d-->", "ac"),
        ({"comments": "removed"}, "a<!-- b", "a<!-- b"),
        ({"comments": "removed"}, "```\na<!-- b -->\n```", "```\na\n```"),
    ],
)
def test_the_text_of_a_file(values: dict[str, Any], content: str, expected: str) -> None:
    """The axes `byte_order_mark`, `surrounding_space` and `comments`."""
    reading = read({"/p/A.md": content}, PLAIN, **values)
    [file] = reading.files

    assert loaded(reading) == [("/p/A.md", expected)]
    assert (file.size, file.received) == (len(content.encode()), len(expected.encode()))


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


def texts(nodes: Files, **values: Any) -> list[str]:
    """The texts of the loaded files."""
    return [text for _, text in loaded(read(nodes, PLAIN, **{**CUT, **values}))]


@pytest.mark.parametrize(
    ("root", "leaf", "expected"),
    [("11", "2" * 9, ["1", "2" * 9]), ("11", "2" * 10, ["2" * 10]), ("11", "2" * 11, ["2" * 10])],
)
@pytest.mark.parametrize("order", ["from-root", "from-working-directory"])
def test_the_leaf_gets_the_budget_first(order: str, root: str, leaf: str, expected: list[str]) -> None:
    """The order of the budget does not depend on the order of the files."""
    found = texts({"/p/A.md": root, "/p/a/A.md": leaf}, budget_order="leaf-first", order=order)

    assert found == (expected if order == "from-root" else expected[::-1])


def test_a_cut_file_has_its_cut() -> None:
    """The note and the file have the number of bytes; a file without any bytes left is noted too."""
    reading = read({"/p/A.md": "1" * 12, "/p/a/A.md": "2", "/p/a/b/A.md": "3"}, PLAIN, **CUT)
    [file] = reading.files

    assert (file.cut, file.size, file.received) == (10, 12, 10)
    assert reading.notes == (
        Note("cut", "/p/A.md", at=10),
        Note("over-budget", "/p/a/A.md"),
        Note("over-budget", "/p/a/b/A.md"),
    )


@pytest.mark.parametrize(
    ("value", "content", "expected"),
    [
        ("replaced", "123456789é", "123456789\ufffd"),
        ("dropped", "123456789é", "123456789"),
        ("replaced", "12345678é", "12345678é"),
        ("dropped", "12345678é", "12345678é"),
        ("replaced", "1234567€", "1234567€"),
        ("dropped", "12345678€", "12345678"),
    ],
)
def test_a_cut_inside_a_character(value: str, content: str, expected: str) -> None:
    """The axis `budget_character`."""
    assert texts({"/p/A.md": content}, budget_character=value) == [expected]


def test_white_space_costs_nothing() -> None:
    """A file of white space does not use up the budget, also if only white space is left of it after the cut."""
    nodes: Files = {"/p/A.md": "1" * 8, "/p/a/A.md": "  x", "/p/a/b/A.md": "23"}

    assert texts(nodes) == ["1" * 8, "23"]
    assert texts({**nodes, "/p/a/A.md": " " * 20}) == ["1" * 8, "23"]


def test_wrong_bytes_count_as_bytes() -> None:
    """A wrong byte counts as one, although its replacement character has three."""
    assert texts({"/p/A.md": b"\xff" * 9, "/p/a/A.md": "23"}) == ["\ufffd" * 9, "2"]


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

    assert texts(nodes, **values) == ["x" * (60 - leaf - root), "y" * 10]
    assert texts(nodes, **values, separator="") == ["x" * (62 - leaf - root), "y" * 10]


def test_a_heading_that_fills_the_budget_leaves_no_file() -> None:
    """The heading of a file that is not loaded has used up what was left."""
    values: dict[str, Any] = {"budget": 12, "budget_counts": "sections", "heading": "# {path}\n", "separator": ""}

    assert texts({"/p/A.md": "x"}, **values, cwd="/p") == ["x"]
    assert texts({"/p/A.md": "x"}, **{**values, "budget": 10}) == []
    assert texts({"/p/A.md": "x"}, **{**values, "budget": 11}) == ["x"]


@pytest.mark.parametrize(
    ("sizes", "expected"), [((3, 3, 4), [3, 3, 4]), ((3, 3, 5), [3, 3]), ((11, 1, 1), [11]), ((10, 1, 1), [10])]
)
def test_whole_files(sizes: tuple[int, ...], expected: list[int]) -> None:
    """The axis `budget_cut`: the first file stays, a file that crosses the budget and the files after it do not."""
    nodes: Files = {f"/p/{number}.md": "x" * size for number, size in enumerate(sizes)}
    reading = read(nodes, AFTER, configured=sorted(nodes), budget=10)

    assert [len(text) for _, text in loaded(reading)] == expected
    assert [note.reason for note in reading.notes] == ["over-budget"] * (3 - len(expected))


def test_the_last_file_stays_if_the_leaf_gets_the_budget_first() -> None:
    """Whole files, counted from the working directory; the order of the files does not change."""
    nodes: Files = {"/p/A.md": "1", "/p/a/A.md": "22", "/p/a/b/A.md": "3" * 9}
    values: dict[str, Any] = {**CUT, "budget_cut": "whole-files", "budget_order": "leaf-first"}

    assert [text for _, text in loaded(read(nodes, PLAIN, **values))] == ["3" * 9]
    assert [text for _, text in loaded(read(nodes, PLAIN, **{**values, "budget": 11}))] == ["22", "3" * 9]
