"""Mutants about the byte limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import Backend, Content
from loopspec_reference.agentsmd import LoadWarning, loader
from loopspec_reference.agentsmd.config import Reason

from ..registry import mutant
from .patching import reading

_Warn = Callable[[LoadWarning], None]


def _limit(lies: Callable[[int, int], bool]) -> AbstractContextManager[object]:
    """Ask otherwise whether so many bytes exceed a limit."""

    def over_budget(self: loader._Loading) -> bool:
        return lies(self._bytes, self.max_bytes)

    return patch.object(loader._Loading, "over_budget", over_budget)


def _counting(size: Callable[[str], int]) -> AbstractContextManager[object]:
    """Count the bytes of a file otherwise, by its decoded text."""
    right = loader._Loading._text

    def counting(self: loader._Loading, content: Content | None) -> str:
        before = self._bytes
        text = right(self, content)
        self._bytes = before + size(text)
        return text

    return patch.object(loader._Loading, "_text", counting)


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="replace")


class _Placed(loader._Loading):
    """A load that knows where it is."""

    level = -1  # of the file whose imports are followed at the moment

    async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
        self.level += 1
        await super().add(path, ancestors, sections)
        self.level -= 1


@mutant("AMD-BUDGET-01")
def has_a_limit_of_its_own() -> AbstractContextManager[object]:
    """Takes a limit of zero for one of 128 KiB."""
    init = loader._Loading.__init__

    def begins(self: loader._Loading, backend: Backend, max_bytes: int, on_warning: _Warn) -> None:
        init(self, backend, max_bytes or 128 * 1024, on_warning)

    return patch.object(loader._Loading, "__init__", begins)


@mutant("AMD-BUDGET-02")
def cuts_the_first_file() -> AbstractContextManager[object]:
    """Cuts a configured file to the limit that is above it by itself."""

    def cutting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        return text if ancestors or not loading.over_budget() else _cut(text, loading.max_bytes)

    return reading(cutting)


@mutant("AMD-BUDGET-03")
def counts_characters() -> AbstractContextManager[object]:
    """Counts characters instead of bytes."""
    return _counting(len)


@mutant("AMD-BUDGET-03")
def counts_without_a_byte_order_mark() -> AbstractContextManager[object]:
    """Counts what is left of a file when it is decoded as utf-8-sig."""
    return _counting(lambda text: len(text.encode().decode("utf-8-sig").encode()))


@mutant("AMD-BUDGET-03")
def counts_line_ends_as_one() -> AbstractContextManager[object]:
    """Counts what is left of a file when it is opened in text mode."""
    return _counting(lambda text: len(text.replace("\r\n", "\n").encode()))


@mutant("AMD-BUDGET-03")
def counts_without_white_space_at_the_ends() -> AbstractContextManager[object]:
    """Counts what is left of a file when it is stripped."""
    return _counting(lambda text: len(text.strip().encode()))


@mutant("AMD-BUDGET-04")
def warns_when_the_limit_is_reached() -> AbstractContextManager[object]:
    """Warns about a file with which the limit is reached, though it shows it."""

    def warning(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        if 0 < loading.max_bytes <= loading._bytes:
            loading.warn(path, Reason.BUDGET)
        return text

    return reading(warning)


@mutant(
    "AMD-BUDGET-04",
    neighbors={
        "AMD-BUDGET-03": "some of its examples reach the limit",
        "AMD-BUDGET-07": "its two files reach the limit",
        "AMD-BUDGET-16": "its files reach the limit",
        "AMD-BUDGET-19": "the files of each of its runs reach the limit",
    },
)
def takes_reaching_for_exceeding() -> AbstractContextManager[object]:
    """Takes a limit for exceeded as soon as it is reached."""
    return _limit(lambda used, limit: 0 < limit <= used)


@mutant("AMD-BUDGET-05", neighbors={"AMD-BUDGET-12": "its first scenario is one byte over, too"})
def forgives_a_byte() -> AbstractContextManager[object]:
    """Takes a limit for exceeded only when two bytes more than it have been read."""
    return _limit(lambda used, limit: 0 < limit < used - 1)


@mutant(
    "AMD-BUDGET-06",
    neighbors={"AMD-BUDGET-14": "it has two more files after the one that is left out"},
)
def starts_anew_after_a_file_left_out() -> AbstractContextManager[object]:
    """Counts from zero again after a file was left out for the limit."""
    warn = loader._Loading.warn

    def forgetting(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.BUDGET:
            self._bytes = 0

    return patch.object(loader._Loading, "warn", forgetting)


@mutant(
    "AMD-BUDGET-08",
    neighbors={
        "AMD-BUDGET-09": "in its second scenario, only an import passes the limit",
        "AMD-BUDGET-10": "only an import passes the limit",
        "AMD-BUDGET-12": "in its second scenario, only an import passes the limit",
        "AMD-BUDGET-20": "the import uses up the limit",
    },
)
def counts_configured_files_only() -> AbstractContextManager[object]:
    """Counts the bytes of configured files, and not those of imports."""

    def forgetting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        loading._bytes -= len(text.encode()) if ancestors else 0
        return text

    return reading(forgetting)


@mutant("AMD-BUDGET-20")
def forgets_the_first_imports() -> AbstractContextManager[object]:
    """Forgets the bytes of the first configured file's imports, which stay anyway."""
    add = loader._Loading.add

    async def forgetting(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        first = not self.seen
        await add(self, path, ancestors, sections)
        if first:
            self._bytes -= sum(len(section.text.encode()) for section in sections[1:])

    return patch.object(loader._Loading, "add", forgetting)


@mutant("AMD-BUDGET-09")
def lets_imports_of_imports_pass() -> AbstractContextManager[object]:
    """Asks for the limit before the imports of a configured file, but not before theirs."""

    class Generous(_Placed):
        def over_budget(self) -> bool:
            return self.level < 1 and super().over_budget()

    return patch.object(loader, "_Loading", Generous)


@mutant("AMD-BUDGET-11")
def is_silent_about_imports_beyond_the_limit() -> AbstractContextManager[object]:
    """Says nothing about an import that is left out for the limit."""

    class Silent(_Placed):
        def warn(self, path: str, reason: Reason) -> None:
            if reason is not Reason.BUDGET or self.level < 0:
                super().warn(path, reason)

    return patch.object(loader, "_Loading", Silent)


@mutant("AMD-BUDGET-14")
def goes_on_after_a_file_too_long() -> AbstractContextManager[object]:
    """Goes on to smaller files after a configured one that would have passed the limit."""

    class Continuing(loader._Loading):
        root = ""
        before = 0

        async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
            if not ancestors:
                self.root, self.before = path, self._bytes
            await super().add(path, ancestors, sections)

        def warn(self, path: str, reason: Reason) -> None:
            super().warn(path, reason)
            if reason is Reason.BUDGET and path == self.root:
                self._bytes = self.before

    return patch.object(loader, "_Loading", Continuing)


@mutant("AMD-BUDGET-16")
def counts_missing_files() -> AbstractContextManager[object]:
    """Counts a missing file as long as its path."""
    warn = loader._Loading.warn

    def counting(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.MISSING:
            self._bytes += len(path)

    return patch.object(loader._Loading, "warn", counting)


@mutant("AMD-BUDGET-17")
def cuts_the_import_that_passes() -> AbstractContextManager[object]:
    """Cuts an import where the limit is passed."""

    def cutting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        room = loading.max_bytes - loading._bytes + len(text.encode())
        return _cut(text, room) if ancestors and loading.over_budget() else text

    return reading(cutting)


@mutant(
    "AMD-BUDGET-17",
    neighbors={
        "AMD-BUDGET-12": "the second configured file passes the limit, too, and must not be shown at all",
        "AMD-BUDGET-14": "the second configured file passes the limit, too, and must not be shown at all",
    },
)
def cuts_the_configured_file_that_passes() -> AbstractContextManager[object]:
    """Cuts a later configured file where the limit is passed, and warns about it."""

    def cutting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        first = loading.seen == {path}
        if first or ancestors or not loading.over_budget():
            return text
        room = loading.max_bytes - loading._bytes + len(text.encode())
        loading._bytes = loading.max_bytes
        loading.warn(path, Reason.BUDGET)
        return _cut(text, room)

    return reading(cutting)


@mutant("AMD-BUDGET-19")
def counts_on_from_load_to_load() -> AbstractContextManager[object]:
    """Begins to count where the load before has ended."""

    class Continued(loader._Loading):
        before: list[loader._Loading] = []

        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]  # whatever it takes
            self._bytes = sum(loading._bytes for loading in self.before[-1:])
            self.before.append(self)

    return patch.object(loader, "_Loading", Continued)
