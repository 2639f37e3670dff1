"""Mutants about loading each file once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from unittest.mock import patch

from loopspec_reference.agentsmd import loader, mentions, paths
from loopspec_reference.agentsmd.config import Reason

from ..registry import mutant
from .patching import reading, resolving

Known = Callable[[set[str], set[str]], set[str]]


def _knowing(*, within: Known, between: Known) -> AbstractContextManager[object]:
    """Patch which loaded files are remembered, given all of them and the configured ones.

    `within` selects them while a configured file and its imports are loaded, `between` before the next configured file.
    """

    class Forgetful(loader._Loading):
        loaded: frozenset[str] = frozenset()
        roots: frozenset[str] = frozenset()

        async def add(self, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
            if ancestors:
                await super().add(path, ancestors, sections)
                return
            self.loaded |= self.seen
            self.seen = within(set(self.loaded), set(self.roots))
            await super().add(path, ancestors, sections)
            self.loaded |= self.seen
            self.roots |= {path}
            self.seen = between(set(self.loaded), set(self.roots))

    return patch.object(loader, "_Loading", Forgetful)


def _everything(loaded: set[str], roots: set[str]) -> set[str]:
    return loaded


def _nothing_configured(loaded: set[str], roots: set[str]) -> set[str]:
    return loaded - roots


@mutant("AMD-DEDUP-01")
def reads_a_file_for_each_branch() -> AbstractContextManager[object]:
    """Reads a file again for each chain of imports that reaches it, but inserts the file once."""
    add = loader._Loading.add

    async def branching(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        before = self.seen.copy()
        await add(self, path, ancestors, sections)
        if ancestors:
            self.seen &= before | {path}
        else:
            sections[:] = {section.path: section for section in sections}.values()

    return patch.object(loader._Loading, "add", branching)


@mutant("AMD-DEDUP-02")
def forgets_imports_between_configured_files() -> AbstractContextManager[object]:
    """Loads an import again for each configured file that imports it."""
    return _knowing(within=lambda loaded, roots: roots, between=_everything)


@mutant(
    "AMD-DEDUP-03",
    neighbors={
        "AMD-DEDUP-05": "the third spelling is a third import of one file",
        "AMD-DEDUP-11": "the third spelling is a third import of one file",
    },
)
def loads_a_third_import() -> AbstractContextManager[object]:
    """Loads a file again at its third import."""

    class Crossing(set[str]):
        def __contains__(self, path: object) -> bool:
            loaded = super().__contains__(path)
            self.difference_update({path})
            return loaded

    class Forgetful(loader._Loading):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]  # whatever it takes
            self.seen = Crossing()

    return patch.object(loader, "_Loading", Forgetful)


@mutant("AMD-DEDUP-04")
def loads_as_often_as_configured() -> AbstractContextManager[object]:
    """Loads a file as often as it is configured."""
    return _knowing(within=_everything, between=_nothing_configured)


@mutant("AMD-DEDUP-05")
@contextmanager
def loads_again_for_a_dot_segment() -> Iterator[None]:
    """Loads a file again when an import of it begins with `./`."""
    add, resolve = loader._Loading.add, paths.resolve
    current: ContextVar[tuple[loader._Loading, Sequence[str]]] = ContextVar("current")

    async def known(self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
        outer = current.set((self, (*ancestors, path)))
        await add(self, path, ancestors, sections)
        current.reset(outer)

    def forgetting(mention: str, importer: str) -> str:
        path = resolve(mention, importer)
        loading, chain = current.get()
        if mention.startswith("./") and path not in chain:
            loading.seen.discard(path)
        return path

    with patch.object(loader._Loading, "add", known), resolving(forgetting):
        yield


@mutant("AMD-DEDUP-06")
def loads_configured_files_again_as_imports() -> AbstractContextManager[object]:
    """Loads an import again that is also an earlier configured file."""
    return _knowing(within=_nothing_configured, between=_everything)


@mutant("AMD-DEDUP-07", neighbors={"AMD-DEDUP-11": "the spellings are repeated imports of one file"})
def warns_about_repeated_imports() -> AbstractContextManager[object]:
    """Warns about a file that another file imports twice."""

    def counting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        imports = Counter(paths.resolve(mention, path) for mention in mentions.mentions(text))
        for imported in (imported for imported, times in imports.items() if times > 1):
            loading.warn(imported, Reason.CYCLE)
        return text

    return reading(counting)


@mutant("AMD-DEDUP-10")
def forgets_empty_files() -> AbstractContextManager[object]:
    """Loads an empty file again."""

    def forgetting(loading: loader._Loading, path: str, ancestors: Sequence[str], text: str) -> str:
        if not text:
            loading.seen.remove(path)
        return text

    return reading(forgetting)
