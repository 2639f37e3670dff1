"""Names in messages, and suggestions for unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

# The similarity, from 0 to 1, from which a name is suggested; the beginning of a name counts more.
CUTOFF, GLOB_CUTOFF = 0.6, 0.7
_MISS = 0.8  # the same of an attribute that nothing reads: an attribute of another name is its author's own


_LONG = 80  # characters of a name that are shown completely


def shortened(text: str, most: int, show: Callable[[str], str] = str) -> str:
    """A text in a message; the middle of a long one is left out."""
    if len(text) <= most:
        return show(text)
    half = most // 2
    return f"{show(f'{text[:half]} … {text[-half:]}')} ({len(text)} characters)"


def short_name(name: str) -> str:
    """A name in quotes, shortened."""
    return shortened(name, _LONG, repr)


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


def near_misses(own: Iterable[str], known: Iterable[str], cutoff: float = _MISS) -> Iterator[tuple[str, str]]:
    """The names of an author that resemble a known name that the author has not, each with the known name.

    Names with a leading underscore are private.
    """
    names = set(own)
    missing = [name for name in known if name not in names]
    for name in sorted(names.difference(known)):
        if not name.startswith("_") and (meant := nearest(name, missing, cutoff)):
            yield name, meant


def miss(name: str, meant: str) -> str:
    """The end of a sentence about such a name, after its owner."""
    return f"has `{name}`, which nothing reads: did you mean `{meant}`?"


def refused(name: str, meant: str) -> str:
    """The same of a name that is refused, with the way to keep it."""
    return f"{miss(name, meant)} (a name of your own is `_{name}`)"


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a sentence about an unknown name: `: did you mean 'x'?`, or `otherwise` if no name is similar."""
    close = nearest(name, known)
    if close is not None:
        return f": did you mean {close!r}?"
    return f": {otherwise}" if otherwise else ""
