"""Mutants about which words are imports."""

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
    """Look for candidates with another pattern."""
    return patch.object(mentions, "_MENTION", re.compile(pattern))


def _reading(edited: Callable[[str], str]) -> AbstractContextManager[object]:
    """Look for imports in an edited text."""
    return patch.object(loader, "mentions", lambda text: mentions.mentions(edited(text)))


def _skipping(unwanted: Callable[[str], bool]) -> AbstractContextManager[object]:
    """Leave some imports alone."""
    return patch.object(loader, "mentions", lambda text: (m for m in mentions.mentions(text) if not unwanted(m)))


def _trimming(characters: str) -> AbstractContextManager[object]:
    """Strip characters from the end of candidates."""

    class Trimming:
        def findall(self, text: str) -> list[str]:
            return [candidate.rstrip(characters) for candidate in re.findall(f"@({_NAME})", text)]

    return patch.object(mentions, "_MENTION", Trimming())


def _ending(extension: Callable[[str], str]) -> AbstractContextManager[object]:
    """Take another part of a name for its ending."""

    def reading(text: str) -> list[str]:
        found = mentions._MENTION.findall(text)
        return [mention for mention in found if "/" in mention or extension(mention) in mentions._ENDINGS]

    return patch.object(loader, "mentions", reading)


@mutant("AMD-IMPORT-01")
def takes_no_leading_underscore() -> AbstractContextManager[object]:
    """Follows no import whose name begins with an underscore."""
    return _matching(r"@([a-zA-Z0-9.~/][a-zA-Z0-9_.~/\-]*)")


@mutant("AMD-IMPORT-01")
def lets_a_hyphen_lead() -> AbstractContextManager[object]:
    """Follows an import whose name begins with a hyphen."""
    return _matching(r"@([a-zA-Z0-9_.~/\-]+)")


@mutant("AMD-IMPORT-01")
def takes_two_at_signs_for_an_escape() -> AbstractContextManager[object]:
    """Takes a doubled at-sign for an escaped one."""
    return _matching(f"(?<!@)@({_NAME})")


@mutant("AMD-IMPORT-02")
def skips_source_code() -> AbstractContextManager[object]:
    """Leaves a path alone that ends like source code."""
    return _skipping(lambda mention: mention.endswith(_SOURCE_CODE))


@mutant(
    "AMD-IMPORT-02",
    neighbors={
        "AMD-IMPORT-06": "the link in its examples ends in .git",
        "AMD-IMPORT-08": "its name with a slash ends in a dot, which is on no list",
    },
)
def wants_a_listed_ending_if_there_is_one() -> AbstractContextManager[object]:
    """Leaves a path with a slash alone when its last part has an ending that is not listed."""
    return _skipping(
        lambda mention: "." in (name := posixpath.basename(mention)) and not name.endswith(mentions._ENDINGS)
    )


@mutant("AMD-IMPORT-03")
def does_not_know_yml() -> AbstractContextManager[object]:
    """Knows yaml and has forgotten yml."""
    return patch.object(mentions, "_ENDINGS", tuple(ending for ending in mentions._ENDINGS if ending != ".yml"))


@mutant("AMD-IMPORT-03")
def takes_the_first_dot_for_the_ending() -> AbstractContextManager[object]:
    """Takes everything from the first dot on for the ending."""
    return _ending(lambda name: "".join(name.partition(".")[1:]))


@mutant("AMD-IMPORT-04")
def follows_source_code() -> AbstractContextManager[object]:
    """Follows names without a slash that end like source code, too."""
    return patch.object(mentions, "_ENDINGS", (*mentions._ENDINGS, *_SOURCE_CODE))


@mutant("AMD-IMPORT-04", neighbors={"AMD-IMPORT-08": "its name without a slash is left alone as well"})
def warns_about_what_it_leaves_alone() -> AbstractContextManager[object]:
    """Warns about a name that is no import as about a missing file."""

    def warning(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        for candidate in set(mentions._MENTION.findall(text)).difference(mentions.mentions(text)):
            loading.warn(paths.resolve(candidate, path), Reason.MISSING)
        return text

    return reading(warning)


@mutant("AMD-IMPORT-05")
def compares_endings_without_case() -> AbstractContextManager[object]:
    """Puts the ending of a name in lower case before it looks it up."""
    return _ending(lambda name: posixpath.splitext(name)[1].lower() or name)


@mutant("AMD-IMPORT-06")
def skips_links() -> AbstractContextManager[object]:
    """Sees no at-sign within a web link."""
    return _reading(lambda text: re.sub(r"https?://\S+", " ", text))


@mutant("AMD-IMPORT-06", neighbors={"AMD-IMPORT-01": "one of its imports directly follows another"})
def wants_a_word_boundary() -> AbstractContextManager[object]:
    """Sees no at-sign that directly follows a letter, a digit or an underscore."""
    return _matching(rf"\B@({_NAME})")


@mutant("AMD-IMPORT-07")
def knows_package_scopes() -> AbstractContextManager[object]:
    """Leaves names alone that begin with a well-known scope of packages."""
    scopes = {"angular", "babel", "nestjs", "types", "vue"}
    return _skipping(lambda mention: mention.partition("/")[0] in scopes)


@mutant("AMD-IMPORT-08")
def strips_the_last_dot() -> AbstractContextManager[object]:
    """Takes a dot at the end of a name for the end of a sentence."""
    return _trimming(".")


@mutant("AMD-IMPORT-09")
def strips_emphasis() -> AbstractContextManager[object]:
    """Takes underscores and tildes at the end of a name for Markdown's emphasis."""
    return _trimming("_~")


@mutant("AMD-IMPORT-09")
def takes_a_fragment_for_the_name() -> AbstractContextManager[object]:
    """Lets a number sign go on with the name."""
    return _matching(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/#\-]*)")


@mutant("AMD-IMPORT-10")
def skips_code() -> AbstractContextManager[object]:
    """Follows no import in a code span or a fenced block."""
    return _reading(lambda text: re.sub(r"(`+).*?\1", " ", text, flags=re.DOTALL))


@mutant("AMD-IMPORT-10")
def skips_comments() -> AbstractContextManager[object]:
    """Follows no import in an HTML comment."""
    return _reading(lambda text: re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL))


@mutant("AMD-IMPORT-10")
def lets_a_backslash_escape() -> AbstractContextManager[object]:
    """Takes an at-sign after a backslash for an escaped one."""
    return _matching(rf"(?<!\\)@({_NAME})")


@mutant("AMD-IMPORT-11")
def takes_letters_of_every_script() -> AbstractContextManager[object]:
    """Lets all of Unicode's letters and digits belong to a name."""
    return _matching(r"@([\w.~/][\w.~/\-]*)")


@mutant("AMD-IMPORT-14")
def takes_a_list_for_one_import() -> AbstractContextManager[object]:
    """Follows only the first of several imports with nothing but commas between them."""
    return _matching(rf"@({_NAME})(?:, *@{_NAME})*")


@mutant("AMD-IMPORT-15")
def splits_endings_off_like_python() -> AbstractContextManager[object]:
    """Takes a name that is only a dot and letters for one without an ending, like `os.path.splitext`."""
    return _ending(lambda name: posixpath.splitext(name)[1])
