"""Puts deepagents' FilesystemBackend before loopspec; it is asked for whole files by `download_files`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Literal

from deepagents.backends import FilesystemBackend

from loopspec import Capability, ReadRequest
from loopspec_adapting.folders import FolderStore

# deepagents answers with codes and raises nothing; the codes that are not here have no exception of their own.
ERRORS: Mapping[str, type[OSError]] = {
    "file_not_found": FileNotFoundError,
    "permission_denied": PermissionError,
    "is_directory": IsADirectoryError,
}


class Store(FolderStore):
    """A backend over a temporary folder that holds the given files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self._backend = FilesystemBackend(root_dir=self.root, virtual_mode=True)

    def read(self, request: ReadRequest) -> bytes | None:
        """Read a whole file."""
        [response] = self._backend.download_files([request.file_path])
        _raise(response.error)
        return response.content

    def fault(self, path: str, kind: Literal["permission", "io"]) -> None:
        """Put a link in the file's place: to a file outside the root, which is forbidden, or to itself."""
        file = self.root / path
        file.unlink()
        outside = self.folder / "outside"
        outside.touch()
        file.symlink_to(outside if kind == "permission" else file)


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
