"""Puts local files, read with nothing but Python's pathlib, before loopspec."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from uuid import uuid4

from loopspec import CannotStore, Capability, ReadRequest

# A mode without any permission keeps all users out except root.
FORBIDDING: tuple[Capability, ...] = ("fault-permission",) if os.geteuid() else ()


class Store:
    """A temporary folder that holds the given files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="loopspec-"))
        for path, content in files.items():
            self.write(path, content)

    def read(self, request: ReadRequest) -> bytes:
        """Read a whole file."""
        return (self._folder / request.file_path).read_bytes()

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file on the disk: a concurrent read sees the old content or the new one."""
        try:
            file = self._folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            new = self._folder.with_name(f"{self._folder.name}-{uuid4().hex}")
            new.write_bytes(content)
            new.replace(file)
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error

    def delete(self, path: str) -> None:
        """Delete a file on the disk."""
        (self._folder / path).unlink()

    def fault(self, path: str, kind: Literal["permission", "io"]) -> None:
        """Take every right to the file away, or put a link to itself in its place."""
        file = self._folder / path
        if kind == "permission":
            file.chmod(0)
        else:
            file.unlink()
            file.symlink_to(file)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder)


class LocalFiles:
    """Python's own local files."""

    name = "Python's local files"
    version = platform.python_version()
    capabilities: tuple[Capability, ...] = ("deletes", "directories", "edits", "fault-io", *FORBIDDING)
    open = Store
