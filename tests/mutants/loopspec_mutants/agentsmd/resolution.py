"""Mutants about the paths of imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from unittest.mock import patch

from loopspec_reference import ReadRequest
from loopspec_reference.agentsmd import loader, paths

from ..registry import mutant
from .patching import resolving


@contextmanager
def _resolving(change: Callable[[str, str, str], str]) -> Iterator[None]:
    """Patch how an import is resolved, by its importer and the configured file."""
    add = loader._Loading.add
    root: ContextVar[str] = ContextVar("root")

    async def rooted(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        if not ancestors:
            root.set(path)
        await add(self, path, ancestors, sections)

    def resolve(mention: str, importer: str) -> str:
        return change(mention, importer, root.get())

    with patch.object(loader._Loading, "add", rooted), resolving(resolve):
        yield


@mutant("AMD-IMPORT-12")
def resolves_paths_with_a_slash_against_the_root() -> AbstractContextManager[object]:
    """Resolves a path with a slash against the folder of the configured file."""
    return _resolving(lambda mention, importer, root: paths.resolve(mention, root if "/" in mention else importer))


@mutant("AMD-IMPORT-12", neighbors={"AMD-ERROR-09": "the missing import is in a file of another folder"})
def resolves_every_path_against_the_root() -> AbstractContextManager[object]:
    """Resolves every relative path against the folder of the configured file."""
    return _resolving(lambda mention, importer, root: paths.resolve(mention, root))


@mutant("AMD-IMPORT-17", neighbors={"AMD-IMPORT-27": "the absolute imports also leave the project"})
def keeps_absolute_imports_in_the_project() -> AbstractContextManager[object]:
    """Resolves an absolute import below the folder of the configured file, unless it is already below that folder."""

    def resolve(mention: str, importer: str, root: str) -> str:
        path = paths.resolve(mention, importer)
        inside = mention[0] != "/" or path.startswith(posixpath.dirname(root) + "/")
        return path if inside else paths.resolve(mention.lstrip("/"), root)

    return _resolving(resolve)


@mutant("AMD-IMPORT-18")
def climbs_one_folder_only() -> AbstractContextManager[object]:
    """Resolves several leading double dots of an import as one."""
    return _resolving(lambda mention, importer, _: paths.resolve(re.sub(r"^(\.\./)+", "../", mention), importer))


@mutant("AMD-IMPORT-23", neighbors={"AMD-IMPORT-24": "one of the configured files is hidden"})
def skips_hidden_files() -> AbstractContextManager[object]:
    """Skips a configured file whose name begins with a dot."""
    add = loader._Loading.add

    async def skipping(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        if ancestors or not posixpath.basename(path).startswith("."):
            await add(self, path, ancestors, sections)

    return patch.object(loader._Loading, "add", skipping)


@mutant("AMD-IMPORT-24")
def follows_imports_of_markdown_only() -> AbstractContextManager[object]:
    """Follows imports only in Markdown files."""
    original = paths.resolve_all

    def choosing(mentions: Sequence[str], importer: str) -> list[str]:
        return original(mentions, importer) if importer.endswith((".md", ".mdx")) else []

    return patch.object(loader, "resolve_all", choosing)


@mutant("AMD-IMPORT-25", neighbors={"AMD-BUDGET-17": "the importing file begins with a line that is an import"})
def drops_lines_that_are_imports() -> AbstractContextManager[object]:
    """Removes the lines of a file that contain only an import."""
    section = loader.Section
    return patch.object(
        loader, "Section", lambda path, text: section(path, re.sub(r"^@\S+\n?", "", text, flags=re.MULTILINE))
    )


@mutant("AMD-IMPORT-26")
def loads_the_readme_of_a_folder() -> AbstractContextManager[object]:
    """Loads the README.md of a lower folder from which two files were imported."""
    add = loader._Loading.add

    async def adding(
        self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]
    ) -> None:
        await add(self, path, ancestors, sections)
        folder = posixpath.dirname(path)
        below = [f for f in self.seen if posixpath.dirname(f) == folder]
        if ancestors and len(below) == 2 and folder.startswith(posixpath.dirname(ancestors[-1]) + "/"):
            with suppress(FileNotFoundError):
                await self._read(ReadRequest(f"{folder}/README.md"))
                await add(self, f"{folder}/README.md", ancestors, sections)

    return patch.object(loader._Loading, "add", adding)


@mutant("AMD-IMPORT-27", neighbors={"AMD-DEDUP-11": "one of the spellings begins with two slashes"})
def keeps_two_leading_slashes() -> AbstractContextManager[object]:
    """Keeps two slashes at the start of an import, like `posixpath.normpath`."""
    return patch.object(paths, "clean_path", posixpath.normpath)
