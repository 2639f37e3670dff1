"""What becomes of an import."""

from __future__ import annotations

from typing import Any

from .dialects import AFTER, BARE, INLINE, PLAIN, Files, loaded, read, text


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
