"""Mutants about import cycles."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from unittest.mock import patch

from loopspec_reference import Backend, Content, agentsmd
from loopspec_reference.agentsmd import LoadWarning, handler, loader, mentions, paths
from loopspec_reference.agentsmd.config import Reason

from ..registry import mutant
from .patching import reading, resolving


def _silent_about_cycles_of(length: int) -> AbstractContextManager[object]:
    """Give no warning about import cycles of this length."""
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


@mutant("AMD-CYCLE-01")
def ignores_cycles_of_one_file() -> AbstractContextManager[object]:
    """Gives no warning when a file imports itself."""
    return _silent_about_cycles_of(1)


@mutant(
    "AMD-CYCLE-02",
    neighbors={
        "AMD-CYCLE-05": "the examples are cycles of two files",
        "AMD-CYCLE-08": "two configured files that import each other are a cycle of two files",
    },
)
def ignores_cycles_of_two_files() -> AbstractContextManager[object]:
    """Gives no warning when two files import each other."""
    return _silent_about_cycles_of(2)


@mutant("AMD-CYCLE-03", neighbors={"AMD-CYCLE-04": "the cycle below a fork has three files"})
def ignores_cycles_of_three_files() -> AbstractContextManager[object]:
    """Gives no warning about an import cycle of three files."""
    return _silent_about_cycles_of(3)


@mutant("AMD-CYCLE-04")
def forgets_the_importers_at_a_fork() -> AbstractContextManager[object]:
    """Begins a new chain of importers below a file that imports several files."""

    class Forking(loader._Loading):
        path = ""
        forks: frozenset[str] = frozenset()

        async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
            self.path = path
            forked = bool(ancestors) and ancestors[-1] in self.forks
            await super().add(path, () if forked else ancestors, sections)

        def _text(self, content: Content | None) -> str:
            text = super()._text(content)
            if len(mentions.mentions(text)) > 1:
                self.forks |= {self.path}
            return text

    return patch.object(loader, "_Loading", Forking)


@mutant("AMD-CYCLE-08")
@contextmanager
def does_not_import_configured_files() -> Iterator[None]:
    """Does not follow an import of a configured file, because that file is loaded anyway."""
    load, add = loader.load, loader._Loading.add
    configured: ContextVar[frozenset[str]] = ContextVar("configured")

    async def loading(
        backend: Backend, files: Iterable[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[loader.Section]:
        configured.set(frozenset(map(paths.clean_path, files)))
        return await load(backend, files, max_bytes, on_warning)

    async def skipping(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        if not (ancestors and path in configured.get()):
            await add(self, path, ancestors, sections)

    with (
        patch.object(handler, "load", loading),
        patch.object(agentsmd, "load", loading),
        patch.object(loader._Loading, "add", skipping),
    ):
        yield


@mutant("AMD-CYCLE-05")
@contextmanager
def detects_normalized_cycles_only() -> Iterator[None]:
    """Detects an import cycle only if the import is written as a normalized path."""
    resolve, warn = paths.resolve, loader._Loading.warn
    written = [""]

    def remembering(mention: str, importer: str) -> str:
        written[0] = posixpath.join(posixpath.dirname(importer), mention)
        return resolve(mention, importer)

    def silent(self: loader._Loading, path: str, reason: Reason) -> None:
        if reason is not Reason.CYCLE or path == written[0]:
            warn(self, path, reason)

    with resolving(remembering), patch.object(loader._Loading, "warn", silent):
        yield


@mutant("AMD-DEDUP-07")
def takes_a_repeated_import_for_a_cycle() -> AbstractContextManager[object]:
    """Warns about an import cycle when a file imports a file that another file has already imported."""

    def warning(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        imports = {paths.resolve(mention, path) for mention in mentions.mentions(text)}
        for imported in imports & loading.seen - {*ancestors, path}:
            loading.warn(imported, Reason.CYCLE)
        return text

    return reading(warning)


@mutant("AMD-CYCLE-07")
def stops_at_a_cycle() -> AbstractContextManager[object]:
    """Follows no further imports of a file after a cyclic one."""
    warn, add = loader._Loading.warn, loader._Loading.add

    class Stop(Exception):
        pass

    def stopping(self: loader._Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.CYCLE:
            raise Stop

    async def stopped(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        with suppress(Stop):
            await add(self, path, ancestors, sections)

    return patch.multiple(loader._Loading, add=stopped, warn=stopping)
