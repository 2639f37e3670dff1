"""What becomes of an import."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_instructions.reader import Link, Node, Note, ReadingEndedError, Special

from .dialects import AFTER, BARE, INLINE, PLAIN, Files, loaded, read, text


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"imports": "none"}, [("/p/A.md", "1 @b.md 2")]),
        ({"imports": "inline"}, [("/p/A.md", "1 [B] 2")]),
        ({"imports": "after"}, [("/p/A.md", "1 @b.md 2"), ("/p/b.md", "B")]),
    ],
)
def test_what_becomes_of_an_import(values: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    """The axis `imports`."""
    reading = read({"/p/A.md": "1 @b.md 2", "/p/b.md": "B"}, INLINE, cwd="/p", markers=BARE, **values)

    assert loaded(reading) == expected
    assert reading.notes == ()


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


def test_a_path_below_a_file_is_not_missing() -> None:
    """The system has another error for it."""
    assert text("@b.md/c.md", import_missing="text", import_unreadable="comment") == "!b.md/c.md!"


@pytest.mark.parametrize(
    ("content", "refused", "loaded_too"),
    [
        ("@../o.md", "!../o.md!", "[O]"),
        ("@/o.md", "!/o.md!", "[O]"),
        ("@/p/b.md", "[B]", "[B]"),
        ("@x/../b.md", "[B]", "[B]"),
        ("@../p/b.md", "[B]", "[B]"),
        ("@https://example.org/b.md", "!https://example.org/b.md!", "@https://example.org/b.md"),
        ("@x/../../p2/b.md", "!x/../../p2/b.md!", "[B2]"),
    ],
)
def test_an_import_from_outside(content: str, refused: str, loaded_too: str) -> None:
    """The axis `import_outside`: a folder with the same beginning is another folder."""
    nodes: Files = {"/p2/b.md": "B2"}

    assert text(content, nodes, import_outside="refused") == refused
    assert text(content, nodes, import_outside="loaded") == loaded_too
    assert text(content, nodes, import_outside="asks") == loaded_too


def test_an_import_from_outside_is_noted() -> None:
    """Whether it is loaded or not."""
    nodes: Files = {"/p/A.md": "\n@../o.md", "/o.md": "O"}

    assert read(nodes, INLINE, cwd="/p", import_outside="refused").notes == (
        Note("import-outside", "/p/A.md", 2, "/o.md"),
    )
    assert read(nodes, INLINE, cwd="/p").notes == (Note("import-from-outside", "/p/A.md", 2, "/o.md"),)


@pytest.mark.parametrize(
    ("value", "out", "inside"),
    [("as-written", "[O]", "!../q/b.md!"), ("real-path", "!out.md!", "[B]")],
)
def test_a_link_in_an_import(value: str, out: str, inside: str) -> None:
    """The axis `import_links`: a link can lead out of the project, or into it."""
    nodes: Files = {"/p/out.md": Link("../o.md"), "/q": Link("p")}

    assert text("@out.md", nodes, import_outside="refused", import_links=value) == out
    assert text("@../q/b.md", nodes, import_outside="refused", import_links=value) == inside


def test_outside_a_project_the_folder_of_the_file_is_the_boundary() -> None:
    """A global file is such a file."""
    nodes: Files = {"/home/.t/G.md": "@a.md @../b.md", "/home/.t/a.md": "A", "/home/b.md": "B"}
    values: dict[str, Any] = {"global_files": ((".t/G.md",),), "global_place": "first", "import_outside": "refused"}

    assert loaded(read(nodes, INLINE, markers=BARE, **values)) == [("/home/.t/G.md", "[A] !../b.md!")]


@pytest.mark.parametrize(("value", "expected"), [("text", "@~/h.md"), ("relative", "[~]"), ("loaded", "[H]")])
@pytest.mark.parametrize("paths", ["slash-or-extension", "letter-dot-or-slash"])
def test_an_import_from_the_home_folder(paths: str, value: str, expected: str) -> None:
    """The axis `import_home`. A path that starts with another name is relative to the file."""
    if (paths, value) != ("letter-dot-or-slash", "relative"):  # a path of any characters does not start with a tilde
        assert text("@~/h.md", {"/p/~/h.md": "~"}, import_home=value, import_paths=paths) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("again", "[1 [3]] [2 [3]] [3]"), ("once", "[1 [3]] [2 @3.md] @3.md")],
)
def test_a_file_that_is_imported_twice(value: str, expected: str) -> None:
    """The axis `import_repeat`."""
    nodes: Files = {"/p/1.md": "1 @3.md", "/p/2.md": "2 @3.md", "/p/3.md": "3"}

    found = text("@1.md @2.md @3.md", nodes, import_repeat=value, import_paths="slash-or-extension")
    assert found == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("comment", "[b =A.md=]"), ("warning", "[b @A.md]"), ("silent", "[b @A.md]")]
)
def test_an_import_cycle(value: str, expected: str) -> None:
    """The axis `import_cycle`."""
    reading = read({"/p/A.md": "@b.md", "/p/b.md": "b @A.md"}, INLINE, cwd="/p", markers=BARE, import_cycle=value)

    assert loaded(reading) == [("/p/A.md", expected)]
    assert reading.notes == (Note("import-cycle", "/p/b.md", 1, "/p/A.md"),)


@pytest.mark.parametrize(
    ("value", "itself", "pair"),
    [("never", "a =A.md=", "a [b =A.md=]"), ("once-more", "a [a =A.md=]", "a [b [a =b.md=]]")],
)
def test_the_file_in_which_a_chain_starts(value: str, itself: str, pair: str) -> None:
    """The axis `import_own_file`."""
    assert text("a @A.md", import_own_file=value) == itself
    assert text("a @b.md", {"/p/b.md": "b @A.md"}, import_own_file=value) == pair


def test_an_empty_import_has_markers_inline_and_no_section_after() -> None:
    """A file that is imported is loaded whatever its text is; a section without a text is none."""
    assert text("@e.md", {"/p/e.md": ""}) == "[]"
    assert loaded(read({"/p/A.md": "@e.md", "/p/e.md": ""}, AFTER, configured=["/p/A.md"])) == [("/p/A.md", "@e.md")]


def test_the_bytes_of_an_import_are_judged_too() -> None:
    """The axis `bad_bytes`."""
    nodes: Files = {"/p/b.md": b"B\xff"}

    assert text("@b.md", nodes) == "[B\ufffd]"
    assert text("@b.md", nodes, bad_bytes="skipped") == "@b.md"
    with pytest.raises(ReadingEndedError):
        text("@b.md", nodes, bad_bytes="ends")


def test_the_byte_order_mark_of_an_import() -> None:
    """The axis `byte_order_mark` is about discovered files."""
    assert (
        text("\ufeff@b.md", {"/p/b.md": "\ufeffB"}, byte_order_mark="removed", import_place="anywhere") == "[\ufeffB]"
    )


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
