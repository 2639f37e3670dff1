"""Liars about files that import themselves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference.agentsmd import loader
from loopspec_reference.agentsmd.config import Reason

from .registry import liar


def _silent_about_cycles_of(length: int) -> AbstractContextManager[object]:
    """Warn about every circle but those of so many files."""
    warn, add = loader._Loading.warn, loader._Loading.add
    chains: list[Sequence[str]] = []

    async def remembering(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        chains.append((*ancestors, path))
        await add(self, path, ancestors, sections)
        chains.pop()

    def silent(self: loader._Loading, path: str, reason: Reason) -> None:
        if reason is not Reason.CYCLE or len(chains[-1]) - chains[-1].index(path) != length:
            warn(self, path, reason)

    return patch.multiple(loader._Loading, add=remembering, warn=silent)


@liar("AMD-CYCLE-01")
def does_not_see_itself() -> AbstractContextManager[object]:
    """Says nothing when a file imports itself."""
    return _silent_about_cycles_of(1)


@liar(
    "AMD-CYCLE-02",
    neighbours={
        "AMD-CYCLE-04": "two configured files that import each other are a circle of two",
        "AMD-CYCLE-05": "its examples are circles of two",
    },
)
def sees_no_pairs() -> AbstractContextManager[object]:
    """Says nothing when two files import each other."""
    return _silent_about_cycles_of(2)


@liar("AMD-CYCLE-03", neighbours={"AMD-CYCLE-04": "its circle below a fork has three files"})
def sees_no_threes() -> AbstractContextManager[object]:
    """Says nothing when three files form a circle."""
    return _silent_about_cycles_of(3)
