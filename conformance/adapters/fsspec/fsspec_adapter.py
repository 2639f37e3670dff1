"""Puts fsspec's local folder, memory and zip before loopspec; fsspec is asked for whole files by `cat_file`."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from uuid import uuid4

import fsspec  # type: ignore[import-untyped]  # fsspec has no type information

from loopspec import CannotStore, Capability, ReadRequest
from loopspec_adapting.folders import FORBIDDING, FolderStore


class Rooted:
    """The given files below a root of a filesystem, which sees nothing else."""

    def __init__(self, inner: Any, root: str, files: Mapping[str, bytes]) -> None:  # Any: fsspec is untyped
        self._fs = fsspec.filesystem("dir", path=root, fs=inner, skip_instance_cache=True)
        for path, content in files.items():
            self.write(path, content)

    def read(self, request: ReadRequest) -> bytes:
        """Read a whole file."""
        content: bytes = self._fs.cat_file(request.file_path)
        return content

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file."""
        try:
            self._fs.pipe_file(path, content)
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error


class LocalStore(FolderStore, Rooted):
    """A temporary folder."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        FolderStore.__init__(self, files)
        Rooted.__init__(self, fsspec.filesystem("file", skip_instance_cache=True), str(self.root), {})


class MemoryStore(Rooted):
    """A folder of its own in the one memory that a process has."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._memory = fsspec.filesystem("memory", skip_instance_cache=True)
        self._root = f"/loopspec-{uuid4()}"
        super().__init__(self._memory, self._root, files)

    def delete(self, path: str) -> None:
        """Delete a file."""
        self._fs.rm_file(path)

    def close(self) -> None:
        """Remove the folder, which ends with its last file."""
        if self._memory.exists(self._root):
            self._memory.rm(self._root, recursive=True)


class ZipStore:
    """A temporary archive, opened once to be read; fsspec opens an archive to be read or to be written, never both.

    The lock is there because fsspec says that this filesystem is not necessarily safe to be used by several threads.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="loopspec-"))
        self._archive = self._folder / "files.zip"
        self._archive.touch()
        self._add(files, "w")
        self._lock = Lock()
        self._mount()

    def _mount(self) -> None:
        self._file = self._archive.open("rb")
        self._fs = fsspec.filesystem("zip", fo=self._file)

    def _unmount(self) -> None:
        self._fs.close()
        self._file.close()

    def _add(self, files: Mapping[str, bytes], mode: Literal["w", "a"]) -> None:
        with self._archive.open("r+b") as file:
            fs = fsspec.filesystem("zip", fo=file, mode=mode)
            for path, content in files.items():
                fs.pipe_file(path, content)
            fs.close()

    def read(self, request: ReadRequest) -> bytes:
        """Read a whole member."""
        with self._lock:
            content: bytes = self._fs.cat_file(request.file_path)
            return content

    def write(self, path: str, content: bytes) -> None:
        """Append a member, which replaces one of the same name for every later reader of the archive."""
        self._add({path: content}, "a")

    def fault(self, path: str, kind: Literal["permission", "io"]) -> None:
        """Let the index say that the member is encrypted, or a checksum that its bytes do not have."""
        self._unmount()
        with zipfile.ZipFile(self._archive, "a") as archive:
            member = archive.getinfo(path)
            if kind == "permission":
                member.flag_bits |= 1
            else:
                member.CRC ^= 1
            archive.comment = b"faulty"  # makes zipfile rewrite the index
        self._mount()

    def close(self) -> None:
        """Close the archive and remove it."""
        self._unmount()
        shutil.rmtree(self._folder)


class Local:
    """fsspec's local filesystem."""

    name = "fsspec, local folder"
    version: str = fsspec.__version__
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits", "fault-io", *FORBIDDING)
    open = LocalStore


class Memory:
    """fsspec's filesystem in memory, where nothing is forbidden and no medium can break."""

    name = "fsspec, memory"
    version: str = fsspec.__version__
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits")
    open = MemoryStore


class Zip:
    """fsspec's filesystem in a zip archive."""

    name = "fsspec, zip"
    version: str = fsspec.__version__
    capabilities: tuple[Capability, ...] = ("directories", "edits", "fault-io", "fault-permission")
    open = ZipStore
