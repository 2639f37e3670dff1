"""Mutants about the depth of imports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

from loopspec_reference import ReadRequest
from loopspec_reference.agentsmd import loader
from loopspec_reference.agentsmd.config import Reason

from ..registry import mutant


def _deepest(level: int) -> AbstractContextManager[object]:
    """Patch the deepest level that is loaded."""
    return patch.object(loader, "_DEEPEST_LEVEL", level)


@mutant("AMD-DEPTH-01", neighbors={"AMD-DEDUP-07": "an example has a file on level 5"})
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
        "AMD-IMPORT-24": "an example has five levels",
        "AMD-DEDUP-07": "an example has five levels",
        "AMD-DEPTH-05": "the second chain reaches level 5",
        "AMD-ERROR-04": "one of the forbidden files is on level 5",
    },
)
def follows_four_levels() -> AbstractContextManager[object]:
    """Skips a file on level 5."""
    return _deepest(4)


@mutant("AMD-DEPTH-02")
def skips_deep_files_without_a_warning() -> AbstractContextManager[object]:
    """Gives no warning about a file that is skipped for its level."""
    warn = loader._Loading.warn

    def silent(self: loader._Loading, path: str, reason: Reason) -> None:
        if reason is not Reason.DEPTH:
            warn(self, path, reason)

    return patch.object(loader._Loading, "warn", silent)


@mutant("AMD-DEPTH-02", neighbors={"AMD-DEPTH-03": "a loaded file is also read"})
def follows_six_levels() -> AbstractContextManager[object]:
    """Loads a file on level 6."""
    return _deepest(6)


@mutant("AMD-DEPTH-03")
@contextmanager
def reads_a_file_before_it_checks_the_level() -> Iterator[None]:
    """Reads a file before it skips the file for its level."""
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
def does_not_reset_the_level() -> AbstractContextManager[object]:
    """Begins a configured file one level deeper for each earlier import that was too deep."""

    class Sinking(loader._Loading):
        level = 0

        def warn(self, path: str, reason: Reason) -> None:
            super().warn(path, reason)
            self.level += reason is Reason.DEPTH

        async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
            await super().add(path, ancestors or ("",) * self.level, sections)

    return patch.object(loader, "_Loading", Sinking)


@mutant("AMD-DEPTH-06")
def takes_a_skipped_file_for_loaded() -> AbstractContextManager[object]:
    """Takes a file that was skipped for its level for a loaded one."""
    warn = loader._Loading.warn

    def remembering(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.DEPTH:
            self.seen.add(path)

    return patch.object(loader._Loading, "warn", remembering)
