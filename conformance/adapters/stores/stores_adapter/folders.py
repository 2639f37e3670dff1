"""Stores over a folder on the disk."""

from __future__ import annotations

import importlib.resources
import importlib.util
import os
import stat

import anyio
import fs.errors
import fs.osfs
import fsspec  # type: ignore[import-untyped]  # has no type information
import obstore
from dulwich.errors import NotTreeError
from dulwich.object_store import tree_lookup_path
from dulwich.repo import Repo
from obstore.store import LocalStore

from loopspec import Capability, ReadRequest

from .adapter import FORBIDDING, InFolder, store

DISK: tuple[Capability, ...] = (
    *("deletes", "edits", "links"),
    *("fault-container", "fault-io", "fault-outside", *FORBIDDING),
)


@store("anyio", "anyio", "cancel-read", "directories", *DISK)
class Anyio(InFolder):
    """`anyio.Path.read_bytes`."""

    async def read(self, request: ReadRequest) -> bytes:  # type: ignore[override]  # a read can be a coroutine
        """Read a whole file."""
        return await anyio.Path(self.root / request.file_path).read_bytes()

    def get(self, path: str) -> bytes:
        """The content of a file."""
        return (self.root / path).read_bytes()


@store("importlib.resources", "python", "directories", *DISK)
class Resources(InFolder):
    """The files of a package, by `importlib.resources.files`."""

    def stored(self) -> None:
        """Import the folder as a package."""
        (self.root / "__init__.py").touch()
        spec = importlib.util.spec_from_file_location("stored", self.root / "__init__.py")
        assert spec is not None
        self._files = importlib.resources.files(importlib.util.module_from_spec(spec))

    def get(self, path: str) -> bytes:
        """The content of a file of the package."""
        return self._files.joinpath(path).read_bytes()


@store("fsspec, file cache", "fsspec", "directories", *DISK)
class FileCache(InFolder):
    """fsspec's `filecache` over local files."""

    takes_turns = True

    def stored(self) -> None:
        """Make a cache of whole files."""
        self._fs = fsspec.filesystem(
            "filecache",
            fs=fsspec.filesystem("file", skip_instance_cache=True),
            cache_storage=str(self.root.with_name("cache")),
            skip_instance_cache=True,
        )

    def get(self, path: str) -> bytes:
        """The content of a file, from the cache if it is there."""
        content: bytes = self._fs.cat_file(f"{self.root}/{path}")
        return content


@store("obstore, local folder", "obstore", "confined", "directories", *DISK)
class ObstoreLocal(InFolder):
    """obstore's `LocalStore`, with the folder as its prefix."""

    refusals = (ValueError, OSError, obstore.exceptions.BaseError)

    def mount(self) -> None:
        """Open the folder."""
        super().mount()
        self._store = LocalStore(self.root)

    def get(self, path: str) -> bytes:
        """The content of an object."""
        return bytes(self._store.get(path).bytes())

    def put(self, path: str, content: bytes) -> None:
        """Put an object."""
        self._store.put(path, content)

    def delete(self, path: str) -> None:
        """Delete an object."""
        self._store.delete(path)


@store("PyFilesystem2, local folder", "fs", "closes", "confined", "directories", *DISK)
class PyFilesystemLocal(InFolder):
    """PyFilesystem2's `OSFS`. The adapter raises the missing-file error for `ResourceNotFound`."""

    def mount(self) -> None:
        """Open the folder."""
        super().mount()
        self._fs = self.exit.enter_context(fs.osfs.OSFS(str(self.root)))

    def get(self, path: str) -> bytes:
        """The content of a file."""
        try:
            content: bytes = self._fs.readbytes(path)
        except fs.errors.ResourceNotFound as error:
            raise FileNotFoundError(path) from error
        return content


@store("git, by dulwich", "dulwich", "confined", "deletes", "directories", "edits", "fault-container", "fault-io")
class Git(InFolder):
    """The files of the newest commit of a git repository. Each write is a commit."""

    def mount(self) -> None:
        """Make a repository."""
        super().mount()
        self._repo = Repo.init(self.root)
        self.exit.callback(self._repo.close)

    def put(self, path: str, content: bytes) -> None:
        """Commit the file."""
        super().put(path, content)
        self._commit(path)

    def delete(self, path: str) -> None:
        """Commit the deletion."""
        super().delete(path)
        self._commit(path)

    def _commit(self, path: str) -> None:
        self._repo.get_worktree().stage([path])
        self._repo.get_worktree().commit(b"a change", committer=b"loopspec <loopspec@localhost>")

    def _find(self, path: str) -> tuple[int, bytes]:
        tree = self._repo[self._repo.head()].tree
        try:
            return tree_lookup_path(self._repo.object_store.__getitem__, tree, os.fsencode(path))
        except KeyError as error:
            raise FileNotFoundError(path) from error
        except NotTreeError as error:
            raise NotADirectoryError(path) from error

    def get(self, path: str) -> bytes:
        """The content of the blob. A missing object of the repository is not a missing file."""
        mode, sha = self._find(path)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(path)
        return self._repo[sha].as_raw_string()

    def fault(self, path: str, kind: str) -> None:
        """Remove the object of the file from the repository."""
        name = self._find(path)[1].decode()
        (self.root / ".git" / "objects" / name[:2] / name[2:]).unlink()
