"""The import paths in a text."""

import re

# An at sign anywhere, then ASCII characters of a path, not a hyphen first (AMD-IMPORT-01, -06, -11).
PATTERN = r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)"
_MENTION = re.compile(PATTERN)

# The endings that make a mention without a slash an import. Lower case only, and ".md" alone counts, although
# `os.path.splitext` finds no extension in it (AMD-IMPORT-03, -05, -15).
_ENDINGS = (".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml")


def mentions(text: str) -> list[str]:
    """Return the paths that a text imports, in order, as written and as often as written.

    A candidate with a slash is an import, whatever its extension. A candidate without a slash is an import only with a
    listed ending: `@someone` and `@example.com` are not imports (AMD-IMPORT-02, -04).
    """
    if "@" not in text:  # most files import nothing, and this is many times faster than the expression
        return []
    return [mention for mention in _MENTION.findall(text) if "/" in mention or mention.endswith(_ENDINGS)]


def is_import(mention: str) -> bool:
    """Return whether a path that `PATTERN` matches is an import, by the same rule."""
    return "/" in mention or mention.endswith(_ENDINGS)
