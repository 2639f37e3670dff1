"""Mutants about which texts are imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference.agentsmd import loader, mentions, paths
from loopspec_reference.agentsmd.config import Reason

from ..registry import mutant
from .patching import reading

_NAME = r"[a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*"
_SOURCE_CODE = (".c", ".go", ".java", ".js", ".py", ".rs", ".ts")


def _matching(pattern: str) -> AbstractContextManager[object]:
    """Patch the pattern of candidates."""
    return patch.object(mentions, "_MENTION", re.compile(pattern))


def _reading(edited: Callable[[str], str]) -> AbstractContextManager[object]:
    """Patch the text in which imports are found."""
    return patch.object(loader, "mentions", lambda text: mentions.mentions(edited(text)))


def _skipping(unwanted: Callable[[str], bool]) -> AbstractContextManager[object]:
    """Skip some imports."""
    return patch.object(loader, "mentions", lambda text: (m for m in mentions.mentions(text) if not unwanted(m)))


def _trimming(characters: str) -> AbstractContextManager[object]:
    """Strip characters from the end of candidates."""

    class Trimming:
        def findall(self, text: str) -> list[str]:
            return [candidate.rstrip(characters) for candidate in re.findall(f"@({_NAME})", text)]

    return patch.object(mentions, "_MENTION", Trimming())


def _ending(extension: Callable[[str], str]) -> AbstractContextManager[object]:
    """Patch which part of a file name is its extension."""

    def reading(text: str) -> list[str]:
        found = mentions._MENTION.findall(text)
        return [mention for mention in found if "/" in mention or extension(mention) in mentions._ENDINGS]

    return patch.object(loader, "mentions", reading)


@mutant("AMD-IMPORT-01")
def rejects_a_leading_underscore() -> AbstractContextManager[object]:
    """Ignores an import whose path begins with an underscore."""
    return _matching(r"@([a-zA-Z0-9.~/][a-zA-Z0-9_.~/\-]*)")


@mutant("AMD-IMPORT-01")
def accepts_a_leading_hyphen() -> AbstractContextManager[object]:
    """Follows an import whose path begins with a hyphen."""
    return _matching(r"@([a-zA-Z0-9_.~/\-]+)")


@mutant("AMD-IMPORT-01")
def takes_two_at_signs_for_an_escape() -> AbstractContextManager[object]:
    """Takes a doubled at-sign for an escaped one."""
    return _matching(f"(?<!@)@({_NAME})")


@mutant("AMD-IMPORT-02")
def skips_source_code() -> AbstractContextManager[object]:
    """Ignores a path with the extension of source code."""
    return _skipping(lambda mention: mention.endswith(_SOURCE_CODE))


@mutant(
    "AMD-IMPORT-02",
    neighbors={
        "AMD-IMPORT-06": "the link in the examples ends in .git",
        "AMD-IMPORT-08": "the path with a slash ends in a dot, which is not listed",
    },
)
def requires_a_listed_extension() -> AbstractContextManager[object]:
    """Ignores a path with a slash whose extension is not listed."""
    return _skipping(
        lambda mention: "." in (name := posixpath.basename(mention)) and not name.endswith(mentions._ENDINGS)
    )


@mutant("AMD-IMPORT-03")
def ignores_yml_files() -> AbstractContextManager[object]:
    """Ignores the extension .yml."""
    return patch.object(mentions, "_ENDINGS", tuple(ending for ending in mentions._ENDINGS if ending != ".yml"))


@mutant("AMD-IMPORT-03", neighbors={"AMD-DEDUP-08": "a path of an example has two dots"})
def takes_the_first_dot_for_the_extension() -> AbstractContextManager[object]:
    """Takes the text from the first dot on for the extension."""
    return _ending(lambda name: "".join(name.partition(".")[1:]))


@mutant("AMD-IMPORT-04")
def follows_source_code() -> AbstractContextManager[object]:
    """Follows names without a slash that have the extension of source code."""
    return patch.object(mentions, "_ENDINGS", (*mentions._ENDINGS, *_SOURCE_CODE))


@mutant("AMD-IMPORT-04", neighbors={"AMD-IMPORT-08": "the name without a slash is not an import either"})
def warns_about_names_that_are_not_imports() -> AbstractContextManager[object]:
    """Warns about a name that is not an import as about a missing file."""

    def warning(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        for candidate in set(mentions._MENTION.findall(text)).difference(mentions.mentions(text)):
            loading.warn(paths.resolve(candidate, path), Reason.MISSING)
        return text

    return reading(warning)


@mutant("AMD-IMPORT-05")
def compares_extensions_without_case() -> AbstractContextManager[object]:
    """Compares extensions without regard to case."""
    return _ending(lambda name: posixpath.splitext(name)[1].lower() or name)


@mutant("AMD-IMPORT-06")
def skips_links() -> AbstractContextManager[object]:
    """Ignores at-signs in a web link."""
    return _reading(lambda text: re.sub(r"https?://\S+", " ", text))


@mutant("AMD-IMPORT-06", neighbors={"AMD-IMPORT-01": "one of the imports directly follows another"})
def requires_a_word_boundary() -> AbstractContextManager[object]:
    """Ignores an at-sign that directly follows a letter, a digit or an underscore."""
    return _matching(rf"\B@({_NAME})")


@mutant("AMD-IMPORT-07")
def skips_package_scopes() -> AbstractContextManager[object]:
    """Ignores names that begin with a well-known package scope."""
    scopes = {"angular", "babel", "nestjs", "types", "vue"}
    return _skipping(lambda mention: mention.partition("/")[0] in scopes)


@mutant("AMD-IMPORT-08")
def strips_the_last_dot() -> AbstractContextManager[object]:
    """Takes a dot at the end of a path for the end of a sentence."""
    return _trimming(".")


@mutant("AMD-IMPORT-09")
def strips_emphasis() -> AbstractContextManager[object]:
    """Takes underscores and tildes at the end of a path for Markdown emphasis."""
    return _trimming("_~")


@mutant("AMD-IMPORT-09")
def accepts_a_number_sign() -> AbstractContextManager[object]:
    """Takes a number sign for a part of the path."""
    return _matching(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/#\-]*)")


@mutant("AMD-IMPORT-10")
def skips_code() -> AbstractContextManager[object]:
    """Ignores imports in a code span or a fenced block."""
    return _reading(lambda text: re.sub(r"(`+).*?\1", " ", text, flags=re.DOTALL))


@mutant("AMD-IMPORT-10")
def skips_comments() -> AbstractContextManager[object]:
    """Ignores imports in an HTML comment."""
    return _reading(lambda text: re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL))


@mutant("AMD-IMPORT-10")
def takes_a_backslash_for_an_escape() -> AbstractContextManager[object]:
    """Takes an at-sign after a backslash for an escaped one."""
    return _matching(rf"(?<!\\)@({_NAME})")


@mutant("AMD-IMPORT-11")
def accepts_letters_of_every_script() -> AbstractContextManager[object]:
    """Takes all Unicode letters and digits for a part of the path: `\\w`."""
    return _matching(r"@([\w.~/][\w.~/\-]*)")


@mutant("AMD-IMPORT-14")
def follows_the_first_of_a_list() -> AbstractContextManager[object]:
    """Follows only the first of several imports that are separated by commas."""
    return _matching(rf"@({_NAME})(?:, *@{_NAME})*")


@mutant("AMD-IMPORT-15")
def splits_extensions_like_python() -> AbstractContextManager[object]:
    """Finds no extension in a name of a dot and letters, like `os.path.splitext`."""
    return _ending(lambda name: posixpath.splitext(name)[1])
