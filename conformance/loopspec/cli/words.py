"""The words that installed packages explain: entry points of `loopspec.words`, groups of words with their meanings."""

from __future__ import annotations

from collections.abc import Mapping

from ..contract.registered import all_loaded
from .page import paragraph


def words() -> Mapping[str, str]:
    """Each word with its meaning."""
    return {word: meaning for groups in all_loaded("words") for own in groups.values() for word, meaning in own.items()}


def print_word(name: str) -> bool:
    """Print a word with its meaning, in any case, also of a plural by its singular. Returns whether there is one."""
    known = {word.casefold(): (word, meaning) for word, meaning in words().items()}
    found = known.get(name.casefold()) or known.get(name.casefold() + "s")
    if found:
        word, meaning = found
        paragraph(meaning, lead=[(f"{word}: ", "bold cyan")], hang=2)
    return found is not None
