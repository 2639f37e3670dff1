"""From text to import paths."""

import re

# An at-sign anywhere, then ASCII characters of a path; a hyphen may not come first (AMD-IMPORT-01, -06, -11).
_MENTION = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)")

# What makes a mention without a slash an import; lower case only, and a name may be nothing else: `os.path.splitext`
# would find no extension in ".md" (AMD-IMPORT-03, -05, -15).
_ENDINGS = (".md", ".txt", ".mdx", ".yaml", ".yml", ".json", ".toml")


def mentions(text: str) -> list[str]:
    """The paths a text imports, in order, as written and as often as written.

    A candidate with a slash is an import whatever its extension; one without needs a listed extension, and is
    otherwise no import at all: `@someone` and `@example.com` stay what they are (AMD-IMPORT-02, -04).
    """
    found: list[str] = _MENTION.findall(text)
    return [mention for mention in found if "/" in mention or mention.endswith(_ENDINGS)] if found else found
