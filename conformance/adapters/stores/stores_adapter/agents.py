"""The backends of deepagents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from deepagents.backends import FilesystemBackend, StateBackend, StoreBackend
from deepagents.backends.protocol import BackendProtocol
from deepagents.middleware.filesystem import FilesystemState
from langchain_core.runnables import RunnableConfig
from langgraph.graph import StateGraph
from langgraph.store.memory import InMemoryStore

from .adapter import InFolder, Store, store

T = TypeVar("T")

# The codes that are not here have no exception of their own.
ERRORS: Mapping[str, type[OSError]] = {
    "file_not_found": FileNotFoundError,
    "permission_denied": PermissionError,
    "is_directory": IsADirectoryError,
}


def downloaded(backend: BackendProtocol, path: str) -> bytes:
    """The content by `download_files`; the adapter raises what the code stands for."""
    [response] = backend.download_files([path])
    if response.error is not None:
        raise ERRORS.get(response.error, OSError)(response.error)
    assert response.content is not None
    return response.content


def uploaded(backend: BackendProtocol, path: str, content: bytes) -> None:
    """Write by `upload_files`; a code refuses the name."""
    [response] = backend.upload_files([(path, content)])
    if response.error is not None:
        raise ValueError(response.error)


@store("deepagents FilesystemBackend.read, untranslated", "deepagents", "confined", "directories", "edits")
class FilesystemRead(InFolder):
    """`FilesystemBackend.read`, which is written for a model: the text of the file, or the text of the error."""

    def stored(self) -> None:
        """Make the backend of the folder."""
        self._backend = FilesystemBackend(root_dir=self.root, virtual_mode=True)

    def get(self, path: str) -> bytes:
        """The text that a model receives."""
        result = self._backend.read(path)
        return (result.file_data["content"] if result.file_data else str(result.error)).encode()


@store("deepagents StoreBackend", "deepagents", "confined", "edits")
class DeepagentsStore(Store):
    """`StoreBackend.download_files` over LangGraph's store in memory."""

    def mount(self) -> None:
        """Make the backend."""
        self._backend = StoreBackend(namespace=lambda _: ("files",), store=InMemoryStore())

    def get(self, path: str) -> bytes:
        """The content by `download_files`."""
        return downloaded(self._backend, path)

    def put(self, path: str, content: bytes) -> None:
        """Write by `upload_files`."""
        uploaded(self._backend, path, content)


@store("deepagents StateBackend", "deepagents", "confined", "edits")
class DeepagentsState(Store):
    """`StateBackend.download_files` in a node of a graph; the files are in the state of the graph."""

    def mount(self) -> None:
        """Make a graph of one node, which calls the backend."""
        graph = StateGraph(FilesystemState)
        graph.add_node("call", self._called)
        graph.set_entry_point("call")
        self._graph = graph.compile()
        self._backend = StateBackend()
        self._files: dict[str, Any] = {}

    def _called(self, state: FilesystemState, config: RunnableConfig) -> dict[str, Any]:
        """The node. Any: LangGraph's update of a state."""
        config["configurable"]["results"].append(config["configurable"]["call"]())
        return {}

    def _in_graph(self, call: Callable[[], T]) -> tuple[T, dict[str, Any]]:
        """Call the backend in the graph: the result, and the files in the state afterward."""
        results: list[T] = []
        state: FilesystemState = {"messages": [], "files": self._files}
        ended = self._graph.invoke(state, {"configurable": {"call": call, "results": results}})
        return results[0], ended["files"]

    def get(self, path: str) -> bytes:
        """The content by `download_files`."""
        return self._in_graph(lambda: downloaded(self._backend, path))[0]

    def put(self, path: str, content: bytes) -> None:
        """Write by `upload_files`."""
        self._files = self._in_graph(lambda: uploaded(self._backend, path, content))[1]
