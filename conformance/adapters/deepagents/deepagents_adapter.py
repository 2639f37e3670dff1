"""Puts deepagents' FilesystemBackend before loopspec; it is asked for whole files by `download_files`."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Literal
from uuid import uuid4

from deepagents.backends import FilesystemBackend

from loopspec import CannotStore, Capability, ReadRequest

# deepagents answers with codes and raises nothing; the codes that are not here have no exception of their own.
ERRORS: Mapping[str, type[OSError]] = {
    "file_not_found": FileNotFoundError,
    "permission_denied": PermissionError,
    "is_directory": IsADirectoryError,
}


class Store:
    """A backend over a temporary folder that holds the given files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="loopspec-"))
        self._root = self._folder / "root"
        self._root.mkdir()
        self._backend = FilesystemBackend(root_dir=self._root, virtual_mode=True)
        for path, content in files.items():
            self.write(path, content)

    def read(self, request: ReadRequest) -> bytes | None:
        """Read a whole file."""
        [response] = self._backend.download_files([request.file_path])
        _raise(response.error)
        return response.content

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file on the disk: a concurrent read sees the old content or the new one."""
        try:
            file = self._root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            new = self._folder / uuid4().hex
            new.write_bytes(content)
            new.replace(file)
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error

    def delete(self, path: str) -> None:
        """Delete a file on the disk."""
        (self._root / path).unlink()

    def fault(self, path: str, kind: Literal["permission", "io"]) -> None:
        """Put a link in the file's place: to a file outside the root, which is forbidden, or to itself."""
        file = self._root / path
        file.unlink()
        outside = self._folder / "outside"
        outside.touch()
        file.symlink_to(outside if kind == "permission" else file)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder)


def _raise(code: str | None) -> None:
    """Raise what a code stands for."""
    if code is not None:
        raise ERRORS.get(code, OSError)(code)


class Filesystem:
    """deepagents' FilesystemBackend."""

    name = "deepagents FilesystemBackend.download_files"
    version = version("deepagents")
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits", "fault-io", "fault-permission")
    open = Store
