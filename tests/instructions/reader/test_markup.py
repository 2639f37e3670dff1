"""Front matter, comments that are blocks, mentions between marks, and patterns that exclude files."""

from __future__ import annotations

import pytest

from loopspec_instructions.reader import MemoryFiles, read_instructions
from loopspec_instructions.reader.exclusions import glob_pattern
from loopspec_instructions.reader.markup import (
    is_for_named_paths,
    rule_body,
    without_comment_blocks,
    without_front_matter,
)

from .dialects import PLAIN, changed, loaded, noted, read

PARSED = changed(
    PLAIN,
    {
        "comments": "blocks-removed",
        "front_matter": "removed",
        "imports": "after",
        "import_depth": 4,
        "import_place": "after-space-or-mark",
        "import_paths": "any-with-escaped-spaces",
        "import_code": "spans-in-lists",
        "import_indented": "skipped",
        "import_comment": "skipped",
        "import_html": "skipped",
        "import_fragment": "removed",
        "import_base": "target",
        "import_missing": "text",
        "import_unreadable": "text",
        "import_outside": "asks",
        "import_boundary": "working-directory",
        "import_global": "yes",
        "import_links": "real-path",
        "import_home": "loaded",
        "import_repeat": "once",
        "import_cycle": "silent",
        "import_own_file": "never",
        "links": "real-path",
    },
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("---\nname: x\n---\nrest", "rest"),
        ("---\r\nname: x\r\n---\r\nrest", "rest"),
        ("---\n\n# Title\n\n---\nrest", "rest"),  # a line across the page is front matter
        ("---\nname: a---b\n---\nrest", "b\n---\nrest"),
        ("text\n---\nname: x\n---\n", "text\n---\nname: x\n---\n"),
        ("--- x\n---\n", "--- x\n---\n"),
        ("---\nno end", "---\nno end"),
    ],
)
def test_front_matter_ends_before_three_hyphens(text: str, left: str) -> None:
    assert without_front_matter(text) == left


