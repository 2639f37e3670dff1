"""Stores in one file on the disk: an archive, or a database of SQLite."""

from __future__ import annotations

import sqlite3
import tarfile
import zipfile
from abc import abstractmethod
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import fsspec  # type: ignore[import-untyped]  # has no type information

from loopspec import Capability

from .adapter import InFolder, as_key, store

ARCHIVE: tuple[Capability, ...] = ("confined", "deletes", "directories", "edits")


class Archive(InFolder):
    """An archive that is written as a whole and opened again at each write."""

    def mount(self) -> None:
        """Begin with no files; the archive is written with those of the scene."""
        super().mount()
        self.files: dict[str, bytes] = {}
        self._is_stored = False

    def put(self, path: str, content: bytes) -> None:
        """Add the file, and write the archive again."""
        self.files[path] = content
        if self._is_stored:
            self.stored()

    def delete(self, path: str) -> None:
        """Write the archive without the file."""
        del self.files[path]
        self.stored()

    def stored(self) -> None:
        """Write an archive and open it; the former one is open until the end."""
        self._is_stored = True
        archive = self.root / uuid4().hex
        self.pack(archive)
        self.reopen(archive)

    @abstractmethod
    def pack(self, archive: Path) -> None:
        """Write an archive with `files`."""

    @abstractmethod
    def reopen(self, archive: Path) -> None:
        """Open the archive."""


@store("zipfile.Path", "python", "closes", *ARCHIVE)
class ZipfilePath(Archive):
    """The standard library's `zipfile.Path`."""

    def pack(self, archive: Path) -> None:
        """Write an archive with `files`."""
        with zipfile.ZipFile(archive, "w") as packed:
            for path, content in self.files.items():
                packed.writestr(path, content)

    def reopen(self, archive: Path) -> None:
        """Open the archive."""
        self._zip = self.exit.enter_context(zipfile.ZipFile(archive))

    def get(self, path: str) -> bytes:
        """The content of a member."""
        return zipfile.Path(self._zip, path).read_bytes()


@store("fsspec, tar", "fsspec", *ARCHIVE)
class FsspecTar(Archive):
    """fsspec's filesystem over a tar archive."""

    takes_turns = True

    def pack(self, archive: Path) -> None:
        """Write an archive with `files`."""
        with tarfile.open(archive, "w") as packed:
            for path, content in self.files.items():
                member = tarfile.TarInfo(path)
                member.size = len(content)
                packed.addfile(member, BytesIO(content))

    def reopen(self, archive: Path) -> None:
        """Open the archive."""
        file = self.exit.enter_context(archive.open("rb"))
        self._fs = fsspec.filesystem("tar", fo=file, skip_instance_cache=True)

    def get(self, path: str) -> bytes:
        """The content of a member."""
        content: bytes = self._fs.cat_file(path)
        return content


@store("SQLite", "python", "closes", "confined", "deletes", "edits", "fault-container")
class Sqlite(InFolder):
    """A table of paths and contents. The adapter raises the missing-file error where there is no row."""

    refusals = (UnicodeEncodeError,)

    def mount(self) -> None:
        """Make a database with an empty table."""
        super().mount()
        self._database = sqlite3.connect(self.root / "files.db", check_same_thread=False, isolation_level=None)
        self.exit.callback(self._database.close)
        self._database.execute("CREATE TABLE files (path TEXT PRIMARY KEY, content BLOB)")

    def get(self, path: str) -> bytes:
        """The content in the row of the path."""
        row = self._database.execute("SELECT content FROM files WHERE path = ?", [as_key(path)]).fetchone()
        if row is None:
            raise FileNotFoundError(path)
        content: bytes = row[0]
        return content

    def put(self, path: str, content: bytes) -> None:
        """Insert or replace the row."""
        self._database.execute("REPLACE INTO files VALUES (?, ?)", [as_key(path), content])

    def delete(self, path: str) -> None:
        """Delete the row."""
        self._database.execute("DELETE FROM files WHERE path = ?", [as_key(path)])

    def fail(self, kind: str) -> None:
        """Drop the table."""
        self._database.execute("DROP TABLE files")
