"""Import paths are found in a text."""

from __future__ import annotations

import pytest

from loopspec_reference.agentsmd.mentions import mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see @rules/style.md and @a.md, @a.md", ["rules/style.md", "a.md", "a.md"]),
        ("@src/main.go @/etc/hosts @../ @dir/", ["src/main.go", "/etc/hosts", "../", "dir/"]),
        (
            "@a.md @b.txt @c.mdx @d.yaml @e.yml @f.json @g.toml",
            [*"a.md b.txt c.mdx d.yaml e.yml f.json g.toml".split()],
        ),
        ("@someone @example.com @main.go @a.MD @.. @a.md.bak", []),
        ("bob@company.md @@b.md (@c.md) `@d.md`", ["company.md", "b.md", "c.md", "d.md"]),
        ("@b.md. @rules/s.md. @b.md- @-a.md", ["rules/s.md."]),
        ("@.md @.env @.github/owners @~/x.md", [".md", ".github/owners", "~/x.md"]),
        ("@规则/s.md @é.md @rules/样式.md @b.md。", ["rules/", "b.md"]),
        ("@", []),
        ("", []),
    ],
)
def test_imports_are_found_in_order(text: str, expected: list[str]) -> None:
    """A path with a slash or with a listed extension is an import."""
    assert list(mentions(text)) == expected
