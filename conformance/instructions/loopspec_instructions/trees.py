"""The role workspace: trees of instruction files on a real disk, and what a tool returns for them."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

from loopspec.contract.axes import dialect_of
from loopspec.contract.dialects import instruction_axes
from loopspec.contract.faults import AdapterError, KitError, UsageError
from loopspec.contract.harness import HarnessStage
from loopspec.contract.observation import Load, Section
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.scene import Scene
from loopspec.contract.shapes import WorkspaceFile, WorkspaceReading
from loopspec.contract.target import Target
from loopspec.contract.workspaces import Entry, Workspace, path_in
from loopspec.protocol.adapter import WorkspaceText, WorkspaceTexts

from .permissions import permissions_applied
from .readings import Read, call_reader, checked_reading

_PREFIX = "loopspec-workspace-"

# What Git needs to take a folder for a repository.
_REPOSITORY: Mapping[str, str | None] = {
    "HEAD": "ref: refs/heads/main\n",
    "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    "objects": None,
    "refs/heads": None,
}


async def perform_workspace(adapter: Any, stage: HarnessStage) -> None:  # Any: the adapter's own object
    """Lay the scene's workspace out on the disk, let the tool read it, and record the files that the tool returns."""
    assert stage.scene.workspace is not None, "a workspace scene has a workspace"
    with laid_out(stage.scene.workspace) as tree:
        for _ in range(stage.scene.times):
            before = tree.states()
            cwd, home, agreed = tree.working_directory, tree.home, tree.workspace.agreed
            try:
                reading = await asked(adapter.read_workspace, cwd, home, tree.configured, agreed)
            except KitError:
                raise
            except Exception as error:
                stage.outcomes.load_failed(error)
            else:
                _record(stage, tree, reading)
            if written := tree.written_since(before):
                raise AdapterError(f"read_workspace() wrote to the workspace: {written}; a reader only reads")


async def asked(read: Read, cwd: Path, home: Path, configured: Sequence[str], agreed: bool = False) -> WorkspaceReading:
    """What a tool returns for a workspace. Raises what the tool raises, and `AdapterError` for another result."""
    with permissions_applied():
        found = call_reader(read, cwd, home, configured, agreed)
        if inspect.isawaitable(found):
            found = await found
    if isinstance(found, WorkspaceTexts):  # of an adapter in another process
        found = WorkspaceReading([WorkspaceFile(one.path, one.text) for one in found.files], found.warnings)
    return checked_reading(found)


async def served(adapter: Any, cwd: str, home: str, configured: Sequence[str], agreed: bool) -> WorkspaceTexts:
    """What a tool returns for a workspace of a harness in another process, as a message has it."""
    found = await asked(adapter.read_workspace, Path(cwd), Path(home), configured, agreed)
    texts = (WorkspaceText(path=None if one.path is None else str(one.path), text=one.text) for one in found.files)
    return WorkspaceTexts(files=tuple(texts), warnings=tuple(found.warnings))


def _record(stage: HarnessStage, tree: Tree, reading: WorkspaceReading) -> None:
    """Record the files in the texts that a tool returned, and its warnings."""
    for warning in reading.warnings:
        stage.environment.warn("", warning)
    sections = tuple(section for one in reading.files for section in tree.sections(one.text))
    empty_files = tuple(tree.relative(one.path) for one in reading.files if one.path and not one.text)
    text = "\n".join(one.text for one in reading.files)
    stage.outcomes.enter(Load, sections=sections, text=text, empty_files=empty_files)


