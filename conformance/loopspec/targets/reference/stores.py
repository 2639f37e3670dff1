"""The reference's backends, filled with the files of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import loopspec_reference as ref

from ...contract.scene import ReadRequest, StoreFault
from ...contract.shapes import Backend


class LocalStore:
    """A `LocalBackend` over a folder with the files of a scene, which have relative paths."""

    def __init__(self, root: Path, files: Mapping[str, bytes]) -> None:
        self._root = root
        self._outside = root.with_name(f"outside {root.name}")
        self._neighbor = root.with_name(f"{root.name}-2")
        self._root.mkdir()
        for path, content in files.items():
            self.write(path, content)
        self._backend = ref.LocalBackend(self._root)

    async def read(self, request: ReadRequest) -> ref.Content:
        """Read a file."""
        return await self._backend.read(ref.ReadRequest(request.file_path, request.offset, request.limit))

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file."""
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def fault(self, path: str, kind: StoreFault) -> None:
        """Replace the file by a link: to a file outside the root, which is forbidden, or to itself.

        "outside": to a file in a folder next to the root, whose name begins with the root's name.
        """
        file = self._root / path
        file.unlink()
        if kind == "io":
            file.symlink_to(file)
        elif kind == "outside":
            self._neighbor.mkdir(exist_ok=True)
            (self._neighbor / file.name).write_text("A file of the neighbor.")
            file.symlink_to(self._neighbor / file.name)
        else:
            self._outside.touch()
            file.symlink_to(self._outside)


class MemoryStore:
    """A `MemoryBackend` with the files of a scene."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._backend = ref.MemoryBackend(files)
        self.write = self._backend.write

    async def read(self, request: ReadRequest) -> ref.Content:
        """Read a file."""
        return await self._backend.read(ref.ReadRequest(request.file_path, request.offset, request.limit))


class Files:
    """The harness's files as a backend of the reference."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def read(self, request: ref.ReadRequest) -> ref.Content | None:
        content = self._backend.read(
            ReadRequest(file_path=request.file_path, offset=request.offset, limit=request.limit)
        )
        return content if content is None or isinstance(content, str | bytes) else await content
