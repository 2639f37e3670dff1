"""The lexical arithmetic of paths: POSIX, without a look at any disk."""

import posixpath


def clean_path(path: str) -> str:
    """The normal form of a path: no empty and no `.` segment, no trailing slash, `..` resolved.

    Above the root `..` stays at the root, a leading double slash becomes one (`posixpath.normpath` would keep
    it) and the empty path is `.` (AMD-IMPORT-19, AMD-IMPORT-27, AMD-IMPORT-28).
    """
    if path and "//" not in path and "/." not in path and path[0] != "." and path[-1] != "/":
        return path
    cleaned = posixpath.normpath(path)
    return cleaned[1:] if cleaned.startswith("//") else cleaned


def resolve(mention: str, importer: str) -> str:
    """Where a mention in the file `importer` points: from that file's own folder unless it begins with a slash."""
    if mention[0] == "/":
        return clean_path(mention)
    path = importer[: importer.rfind("/") + 1] + mention
    plain = "/" not in mention and mention[0] != "."  # a name beside its importer, whose own path is clean
    return path if plain else clean_path(path)
