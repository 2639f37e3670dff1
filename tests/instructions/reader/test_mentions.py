"""Which mentions are imports, and which are code or comments."""

from __future__ import annotations

import pytest

from loopspec_instructions.reader.reading import Note

from .dialects import BARE, INLINE, loaded, noted, read, text

# In each text, the mention is in one kind of code or comment.
SPAN = "a `x @b.md ` z"

FENCE = "a\n\n```\n@b.md \n```\n"

TILDES = "a\n\n~~~\n@b.md \n~~~\n"

OPEN_FENCE = "a\n\n```\n@b.md \n"

INDENTED = "a\n\n    @b.md \n"

COMMENT = "a <!-- @b.md --> z"


@pytest.mark.parametrize(
    ("content", "value", "is_import"),
    [
        (SPAN, "skipped", False),
        (SPAN, "between-backticks", False),
        (SPAN, "expanded", True),
        (FENCE, "skipped", False),
        (FENCE, "between-backticks", False),
        (FENCE, "expanded", True),
        (TILDES, "skipped", False),
        (TILDES, "between-backticks", True),
        (OPEN_FENCE, "skipped", False),
        (OPEN_FENCE, "between-backticks", True),
        (INDENTED, "skipped", True),
        (INDENTED, "between-backticks", True),
        (COMMENT, "skipped", True),
        ("``a ` @b.md `` z", "skipped", False),
        ("`a `` @b.md `` z", "skipped", False),
        ("`a @b.md z", "skipped", True),
        ("\\`a @b.md ` z", "skipped", True),
        ("`a\n\n@b.md ` z", "skipped", True),
        ("`a\n\n@b.md ` z", "between-backticks", False),
        ("- a\n  - `x\n    @b.md ` z", "skipped", False),
        ("> a `x\n> @b.md ` z", "skipped", False),
        ("1. a\n\n   ```\n   @b.md \n   ```\n", "skipped", False),
        ("|a|b|\n|-|-|\n|`@x`|` @b.md `|\n", "skipped", False),
        ("<div>\n` @b.md `\n</div>\n", "skipped", True),
        ("# a ` @b.md ` z", "skipped", False),
        ("- ` @b.md `", "skipped", False),
        ("- ` @b.md `", "skipped-outside-lists", True),
        ("- x\n\n` @b.md `", "skipped-outside-lists", False),
        ("1. x\n   ```\n   @b.md \n   ```\n", "skipped-outside-lists", True),
        ("|a|\n|-|\n|` @b.md `|\n", "skipped-outside-lists", True),
        ("> ` @b.md `", "skipped-outside-lists", False),
        ("> x\n> ` @b.md `", "skipped-outside-lists", True),
        ("> x\n` @b.md `", "skipped-outside-lists", False),
        ("a\r\n\r\n```\r\n@b.md \r\n```\r\n", "skipped", False),
        ("a\r\r```\r@b.md \r```\r", "skipped", False),
    ],
)
def test_code(content: str, value: str, is_import: bool) -> None:
    """The axis `import_code`: a mention that is no import is noted."""
    reading = read({"/p/A.md": content, "/p/b.md": "B"}, INLINE, cwd="/p", markers=BARE, import_code=value)
    [(_, found)] = loaded(reading)

    assert found == (content.replace("@b.md", "[B]") if is_import else content)
    notes = [(note.reason, note.other) for note in reading.notes if note.other == "b.md"]
    assert notes == ([] if is_import else [("import-in-code", "b.md")])


@pytest.mark.parametrize(
    ("content", "value", "is_import"),
    [
        (INDENTED, "skipped", False),
        (INDENTED, "expanded", True),
        ("a\n\n\t@b.md \n", "skipped", False),
        ("a\n    @b.md \n", "skipped", True),
        ("a\n\n   @b.md \n", "skipped", True),
        ("- a\n\n      x\n\n          @b.md \n", "skipped", False),
        (FENCE, "skipped", True),
    ],
)
def test_indented_code(content: str, value: str, is_import: bool) -> None:
    """The axis `import_indented`, whatever the axis `import_code` says."""
    assert text(content, import_indented=value) == (content.replace("@b.md", "[B]") if is_import else content)


@pytest.mark.parametrize(
    ("content", "value", "is_import"),
    [
        (COMMENT, "skipped", False),
        (COMMENT, "expanded", True),
        ("<!--\n@b.md \n-->", "skipped", False),
        ("<!-- @b.md ", "skipped", True),
        ("<!-- --> @b.md -->", "skipped", True),
    ],
)
def test_comments(content: str, value: str, is_import: bool) -> None:
    """The axis `import_comment`: a comment without an end is no comment."""
    reading = read({"/p/A.md": content, "/p/b.md": "B"}, INLINE, cwd="/p", markers=BARE, import_comment=value)

    assert loaded(reading) == [("/p/A.md", content.replace("@b.md", "[B]") if is_import else content)]
    assert reading.notes == (
        () if is_import else (Note("import-in-comment", "/p/A.md", content.count("\n", 0, 5) + 1, "b.md"),)
    )


def test_regions_that_overlap() -> None:
    """A mention in a comment in code is noted once."""
    reading = read(
        {"/p/A.md": "` <!-- @b.md ` @b.md -->"}, INLINE, cwd="/p", import_code="skipped", import_comment="skipped"
    )

    assert noted(reading) == [("import-in-code", "/p/A.md"), ("import-in-comment", "/p/A.md")]