@pytest.mark.parametrize(
    ("field", "is_named"),
    [
        ("paths: src/**", True),
        ("paths: a, 'b'", True),
        ("paths: [a, b]", True),
        ("paths: '**,a'", True),
        ("paths:\n  - 'src/*.ts'\n  - '**'", True),
        ("paths: '**'", False),
        ("paths: ['**', \"**\"]", False),
        ("paths:\n  - '**'", False),
        ("paths: []", False),
        ("title: x", False),
        ("applyTo: src/**", False),
        ("title: x\npaths: src/**", True),
    ],
)
def test_a_rule_is_for_the_paths_of_its_front_matter(field: str, is_named: bool) -> None:
    assert is_for_named_paths(f"---\n{field}\n---\nrest".encode(), PLAIN) is is_named
    assert not is_for_named_paths(f"{field}\nrest".encode(), PLAIN)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("rest\r\n", "rest\n"),
        ("---\nrest", "---\nrest"),
        ("---\nname: x\n---\n\n rest\n", "rest"),
        ("for people\n---\nname: x\n---\nrest\n---\nmore", "rest\n---\nmore"),
        ("---\r\nglobs:\r\n---\r\nrest", "rest"),
        ("---\nglobs: a\nalwaysApply: true\n---\nrest", "rest"),
        ("---\ninvokable: false\n---\nrest", "rest"),
        ("---\nglobs: a\n---\nrest", None),
        ("---\nglobs:\n  - a\n---\nrest", None),
        ("---\nglobs: []\n---\nrest", None),
        ("---\nregex: a\n---\nrest", None),
        ("---\nalwaysApply: false\n---\nrest", None),
        ("---\nalwaysApply: true\ninvokable: true\n---\nrest", None),
    ],
)
def test_the_text_of_a_rule_of_continue(text: str, body: str | None) -> None:
    assert rule_body(text) == body


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("one\n\n<!-- block -->\n\ntwo\n", "one\n\ntwo\n"),
        ("one\r\n\r\n<!-- block -->\r\n\r\ntwo\r\n", "one\n\ntwo\n"),
        ("one\r\n", "one\r\n"),
        ("<!-- a --> rest\n", " rest\n"),
        ("in <!-- a --> line\n", "in <!-- a --> line\n"),
        ("```\n<!-- a -->\n```\n", "```\n<!-- a -->\n```\n"),
        ("<!-- no end\n", "<!-- no end\n"),
    ],
)
def test_only_comments_that_are_blocks_are_removed(text: str, left: str) -> None:
    assert without_comment_blocks(text) == left


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("**/CLAUDE.md", "/p/CLAUDE.md", True),
        ("**/p/{CLAUDE,AGENTS}.md", "/x/p/AGENTS.md", True),
        ("/p/**", "/p/a/b.md", True),
        ("/p/*", "/p/a/b.md", False),
        ("p/CLAUDE.md", "/p/CLAUDE.md", False),
        ("**/[^A]*.md", "/p/BGENTS.md", True),
        ("**/[!A]*.md", "/p/AGENTS.md", True),
        ("**/?.md", "/p/ab.md", False),
        ("**/a.md", "/p/aXmd", False),
        ("**/[.md", "/p/[.md", True),  # no set of characters
    ],
)
def test_a_pattern_fits_a_whole_path(pattern: str, path: str, fits: bool) -> None:
    assert bool(glob_pattern(pattern).fullmatch(path)) is fits


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("**@b.md** [@c.md](x)", "bc"),
        ("- **@b.md** @c.md", "cb"),  # the paragraph of a list as it is written, and then between its marks
        ("- > `x @b.md y` @c.md", "c"),
        ("<!-- a --> `x @b.md y` **@c.md**", "b"),  # after a comment, a block is no Markdown
        ("<div>\n@b.md\n</div>\n\n@c.md", "c"),
        ("![@b.md](x) \\@b.md &amp; @c.md", "c"),
        ("    @b.md\n\n~~~\n@b.md\n~~~\n@c.md", "c"),
        ("@b.md. @c.md*x*", "c"),
    ],
)
def test_mentions_between_marks_are_found_as_a_parser_finds_them(text: str, imported: str) -> None:
    files = {"/p/A.md": text, "/p/b.md": "b", "/p/c.md": "c"}
    assert "".join(text for _, text in loaded(read(files, PARSED, cwd="/p"))[1:]) == imported


def test_the_line_of_a_mention_counts_front_matter_and_comments() -> None:
    files = {"/p/A.md": "---\nname: x\n---\n<!--\n-->\n\n@b.md\n", "/p/b.md": "b"}
    assert [file.line for file in read(files, PARSED, cwd="/p").files] == [None, 7]


def test_an_import_from_outside_waits_for_the_user() -> None:
    files = MemoryFiles({"/p/A.md": "@b.md @a/c.md", "/p/b.md": "b", "/p/a/c.md": "c"})
    for agreed, reason, count in ((False, "import-unapproved", 2), (True, "import-agreed", 3)):
        reading = read_instructions(
            files, "/p/a", "/home", changed(PARSED, {"walk": "file-system-root"}), agreed=agreed
        )
        assert noted(reading) == [(reason, "/p/A.md")]
        assert len(reading.files) == count


def test_a_removed_file_type_is_seen_and_not_loaded() -> None:
    dialect = changed(PARSED, {"import_extensions": (".md",)})
    reading = read({"/p/A.md": "@x.png @y @z.MD", "/p/x.png": "x", "/p/y": "y", "/p/z.MD": "z"}, dialect, cwd="/p")
    assert [path for path, _ in loaded(reading)] == ["/p/A.md", "/p/y", "/p/z.MD"]
    assert noted(reading) == [("import-of-type", "/p/A.md")]
