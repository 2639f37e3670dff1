"""The settings of the pinned scenes: each possible pair of values occurs."""

from __future__ import annotations

from itertools import combinations

from tools.generated.__main__ import chosen, rows
from tools.generated.covered import SETTINGS, TOGETHER, Settings
from tools.generated.reach import Reached


def is_possible(row: Settings) -> bool:
    """Whether the known settings of a row are possible together, as far as they are known."""
    return all(fits(row) for names, fits in TOGETHER if row.keys() >= set(names))


def test_each_possible_pair_of_settings_occurs() -> None:
    """A pair is impossible if its two settings exclude each other, alone or through what one of them requires."""
    found = rows(0)

    assert all(map(is_possible, found))
    pairs = {pair for row in found for pair in combinations(sorted(row.items()), 2)}
    every = {
        pair
        for one, other in combinations(sorted(SETTINGS), 2)
        for pair in [((one, value), (other, second)) for value in SETTINGS[one] for second in SETTINGS[other]]
    }
    runs = {"cancel at once": {"resumed"}, "a second run": {"together"}, "a change of a file": {"twice"}}
    runs["cancel at a safe point"] = {"once", "resumed"}
    assert {pair for pair in every - pairs if is_possible(dict(pair)) and dict(pair).get("runs") not in runs} == set()
    assert rows(0) == found


def test_each_cover_has_its_share_of_the_scenes() -> None:
    """The scene that reaches most comes first."""
    one, two, three = (Reached("f", (name,)) for name in ("one", "two", "three"))
    cover = {"a": frozenset({one}), "b": frozenset({two, three}), "c": frozenset({three})}
    other = {"a": frozenset({one, two}), "b": frozenset({one, two, three}), "c": frozenset({three})}

    assert chosen([cover, other], 2) == ["b", "a"]
    assert chosen([cover], 2) == ["b", "a"]
