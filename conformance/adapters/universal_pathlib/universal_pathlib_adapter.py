"""Puts universal_pathlib's paths to local files and to memory before loopspec."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from threading import Lock
from uuid import uuid4

from upath import UPath

from loopspec import CannotStore, Capability, ReadRequest
from loopspec_adapting.folders import FORBIDDING, FolderStore


class Store:
    """The given files below a path."""

    def __init__(self, root: UPath, files: Mapping[str, bytes], turns: AbstractContextManager[object]) -> None:
        self._root = root
        self._turns = turns
        for path, content in files.items():
            self.write(path, content)

    def read(self, request: ReadRequest) -> bytes:
        """Read a whole file."""
        with self._turns:
            return (self._root / request.file_path).read_bytes()

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file, in a folder that is made for it."""
        try:
            file = self._root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with self._turns:
                file.write_bytes(content)
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error


class LocalStore(FolderStore, Store):
    """A temporary folder, through the protocol `file`: a path without a protocol is Python's own `pathlib.Path`."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        FolderStore.__init__(self, files)
        Store.__init__(self, UPath(self.root, protocol="file"), {}, nullcontext())


class MemoryStore(Store):
    """A folder of its own in the one memory that a process has.

    The reads take turns because a file in it may be open once at any moment, as fsspec, whose memory it is, says.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(UPath(f"memory:///loopspec-{uuid4()}"), files, Lock())

    def delete(self, path: str) -> None:
        """Delete a file."""
        (self._root / path).unlink()

    def close(self) -> None:
        """Remove the folder."""
        self._root.rmdir(recursive=True)


class Local:
    """universal_pathlib's path to local files."""

    name = "universal_pathlib, local folder"
    version = version("universal_pathlib")
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits", "fault-io", *FORBIDDING)
    open = LocalStore


class Memory:
    """universal_pathlib's path to memory, where nothing is forbidden and no medium can break."""

    name = "universal_pathlib, memory"
    version = version("universal_pathlib")
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits")
    open = MemoryStore