@dataclass(frozen=True)
class Tree:
    """A workspace on the disk, below the folder `base`."""

    base: Path
    workspace: Workspace

    @property
    def working_directory(self) -> Path:
        """The folder in which the tool is started."""
        return self.base / self.workspace.working_directory

    @property
    def home(self) -> Path:
        """The home folder of the user."""
        return self.base / self.workspace.home

    @property
    def configured(self) -> list[str]:
        """The files of the configuration of a tool that does not search for files."""
        return [str(self.base / path) for path in self.workspace.configured or ()]

    def states(self) -> dict[str, tuple[int, ...]]:
        """The kind of each entry on the disk by its path; of a file, also what changes when the file is written."""
        found: dict[str, tuple[int, ...]] = {}
        for folder, folders, files in os.walk(self.base):
            for path in (Path(folder, name) for name in (*folders, *files)):
                state = path.lstat()
                kind = stat.S_IFMT(state.st_mode)
                of_file = (state.st_size, state.st_mtime_ns, state.st_ino)
                found[str(path.relative_to(self.base))] = (kind, *(() if stat.S_ISDIR(kind) else of_file))
        return found

    def written_since(self, before: Mapping[str, tuple[int, ...]]) -> str:
        """The first entry that was removed, changed or created since, as a part of a sentence; empty if there is none.

        A tool may keep files of its own below the home folder, and below a folder whose name begins with a dot.
        """
        now = self.states()
        own = (f"{self.workspace.home}/", ".")
        new = (path for path in now if path not in before and not path.startswith(own) and "/." not in path)
        changes = (
            *(f"{path} was removed" for path in before if path not in now),
            *(f"{path} was changed" for path in before if path in now and now[path] != before[path]),
            *(f"{path} was created" for path in new),
        )
        return next(iter(changes), "")

    def relative(self, path: str | PurePath) -> str:
        """The path of a file, absolute or relative to the working directory, relative to the base."""
        return Path(os.path.relpath(self.working_directory / path, self.base)).as_posix()

    def sections(self, text: str) -> list[Section]:
        """The files in a text, in order: each begins with its first line, and ends where the next one begins."""
        contents = (entry.content for entry in self.workspace.entries.values())
        lines = (content.partition(b"\n")[0].decode(errors="replace") for content in contents)
        first_lines = {named: line for line in lines if (named := path_in(line)) is not None}
        starts = sorted(
            (found.start(), path)
            for path, line in first_lines.items()
            for found in re.finditer(f"(?={re.escape(line)})", text)
        )
        ends = [*[at for at, _ in starts][1:], len(text)]
        return [Section(path=path, text=text[at:end]) for (at, path), end in zip(starts, ends, strict=False)]


def must_be_alone() -> None:
    """Raise `UsageError` if a tool would read an instruction file, or find a repository, above each workspace."""
    folder = Path(tempfile.gettempdir()).resolve()
    groups = chain.from_iterable(value.groups for value in instruction_axes()["names"].values.values())
    names = sorted({".git", *chain.from_iterable(groups)})
    for above in (folder, *folder.parents):
        for name in names:
            if os.path.lexists(above / name):
                raise UsageError(
                    f"tools would find {above / name} above each workspace: remove it, or set TMPDIR to a folder "
                    "that has no such file above it"
                )


def lacks_for(scene: Scene, target: Target) -> Inapplicable | None:
    """What the dialect of the target or this user lacks for the workspace of a scene."""
    if scene.workspace is None:
        return None
    if lacks := dialect_of(target.postures).lacks(scene.workspace):
        return Inapplicable("place", (lacks,))
    forbids = any(entry.kind == "forbidden" for entry in scene.workspace.entries.values())
    if forbids and reads_forbidden_files(in_process=not target.isolated):
        return Inapplicable("privileges")
    return None


@cache
def reads_forbidden_files(*, in_process: bool) -> bool:
    """Whether a target may read a file without permissions, as root may: such a file is then an ordinary one.

    The permissions are applied to root in this process, and to programs that this process starts for one reading. A
    target that is a process of its own may be any program, and keeps what its user may do.
    """
    with tempfile.NamedTemporaryFile(prefix=_PREFIX) as file, permissions_applied() if in_process else nullcontext():
        path = Path(file.name)
        path.chmod(0)
        try:
            path.read_bytes()
        except PermissionError:
            return False
        return True


@contextmanager
def laid_out(workspace: Workspace) -> Iterator[Tree]:
    """A workspace on the disk, in a temporary folder of its own. Raises `UsageError`: see `must_be_alone`."""
    must_be_alone()
    base = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
    try:
        for folder in (workspace.working_directory, workspace.home):
            (base / folder).mkdir(parents=True, exist_ok=True)
        # A hard link comes last, because its target must exist.
        for path, entry in sorted(workspace.entries.items(), key=lambda item: item[1].kind == "hard-link"):
            _lay(base / path, entry)
        yield Tree(base, workspace)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _lay(path: Path, entry: Entry) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    match entry.kind:
        case "file":
            path.write_bytes(entry.content)
        case "folder":
            path.mkdir(exist_ok=True)
        case "link":
            path.symlink_to(entry.target)
        case "hard-link":
            path.hardlink_to(path.parent / entry.target)
        case "pipe":
            os.mkfifo(path)
        case "forbidden":
            path.write_bytes(entry.content)
            path.chmod(0)
        case "repository":
            for name, text in _REPOSITORY.items():
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (path / name).mkdir() if text is None else (path / name).write_text(text)
