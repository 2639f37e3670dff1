"""The words that installed packages explain: entry points of `loopspec.words`, groups of words with their meanings."""

from __future__ import annotations

from collections.abc import Mapping

from ..contract.registered import all_loaded
from .page import paragraph


def words() -> Mapping[str, str]:
    """Each word with its meaning."""
    return {word: meaning for groups in all_loaded("words") for own in groups.values() for word, meaning in own.items()}


def print_word(name: str) -> bool:
    """Print a word with its meaning, upper and lower case alike. Returns whether there is such a word."""
    found = {word.casefold(): (word, meaning) for word, meaning in words().items()}.get(name.casefold())
    if found:
        word, meaning = found
        paragraph(meaning, lead=[(f"{word}: ", "bold cyan")], hang=2)
    return found is not None
