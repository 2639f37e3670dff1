"""Stores in the memory of the process."""

from __future__ import annotations

import fs.errors
import fs.memoryfs
from langgraph.store.memory import InMemoryStore
from obstore.store import MemoryStore

from .adapter import Store, as_key, store


@store("obstore, memory", "obstore", "confined", "deletes", "edits")
class ObstoreMemory(Store):
    """obstore's `MemoryStore`."""

    def mount(self) -> None:
        """Make an empty store."""
        self._store = MemoryStore()

    def get(self, path: str) -> bytes:
        """The content of an object."""
        return bytes(self._store.get(path).bytes())

    def put(self, path: str, content: bytes) -> None:
        """Put an object."""
        self._store.put(path, content)

    def delete(self, path: str) -> None:
        """Delete an object."""
        self._store.delete(path)


@store("PyFilesystem2, memory", "fs", "closes", "confined", "deletes", "directories", "edits")
class PyFilesystemMemory(Store):
    """PyFilesystem2's `MemoryFS`. The adapter raises the missing-file error for `ResourceNotFound`."""

    refusals = (ValueError, fs.errors.FSError)

    def mount(self) -> None:
        """Make an empty filesystem."""
        self._fs = self.exit.enter_context(fs.memoryfs.MemoryFS())

    def get(self, path: str) -> bytes:
        """The content of a file."""
        try:
            content: bytes = self._fs.readbytes(path)
        except fs.errors.ResourceNotFound as error:
            raise FileNotFoundError(path) from error
        return content

    def put(self, path: str, content: bytes) -> None:
        """Write a file, in a folder that is made for it."""
        self._fs.makedirs(fs.path.dirname(path), recreate=True)
        self._fs.writebytes(path, content)

    def delete(self, path: str) -> None:
        """Remove a file."""
        self._fs.remove(path)


class Items(Store):
    """Items of LangGraph's store. The store returns None for a missing item."""

    def mount(self) -> None:
        """Make an empty store."""
        self._store = InMemoryStore()

    def get(self, path: str) -> bytes:
        """The content in the item of the path."""
        item = self._store.get(("files",), as_key(path))
        return item and item.value["content"]  # type: ignore[return-value]  # None is what is judged here

    def put(self, path: str, content: bytes) -> None:
        """Put an item."""
        self._store.put(("files",), as_key(path), {"content": content})

    def delete(self, path: str) -> None:
        """Delete the item."""
        self._store.delete(("files",), as_key(path))


@store("LangGraph InMemoryStore, untranslated", "langgraph", "confined", "deletes", "edits")
class LangGraphUntranslated(Items):
    """LangGraph's store, with what the store returns."""


@store("LangGraph InMemoryStore", "langgraph", "confined", "deletes", "edits")
class LangGraph(Items):
    """LangGraph's store of items. The adapter raises the missing-file error for None."""

    def get(self, path: str) -> bytes:
        """The content in the item of the path."""
        content = super().get(path)
        if content is None:
            raise FileNotFoundError(path)
        return content
