"""Normalization and resolution of paths."""

from __future__ import annotations

import pytest

from loopspec_reference.agentsmd.paths import clean_path, resolve


@pytest.mark.parametrize(
    ("path", "cleaned"),
    [
        ("/p/a.md", "/p/a.md"),
        ("/p/x/..//./a.md", "/p/a.md"),
        ("//p/a.md", "/p/a.md"),
        ("///", "/"),
        ("/../../a.md", "/a.md"),
        ("/p/sub/", "/p/sub"),
        ("/p/.hidden/..a/a..md", "/p/.hidden/..a/a..md"),
        ("a/../b.md", "b.md"),
        ("../../b.md", "../../b.md"),
        ("a/../../b.md", "../b.md"),
        ("./a.md", "a.md"),
        ("~/a.md", "~/a.md"),
        ("a/..", "."),
        ("", "."),
    ],
)
def test_a_path_is_normalized(path: str, cleaned: str) -> None:
    """Empty and dot segments are removed, double dots remove a segment, and the root has no parent."""
    assert clean_path(path) == cleaned


@pytest.mark.parametrize(
    ("mention", "importer", "path"),
    [
        ("b.md", "/p/a.md", "/p/b.md"),
        ("./b.md", "/p/a.md", "/p/b.md"),
        ("../b.md", "/p/q/a.md", "/p/b.md"),
        ("../../../b.md", "/p/a.md", "/b.md"),
        (".md", "/p/a.md", "/p/.md"),
        ("..", "/p/q/a.md", "/p"),
        ("rules/", "/p/a.md", "/p/rules"),
        ("/q//b.md", "/p/a.md", "/q/b.md"),
        ("b.md", "/a.md", "/b.md"),
        ("b.md", "a.md", "b.md"),
        ("../b.md", "a.md", "../b.md"),
        ("b.md", "sub/a.md", "sub/b.md"),
    ],
)
def test_an_import_starts_at_the_folder_of_its_file(mention: str, importer: str, path: str) -> None:
    """A path with a leading slash is absolute."""
    assert resolve(mention, importer) == path
