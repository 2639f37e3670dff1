"""Lexical arithmetic of POSIX paths: no function looks at a disk."""

import posixpath
from collections.abc import Iterable


def clean_path(path: str) -> str:
    """Return the normal form of a path: no empty and no `.` segment, no trailing slash, `..` resolved.

    `..` above the root stays at the root, a leading double slash becomes a single one (`posixpath.normpath` keeps it),
    and the empty path becomes `.` (AMD-IMPORT-19, AMD-IMPORT-27, AMD-IMPORT-28).
    """
    if path and "//" not in path and "/." not in path and path[0] != "." and path[-1] != "/":
        return path
    cleaned = posixpath.normpath(path)
    return cleaned[1:] if cleaned.startswith("//") else cleaned


def resolve(mention: str, importer: str) -> str:
    """Return the path that a mention means in the file `importer`: relative to its folder unless it starts with `/`."""
    return clean_path(mention if mention[0] == "/" else importer[: importer.rfind("/") + 1] + mention)


def resolve_all(mentions: Iterable[str], importer: str) -> list[str]:
    """Return what `resolve` does, for all mentions of a file, whose own path is in normal form."""
    folder = importer[: importer.rfind("/") + 1]
    # A plain name needs no cleaning. A file can have thousands of mentions, and most are plain names.
    return [folder + mention if "/" not in mention else resolve(mention, importer) for mention in mentions]
