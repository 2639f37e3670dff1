"""Mutants about files that import themselves."""

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


@mutant("AMD-CYCLE-01")
def does_not_see_itself() -> AbstractContextManager[object]:
    """Says nothing when a file imports itself."""
    return _silent_about_cycles_of(1)


@mutant(
    "AMD-CYCLE-02",
    neighbors={
        "AMD-CYCLE-05": "its examples are circles of two",
        "AMD-CYCLE-08": "two configured files that import each other are a circle of two",
    },
)
def sees_no_pairs() -> AbstractContextManager[object]:
    """Says nothing when two files import each other."""
    return _silent_about_cycles_of(2)


@mutant("AMD-CYCLE-03", neighbors={"AMD-CYCLE-04": "its circle below a fork has three files"})
def sees_no_threes() -> AbstractContextManager[object]:
    """Says nothing when three files form a circle."""
    return _silent_about_cycles_of(3)


@mutant("AMD-CYCLE-04")
def forgets_the_importers_of_a_fork() -> AbstractContextManager[object]:
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
def leaves_configured_files_for_their_turn() -> Iterator[None]:
    """Follows no import of a configured file, since that file is loaded anyway."""
    load, add = loader.load, loader._Loading.add
    configured: ContextVar[frozenset[str]] = ContextVar("configured")

    async def knowing(
        backend: Backend, files: Iterable[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[loader.Section]:
        configured.set(frozenset(map(paths.clean_path, files)))
        return await load(backend, files, max_bytes, on_warning)

    async def waiting(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        if not (ancestors and path in configured.get()):
            await add(self, path, ancestors, sections)

    with (
        patch.object(handler, "load", knowing),
        patch.object(agentsmd, "load", knowing),
        patch.object(loader._Loading, "add", waiting),
    ):
        yield


@mutant("AMD-CYCLE-05")
@contextmanager
def compares_paths_as_written() -> Iterator[None]:
    """Sees a circle only where the import is written without segments to spare."""
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
def takes_a_second_way_for_a_circle() -> AbstractContextManager[object]:
    """Warns about a circle when a file imports what another has imported before."""

    def suspecting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        imports = {paths.resolve(mention, path) for mention in mentions.mentions(text)}
        for imported in imports & loading.seen - {*ancestors, path}:
            loading.warn(imported, Reason.CYCLE)
        return text

    return reading(suspecting)


@mutant("AMD-CYCLE-07")
def stops_at_a_circle() -> AbstractContextManager[object]:
    """Follows no further import of a file after one that is circular."""
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
