"""Suggestions for unknown names."""

from __future__ import annotations

from collections.abc import Iterable

# The similarity, from 0 to 1, from which a name is suggested; the beginning of a name counts more.
CUTOFF, GLOB_CUTOFF = 0.6, 0.7


def alike(one: str, other: str) -> float:
    """The similarity of two names, from 0 to 1."""
    from difflib import SequenceMatcher  # takes time to import, and is needed for mistakes only

    return SequenceMatcher(None, one, other).ratio()


def nearest(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> str | None:
    """The most similar known name, or None. Case does not count.

    The suggestion for a glob that ends in `*` is a glob, too: `AMD-DEPTH*` for `ADM-DEPTH*`.
    """
    from difflib import get_close_matches  # likewise

    by_letters = {one.casefold(): one for one in known}
    plain = name.rstrip("*?").casefold()
    if plain != name.casefold():
        beginnings = {one[: len(plain)]: original[: len(plain)] + "*" for one, original in by_letters.items()}
        close = get_close_matches(plain, beginnings, n=1, cutoff=max(cutoff, GLOB_CUTOFF))
        return beginnings[close[0]] if close else None
    close = [plain] if plain in by_letters else get_close_matches(plain, by_letters, n=1, cutoff=cutoff)
    return by_letters[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a sentence about an unknown name: `: did you mean 'x'?`, or `otherwise` if no name is similar."""
    close = nearest(name, known)
    if close is not None:
        return f": did you mean {close!r}?"
    return f": {otherwise}" if otherwise else ""
