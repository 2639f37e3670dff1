"""Unknown names: the known one that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

# How alike two names must be, from 0 to 1, for one to be suggested for the other; two beginnings are alike more easily.
CUTOFF, GLOB_CUTOFF = 0.6, 0.7


def alike(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1."""
    from difflib import SequenceMatcher  # takes its time to import, and is needed for mistakes only

    return SequenceMatcher(None, one, other).ratio()


def nearest(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> str | None:
    """The known name that is most like `name`, or None where none is. Upper and lower case are alike.

    The answer to a glob that ends in `*` is a glob, too: `ADM-DEPTH*` is like `AMD-DEPTH*`.
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
    """The end of a sentence about an unknown name: `: did you mean 'x'?`, or `otherwise` where nothing is alike."""
    close = nearest(name, known)
    if close is not None:
        return f": did you mean {close!r}?"
    return f": {otherwise}" if otherwise else ""
