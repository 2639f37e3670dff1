"""The files of a commit, read from the objects of Git: nothing is checked out."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Hashable, Sequence
from pathlib import Path

from loopspec.contract.faults import UsageError

from .reader import DiskFiles, MemoryFiles
from .reader.files import Content, Entry, Files, Kind
from .reader.memory import Link, Node, Special
from .reader.roots import is_inside

_LINK, _SUBMODULE = b"120000", b"160000"  # modes of the entries of a tree
_LONGEST_TARGET = 4095  # bytes of the target of a link


class FilesAtCommit(Files):
    """The disk, on which the work tree of a repository is as in a commit. What Git does not track is missing there.

    In memory, the content of a file is its object, which is read from Git when a reader asks for the file.
    """

    def __init__(self, folder: Path, revision: str) -> None:
        self._root = os.fsdecode(_output(folder, "rev-parse", "--show-toplevel").rstrip(b"\n"))
        try:
            commit = _output(folder, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode()
        except UsageError:
            hint = "name a commit, a branch or a tag"
            raise UsageError(f"there is no commit {revision!r} in {self._root}: {hint}") from None
        self._disk = DiskFiles()
        nodes: dict[str, Node] = {self._root: Special.FOLDER}
        listed = _output(Path(self._root), "ls-tree", "-r", "-z", "-l", "--full-tree", commit.strip())
        for line in listed.split(b"\0")[:-1]:
            facts, _, path = line.partition(b"\t")
            mode, _, name, size = facts.split()
            nodes[f"{self._root}/{os.fsdecode(path)}"] = self._node(mode, name.decode(), size.decode())
        self._tree = MemoryFiles(nodes)
        if self.kind(str(folder)) != "folder":
            raise UsageError(f"{folder} is no folder in the commit {revision!r}: name another folder or commit")

    def kind(self, path: str) -> Kind:
        files, path = self._where(path)
        return files.kind(path)

    def read(self, path: str, limit: int) -> Content:
        files, path = self._where(path)
        if files is self._disk:
            return files.read(path, limit)
        name, _, size = files.read(path, _LONGEST_TARGET).data.decode().partition(" ")
        data = self._blob(name, limit)
        return Content(data, int(size) if size.isdigit() else len(data))

    def real_path(self, path: str) -> str:
        files, path = self._where(path)
        return files.real_path(path)

    def identity(self, path: str) -> Hashable:
        files, path = self._where(path)
        return files.identity(path)

    def entries(self, path: str) -> Sequence[Entry]:
        files, path = self._where(path)
        return files.entries(path)

    def _where(self, path: str) -> tuple[Files, str]:
        """The files that have a path: what is outside the work tree, and its `.git`, is on the disk."""
        if not is_inside(path, self._root) or is_inside(path, f"{self._root}/.git"):
            return self._disk, path
        try:
            real = self._tree.real_path(path)
        except OSError:
            return self._tree, path
        return (self._tree, path) if is_inside(real, self._root) else (self._disk, real)

    def _node(self, mode: bytes, name: str, size: str) -> Node:
        if mode != _LINK:
            return Special.FOLDER if mode == _SUBMODULE else f"{name} {size}"
        try:
            return Link(os.fsdecode(self._blob(name, _LONGEST_TARGET)))
        except OSError:
            return Special.FORBIDDEN

    def _blob(self, name: str, limit: int) -> bytes:
        """The first bytes of an object. Raises `OSError` for one that the repository does not have."""
        command = ["git", "-C", self._root, "cat-file", "blob", name]
        with subprocess.Popen(command, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as git:
            assert git.stdout is not None
            data = git.stdout.read(limit)
            if len(data) == limit:
                git.kill()
            elif git.wait():
                raise OSError(errno.EIO, "the object is missing", name)
        return data


def _output(folder: Path, *arguments: str) -> bytes:
    """What Git prints in a folder. Raises `UsageError` with the first line of its error."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        ended = subprocess.run(command, env=_environment(), capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("PATH has no git, which --at needs: install Git") from None
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UsageError(f"Git cannot read {folder} for --at: {said.removeprefix('fatal: ')}")
    return ended.stdout


def _environment() -> dict[str, str]:
    """Without the variables of a hook, which name a repository. Git fetches no missing object and writes nothing."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**own, "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
