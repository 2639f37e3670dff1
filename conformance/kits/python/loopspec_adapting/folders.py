"""A folder on the disk, for adapters of stores that read local files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from uuid import uuid4

from loopspec import CannotStore, Capability

# A mode without any permission keeps all users out except root.
FORBIDDING: tuple[Capability, ...] = ("fault-permission",) if os.geteuid() else ()


class FolderStore:
    """The given files in the folder `root`, which a subclass reads."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="loopspec-"))
        self.root = self.folder / "root"
        self.root.mkdir()
        for path, content in files.items():
            self.write(path, content)

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file on the disk: a concurrent read sees the old content or the new one."""
        try:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            new = self.folder / uuid4().hex
            new.write_bytes(content)
            new.replace(file)
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error

    def delete(self, path: str) -> None:
        """Delete a file on the disk."""
        (self.root / path).unlink()

    def fault(self, path: str, kind: Literal["permission", "io"]) -> None:
        """Take every right to the file away, or put a link to itself in its place."""
        file = self.root / path
        if kind == "permission":
            file.chmod(0)
        else:
            file.unlink()
            file.symlink_to(file)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder)
