"""Puts local files, read with nothing but Python's pathlib, before loopspec."""

from __future__ import annotations

import platform

from loopspec import Capability, ReadRequest
from loopspec_adapting.folders import FORBIDDING, FolderStore


class Store(FolderStore):
    """A temporary folder that holds the given files."""

    def read(self, request: ReadRequest) -> bytes:
        """Read a whole file."""
        return (self.root / request.file_path).read_bytes()


class LocalFiles:
    """Python's own local files."""

    name = "Python's local files"
    version = platform.python_version()
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits", "fault-io", *FORBIDDING)
    open = Store
