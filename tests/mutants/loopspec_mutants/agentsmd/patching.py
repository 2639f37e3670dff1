"""Patches of the loader that several mutants share: what it takes for the text of a file, and for an import's path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from unittest.mock import patch

from loopspec_reference import Content
from loopspec_reference.agentsmd import loader

Loading = loader._Loading
Change = Callable[[Loading, str, Sequence[str], str], str]


def reading(change: Change) -> AbstractContextManager[object]:
    """Change the text of a file; the change receives the load, the path, the importers and the right text."""
    add, right = Loading.add, Loading._text
    place: ContextVar[tuple[str, Sequence[str]]] = ContextVar("place")

    async def adds(self: Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
        place.set((path, ancestors))
        await add(self, path, ancestors, sections)

    def text(self: Loading, content: Content | None) -> str:
        return change(self, *place.get(), right(self, content))

    return patch.multiple(Loading, add=adds, _text=text)


def resolving(resolve: Callable[[str, str], str]) -> AbstractContextManager[object]:
    """Resolve each mention in another way, which receives the mention and its importer, when its turn comes."""
    return patch.object(
        loader, "resolve_all", lambda mentions, importer: (resolve(mention, importer) for mention in mentions)
    )
