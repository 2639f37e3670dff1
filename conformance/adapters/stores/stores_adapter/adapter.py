"""The part that all stores share: the declaration, the files of a scene, closing, and a folder with its faults."""

from __future__ import annotations

import os
import platform
import posixpath
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from uuid import uuid4

from loopspec import CannotStore, Capability, ReadRequest

# A mode without any permission does not stop root.
FORBIDDING: tuple[Capability, ...] = ("fault-permission",) if os.geteuid() else ()


Open = Callable[[Mapping[str, bytes]], object]


@dataclass(frozen=True)
class Adapter:
    """The object that a target string names: `open` returns a store with the files of a scene."""

    name: str
    version: str
    capabilities: tuple[Capability, ...]
    open: Open


def store(name: str, package: str, *capabilities: Capability) -> Callable[[Open], Callable[[], Adapter]]:
    """Make a class of stores, or a function that opens one, a factory of its adapter.

    The version is that of the package, or of Python for the package "python".
    """
    known = platform.python_version() if package == "python" else version(package)
    return lambda opened: partial(Adapter, name, known, capabilities, opened)


class Store(ABC):
    """The files of one scene in one store.

    `refusals` are the errors of a write that refuses a name. `takes_turns`: one read at a time, for a store that
    returns wrong answers to concurrent reads.
    """

    refusals: tuple[type[Exception], ...] = (ValueError,)
    takes_turns = False

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.exit = ExitStack()
        self._turns = Lock() if self.takes_turns else nullcontext()
        self.mount()
        for path, content in files.items():
            self.write(path, content)
        self.stored()

    @abstractmethod
    def mount(self) -> None:
        """Prepare an empty store, and put what has to be closed on `exit`."""

    def stored(self) -> None:  # noqa: B027  # most stores have nothing to do here
        """Called once, when the files of the scene are stored."""

    @abstractmethod
    def get(self, path: str) -> bytes:
        """The content of a file, by the call that a user of the store makes."""

    @abstractmethod
    def put(self, path: str, content: bytes) -> None:
        """Store a file."""

    def read(self, request: ReadRequest) -> bytes:
        """Read a whole file."""
        with self._turns:
            return self.get(request.file_path)

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file. Raises `CannotStore` for a refused name, and for the path of a folder."""
        if path.endswith("/"):
            raise CannotStore(path)
        try:
            self.put(path, content)
        except self.refusals as error:
            raise CannotStore(path) from error

    def close(self) -> None:
        """Close the store and remove its files."""
        self.exit.close()


def as_key(path: str) -> str:
    """A path without dot segments and doubled slashes: a key-value store knows no paths, so the adapter has to."""
    return posixpath.normpath(path) + "/" * path.endswith("/")


class InFolder(Store):
    """A store over the folder `root`, whose files are written to a disk next to the store."""

    refusals: tuple[type[Exception], ...] = (ValueError, OSError)

    def base(self) -> Path:
        """The folder that contains `root`; a temporary folder, or one that a server serves."""
        return Path(self.exit.enter_context(TemporaryDirectory(prefix="loopspec-", ignore_cleanup_errors=True)))

    def mount(self) -> None:
        """Make the folders `root` and `outside`, and one whose name begins with the root's."""
        base = self.base()
        self.root, self._outside, self._neighbor = base / "root", base / "outside", base / "root-2"
        for folder in (self.root, self._outside, self._neighbor):
            folder.mkdir(parents=True)

    def put(self, path: str, content: bytes) -> None:
        """Write a file next to the old one, and move it: a concurrent read sees the old content or the new one."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        new = self._outside / uuid4().hex
        new.write_bytes(content)
        new.replace(file)

    def delete(self, path: str) -> None:
        """Delete a file on the disk."""
        (self.root / path).unlink()

    def fault(self, path: str, kind: str) -> None:
        """Remove every right to the file, or replace the file by a link: to itself, or out of the root."""
        file = self.root / path
        if kind == "permission":
            file.chmod(0)
        elif kind == "io":
            file.unlink()
            file.symlink_to(file)
        else:
            file.unlink()
            (self._neighbor / file.name).write_text("A file of the neighbor.")
            file.symlink_to(self._neighbor / file.name)

    def link(self, path: str, target: str) -> None:
        """Create a link, or replace a file by a link, to a path inside the root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.symlink_to(self.root / target)

    def fail(self, kind: str) -> None:
        """Remove the folder with the files. A store over a folder fails in no other way."""
        if kind != "container":
            raise ValueError(kind)
        shutil.rmtree(self.root)
