"""Names that are not quite right: what may have been meant."""

from __future__ import annotations

from collections.abc import Iterable


def alike(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1."""
    from difflib import SequenceMatcher  # takes its time to import, and is needed for mistakes only

    return SequenceMatcher(None, one, other).ratio()


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a sentence about an unknown name: `: did you mean 'x'?`, or `otherwise` where nothing is alike.

    Upper and lower case are alike, and a glob is as its letters are.
    """
    from difflib import get_close_matches  # likewise

    by_letters = {one.casefold(): one for one in known}
    plain = name.rstrip("*?").casefold()
    close = [plain] if plain in by_letters else get_close_matches(plain, by_letters, n=1)
    if not close and plain != name.casefold():  # a glob: what begins alike
        close = [one for one in by_letters if get_close_matches(plain, [one[: len(plain)]], n=1)][:1]
    if close:
        return f": did you mean {by_letters[close[0]]!r}?"
    return f": {otherwise}" if otherwise else ""
