"""Generated calls of one backend, compared with the reference, in a number of scenes that does not depend on time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count

from loopspec.contract.target import Target
from loopspec.targets.resolve import resolve

from ..comparing.differences import described
from .known import KnownDifferences
from .printing import scenario_of
from .search import Finding, Search


def difference_in_calls(target: Target, scenes: int, seed: int, deadline: float) -> str:
    """The first difference between a backend and the reference, as a small scenario; empty if there is none."""
    with closing(resolve("reference")) as reference:
        search = Search(target, reference, scenes, seed, KnownDifferences(), deadline, only="backend")
        looks = count()
        # while a difference is made smaller, the clock stands still: the number of smaller scenes is finite
        search.clock = lambda: 0.0 if search.best else float(next(looks))
        found = next(search.findings(), None)
    return "\n".join(_lines(found)) if found else ""


def _lines(found: Finding) -> Iterator[str]:
    yield "The backend differs from the reference in generated calls."
    yield scenario_of(found, "Generated calls").scenario.rstrip("\n")
    yield "ours is the backend, theirs is the reference:"
    yield from described(found.difference)
    if not found.repeats:
        yield "A second attempt does not show the difference."
