"""A patch of the loader that several mutants share: the text of a file."""

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
    """Patch the text of a file; `change` receives the load, the path, the importers and the original text."""
    add, original = Loading.add, Loading._text
    place: ContextVar[tuple[str, Sequence[str]]] = ContextVar("place")

    async def adds(self: Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
        place.set((path, ancestors))
        await add(self, path, ancestors, sections)

    def text(self: Loading, content: Content | None) -> str:
        return change(self, *place.get(), original(self, content))

    return patch.multiple(Loading, add=adds, _text=text)
