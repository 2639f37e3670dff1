"""What becomes of an import."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import Link, Node, Note, ReadingEndedError, Special

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


def chain(length: int) -> Files:
    """Files of which each imports the next."""
    files: Files = {f"/p/{n}.md": f"{n} @{n + 1}.md" for n in range(1, length)}
    return {**files, f"/p/{length}.md": "end", "/p/A.md": "0 @1.md"}


@pytest.mark.parametrize(("depth", "deepest"), [(1, 1), (4, 4), (5, 5), (6, 6), (7, 7), (0, 8)])
def test_the_depth_of_imports(depth: int, deepest: int) -> None:
    """The value is the number of levels below the discovered file; 0 is no limit."""
    reading = read(chain(8), INLINE, cwd="/p", import_paths="slash-or-extension", import_depth=depth)

    assert reading.files[-1].level == deepest
    notes = (Note("import-too-deep", f"/p/{deepest}.md", 1, f"/p/{deepest + 1}.md"),)
    assert reading.notes == (notes if deepest < 8 else ())


MISSING = "1 @gone.md 2 @x/gone.md"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", MISSING),
        ("warning", MISSING),
        ("silent", MISSING),
        ("comment", "1 !gone.md! 2 !x/gone.md!"),
    ],
)
def test_an_import_of_a_missing_file(value: str, expected: str) -> None:
    """The axis `import_missing`: the missing file is noted in each case."""
    reading = read({"/p/A.md": MISSING}, INLINE, cwd="/p", markers=BARE, import_missing=value)

    assert loaded(reading) == [("/p/A.md", expected)]
    assert reading.notes == (
        Note("missing-import", "/p/A.md", 1, "/p/gone.md"),
        Note("missing-import", "/p/A.md", 1, "/p/x/gone.md"),
    )


@pytest.mark.parametrize(
    "node", [Special.FOLDER, Special.PIPE, Special.FORBIDDEN, Link("u")], ids=["folder", "pipe", "forbidden", "loop"]
)
@pytest.mark.parametrize(("value", "expected"), [("text", "1 @u 2"), ("comment", "1 !u! 2"), ("ends", None)])
def test_an_import_that_cannot_be_read(node: Node, value: str, expected: str | None) -> None:
    """The axis `import_unreadable`."""
    nodes: Files = {"/p/A.md": "1 @u 2", "/p/u": node}
    if expected is None:
        with pytest.raises(ReadingEndedError) as caught:
            read(nodes, INLINE, cwd="/p", import_unreadable=value)
        assert (caught.value.path, caught.value.reason) == ("/p/u", "unreadable-import")
    else:
        reading = read(nodes, INLINE, cwd="/p", markers=BARE, import_unreadable=value)
        assert loaded(reading) == [("/p/A.md", expected)]
        assert reading.notes == (Note("unreadable-import", "/p/A.md", 1, "/p/u"),)


def test_an_import_from_outside_is_noted() -> None:
    """Whether it is loaded or not."""
    nodes: Files = {"/p/A.md": "\n@../o.md", "/o.md": "O"}

    assert read(nodes, INLINE, cwd="/p", import_outside="refused").notes == (
        Note("import-outside", "/p/A.md", 2, "/o.md"),
    )
    assert read(nodes, INLINE, cwd="/p").notes == (Note("import-from-outside", "/p/A.md", 2, "/o.md"),)


@pytest.mark.parametrize(("value", "expected"), [("text", "@~/h.md"), ("loaded", "[H]")])
def test_an_import_from_the_home_folder(value: str, expected: str) -> None:
    """The axis `import_home`: no dialect loads from there and says with which characters a path begins."""
    assert text("@~/h.md", import_home=value, import_paths="letter-dot-or-slash") == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("comment", "[b =A.md=]"), ("warning", "[b @A.md]"), ("silent", "[b @A.md]")]
)
def test_an_import_cycle(value: str, expected: str) -> None:
    """The axis `import_cycle`."""
    reading = read({"/p/A.md": "@b.md", "/p/b.md": "b @A.md"}, INLINE, cwd="/p", markers=BARE, import_cycle=value)

    assert loaded(reading) == [("/p/A.md", expected)]
    assert reading.notes == (Note("import-cycle", "/p/b.md", 1, "/p/A.md"),)


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
