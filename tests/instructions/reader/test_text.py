"""What the model receives of a file, and the budget."""

from __future__ import annotations

from typing import Any

from loopspec_instructions.reader import Node

from .dialects import PLAIN, loaded, noted, read

Files = dict[str, Node]


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


def test_the_last_file_stays_if_the_leaf_gets_the_budget_first() -> None:
    """Whole files, counted from the working directory; the order of the files does not change."""
    nodes: Files = {"/p/A.md": "1", "/p/a/A.md": "22", "/p/a/b/A.md": "3" * 9}
    values: dict[str, Any] = {**CUT, "budget_cut": "whole-files", "budget_order": "leaf-first"}

    assert [text for _, text in loaded(read(nodes, PLAIN, **values))] == ["3" * 9]
    assert [text for _, text in loaded(read(nodes, PLAIN, **{**values, "budget": 11}))] == ["22", "3" * 9]
