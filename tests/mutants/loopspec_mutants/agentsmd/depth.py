"""Mutants about how deep imports are followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

from loopspec_reference import ReadRequest
from loopspec_reference.agentsmd import loader
from loopspec_reference.agentsmd.config import Reason

from ..registry import mutant


def _deepest(level: int) -> AbstractContextManager[object]:
    """Follow chains to another level."""
    return patch.object(loader, "_DEEPEST_LEVEL", level)


@mutant("AMD-DEPTH-01")
def warns_on_the_last_level() -> AbstractContextManager[object]:
    """Loads a file on level 5, and warns about it."""
    add = loader._Loading.add

    async def warning(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        await add(self, path, ancestors, sections)
        if len(ancestors) == loader._DEEPEST_LEVEL:
            self.warn(path, Reason.DEPTH)

    return patch.object(loader._Loading, "add", warning)


@mutant(
    "AMD-DEPTH-01",
    neighbors={
        "AMD-DEPTH-05": "its second chain reaches level 5",
        "AMD-ERROR-04": "one of its forbidden files is on level 5",
    },
)
def follows_four_levels() -> AbstractContextManager[object]:
    """Leaves out a file on level 5."""
    return _deepest(4)


@mutant("AMD-DEPTH-02")
def is_silent_about_depth() -> AbstractContextManager[object]:
    """Says nothing about a file that is left out for its level."""
    warn = loader._Loading.warn

    def silent(self: loader._Loading, path: str, reason: Reason) -> None:
        if reason is not Reason.DEPTH:
            warn(self, path, reason)

    return patch.object(loader._Loading, "warn", silent)


@mutant("AMD-DEPTH-02", neighbors={"AMD-DEPTH-03": "what is followed is read"})
def follows_six_levels() -> AbstractContextManager[object]:
    """Loads a file on level 6."""
    return _deepest(6)


@mutant("AMD-DEPTH-03")
@contextmanager
def reads_before_it_counts() -> Iterator[None]:
    """Reads a file before it leaves it out for its level."""
    add = loader._Loading.add

    async def reading(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        if len(ancestors) == loader._DEEPEST_LEVEL:
            await self._read(ReadRequest(path))
            self.warn(path, Reason.DEPTH)
        else:
            await add(self, path, ancestors, sections)

    with patch.object(loader._Loading, "add", reading), _deepest(6):
        yield


@mutant("AMD-DEPTH-05")
def does_not_count_back() -> AbstractContextManager[object]:
    """Begins a configured file one level further down for each import that was too deep before."""

    class Sinking(loader._Loading):
        level = 0

        def warn(self, path: str, reason: Reason) -> None:
            super().warn(path, reason)
            self.level += reason is Reason.DEPTH

        async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
            await super().add(path, ancestors or ("",) * self.level, sections)

    return patch.object(loader, "_Loading", Sinking)


@mutant("AMD-DEPTH-06")
def remembers_what_was_too_deep() -> AbstractContextManager[object]:
    """Takes a file that was left out for its level for one that has been loaded."""
    warn = loader._Loading.warn

    def remembering(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.DEPTH:
            self.seen.add(path)

    return patch.object(loader._Loading, "warn", remembering)
