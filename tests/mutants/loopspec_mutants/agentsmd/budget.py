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


def _limit(exceeds: Callable[[int, int], bool]) -> AbstractContextManager[object]:
    """Patch the check whether a number of bytes exceeds the limit."""

    def over_budget(self: loader._Loading) -> bool:
        return exceeds(self._bytes, self.max_bytes)

    return patch.object(loader._Loading, "over_budget", over_budget)


def _counting(size: Callable[[str], int]) -> AbstractContextManager[object]:
    """Patch the counted size of a file, by its decoded text."""
    original = loader._Loading._text

    def counting(self: loader._Loading, content: Content | None) -> str:
        before = self._bytes
        text = original(self, content)
        self._bytes = before + size(text)
        return text

    return patch.object(loader._Loading, "_text", counting)


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="replace")


class _WithLevel(loader._Loading):
    """A load that knows the level of the current file."""

    level = -1  # the level of the current file

    async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
        self.level += 1
        await super().add(path, ancestors, sections)
        self.level -= 1


@mutant("AMD-BUDGET-01")
def has_a_default_limit() -> AbstractContextManager[object]:
    """Takes a limit of zero for a limit of 128 KiB."""
    init = loader._Loading.__init__

    def begins(self: loader._Loading, backend: Backend, max_bytes: int, on_warning: _Warn) -> None:
        init(self, backend, max_bytes or 128 * 1024, on_warning)

    return patch.object(loader._Loading, "__init__", begins)


@mutant("AMD-BUDGET-02", neighbors={"AMD-BUDGET-06": "an example has a file above the limit before a small one"})
def cuts_the_first_file() -> AbstractContextManager[object]:
    """Cuts a configured file that exceeds the limit alone."""

    def cutting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        return text if ancestors or not loading.over_budget() else _cut(text, loading.max_bytes)

    return reading(cutting)


@mutant("AMD-BUDGET-03")
def counts_characters() -> AbstractContextManager[object]:
    """Counts characters in place of bytes."""
    return _counting(len)


@mutant("AMD-BUDGET-03")
def counts_without_a_byte_order_mark() -> AbstractContextManager[object]:
    """Does not count the byte order mark of a file: `utf-8-sig`."""
    return _counting(lambda text: len(text.encode().decode("utf-8-sig").encode()))


@mutant("AMD-BUDGET-03")
def counts_crlf_as_one_byte() -> AbstractContextManager[object]:
    """Counts CRLF as one byte, as if the file were opened in text mode."""
    return _counting(lambda text: len(text.replace("\r\n", "\n").encode()))


@mutant("AMD-BUDGET-03")
def counts_stripped_text() -> AbstractContextManager[object]:
    """Does not count white space at the start and the end of a file: `strip`."""
    return _counting(lambda text: len(text.strip().encode()))


@mutant("AMD-BUDGET-04")
def warns_when_the_limit_is_reached() -> AbstractContextManager[object]:
    """Warns about a loaded file that fills the limit exactly."""

    def warning(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        if 0 < loading.max_bytes <= loading._bytes:
            loading.warn(path, Reason.BUDGET)
        return text

    return reading(warning)


@mutant(
    "AMD-BUDGET-04",
    neighbors={
        "AMD-BUDGET-03": "some of the examples fill the limit exactly",
        "AMD-BUDGET-07": "the two files fill the limit exactly",
        "AMD-BUDGET-16": "the files fill the limit exactly",
        "AMD-BUDGET-19": "the files of each run fill the limit exactly",
    },
)
def skips_a_file_that_fills_the_limit() -> AbstractContextManager[object]:
    """Skips a file that fills the limit exactly: `>=` for `>`."""
    return _limit(lambda used, limit: 0 < limit <= used)


@mutant("AMD-BUDGET-05", neighbors={"AMD-BUDGET-12": "the first scenario also exceeds the limit by one byte"})
def allows_one_byte_too_many() -> AbstractContextManager[object]:
    """Allows one byte more than the limit."""
    return _limit(lambda used, limit: 0 < limit < used - 1)


@mutant(
    "AMD-BUDGET-06",
    neighbors={"AMD-BUDGET-14": "the example has two more files after the skipped one"},
)
def resets_the_count_after_a_skipped_file() -> AbstractContextManager[object]:
    """Counts from zero again after a file was skipped for the limit."""
    warn = loader._Loading.warn

    def forgetting(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.BUDGET:
            self._bytes = 0

    return patch.object(loader._Loading, "warn", forgetting)


@mutant(
    "AMD-BUDGET-08",
    neighbors={
        "AMD-BUDGET-09": "only an import crosses the limit in the second scenario",
        "AMD-BUDGET-10": "only an import crosses the limit",
        "AMD-BUDGET-12": "only an import crosses the limit in the second scenario",
        "AMD-BUDGET-20": "the import fills the limit",
    },
)
def counts_configured_files_only() -> AbstractContextManager[object]:
    """Counts the bytes of configured files, but not those of imports."""

    def forgetting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        loading._bytes -= len(text.encode()) if ancestors else 0
        return text

    return reading(forgetting)


@mutant("AMD-BUDGET-20")
def ignores_imports_of_the_first_file() -> AbstractContextManager[object]:
    """Does not count the imports of the first configured file."""
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
def ignores_the_limit_for_nested_imports() -> AbstractContextManager[object]:
    """Checks the limit before the imports of a configured file, but not before nested imports."""

    class Generous(_WithLevel):
        def over_budget(self) -> bool:
            return self.level < 1 and super().over_budget()

    return patch.object(loader, "_Loading", Generous)


@mutant("AMD-BUDGET-11")
def skips_imports_without_a_warning() -> AbstractContextManager[object]:
    """Gives no warning about an import that is skipped for the limit."""

    class Silent(_WithLevel):
        def warn(self, path: str, reason: Reason) -> None:
            if reason is not Reason.BUDGET or self.level < 0:
                super().warn(path, reason)

    return patch.object(loader, "_Loading", Silent)


@mutant("AMD-BUDGET-14")
def loads_files_after_the_limit() -> AbstractContextManager[object]:
    """Loads smaller files after a configured file that was skipped for the limit: `continue` for `break`."""

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
    """Counts the length of the path of a missing file."""
    warn = loader._Loading.warn

    def counting(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.MISSING:
            self._bytes += len(path)

    return patch.object(loader._Loading, "warn", counting)


@mutant("AMD-BUDGET-17")
def cuts_the_import_that_crosses_the_limit() -> AbstractContextManager[object]:
    """Cuts an import that crosses the limit."""

    def cutting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        room = loading.max_bytes - loading._bytes + len(text.encode())
        return _cut(text, room) if ancestors and loading.over_budget() else text

    return reading(cutting)


@mutant(
    "AMD-BUDGET-17",
    neighbors={
        "AMD-BUDGET-12": "the second configured file also crosses the limit, and must not be loaded",
        "AMD-BUDGET-14": "the second configured file also crosses the limit, and must not be loaded",
    },
)
def cuts_the_configured_file_that_crosses_the_limit() -> AbstractContextManager[object]:
    """Cuts a later configured file that crosses the limit, and warns about it."""

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
def keeps_the_count_between_loads() -> AbstractContextManager[object]:
    """Begins a load with the count of the previous load."""

    class Continued(loader._Loading):
        before: list[loader._Loading] = []

        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]  # whatever it takes
            self._bytes = sum(loading._bytes for loading in self.before[-1:])
            self.before.append(self)

    return patch.object(loader, "_Loading", Continued)
