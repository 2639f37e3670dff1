"""The role workspace: trees of instruction files on a real disk, and what a tool returns for them."""

from __future__ import annotations

import inspect
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..contract.faults import AdapterError
from ..contract.harness import HarnessStage
from ..contract.observation import Section
from ..contract.shapes import WorkspaceFile, WorkspaceReading
from ..contract.workspaces import Entry, Workspace, path_in

Read = Callable[..., object]

# What Git needs to take a folder for a repository.
_REPOSITORY: Mapping[str, str | None] = {
    "HEAD": "ref: refs/heads/main\n",
    "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    "objects": None,
    "refs/heads": None,
}


async def perform_workspace(read: Read, stage: HarnessStage) -> None:
    """Lay the scene's workspace out on the disk, let the tool read it, and record the files that the tool returns."""
    assert stage.scene.workspace is not None, "a workspace scene has a workspace"
    with laid_out(stage.scene.workspace) as tree:
        try:
            reading = await asked(read, tree.working_directory, tree.home, tree.configured)
        except AdapterError:
            raise
        except Exception as error:
            stage.outcomes.load_failed(error)
        else:
            _record(stage, tree, reading)


async def asked(read: Read, cwd: Path, home: Path, configured: Sequence[str]) -> WorkspaceReading:
    """What a tool returns for a workspace. Raises what the tool raises, and `AdapterError` for another result."""
    takes_files = "configured" in inspect.signature(read).parameters
    found = read(cwd, home, list(configured)) if takes_files else read(cwd, home)
    if inspect.isawaitable(found):
        found = await found
    if isinstance(found, WorkspaceReading) and all(isinstance(one, WorkspaceFile) for one in found.files):
        return found
    raise AdapterError(
        f"read_workspace() returned {found!r:.200}: return a loopspec.WorkspaceReading of loopspec.WorkspaceFile"
    )


def _record(stage: HarnessStage, tree: Tree, reading: WorkspaceReading) -> None:
    """Record the files in the texts that a tool returned, and its warnings."""
    for warning in reading.warnings:
        stage.environment.warn("", warning)
    sections = [section for one in reading.files for section in tree.sections(one.text)]
    stage.outcomes.read_workspace(sections, "\n".join(one.text for one in reading.files))


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

    def sections(self, text: str) -> list[Section]:
        """The files in a text, in order: each begins with its first line, and ends where the next one begins."""
        starts = sorted((at, path) for path, line in self.first_lines().items() for at in _places(text, line))
        ends = [*(at for at, _ in starts[1:]), len(text)]
        return [Section(path=path, text=text[at:end]) for (at, path), end in zip(starts, ends, strict=False)]

    def first_lines(self) -> dict[str, str]:
        """The first lines of the files, by the paths that they name."""
        lines = (
            entry.content.partition(b"\n")[0].decode(errors="replace") for entry in self.workspace.entries.values()
        )
        return {named: line for line in lines if (named := path_in(line)) is not None}


def _places(text: str, part: str) -> Iterator[int]:
    """Every place of a part in a text."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


@contextmanager
def laid_out(workspace: Workspace) -> Iterator[Tree]:
    """A workspace on the disk, in a folder of its own.."""
    base = Path(tempfile.mkdtemp(prefix="loopspec-workspace-")).resolve()
    try:
        for folder in (workspace.working_directory, workspace.home):
            (base / folder).mkdir(parents=True, exist_ok=True)
        for path, entry in workspace.entries.items():
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
        case "pipe":
            os.mkfifo(path)
        case "forbidden":
            path.write_bytes(entry.content)
            path.chmod(0)
        case "repository":
            for name, text in _REPOSITORY.items():
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (path / name).mkdir() if text is None else (path / name).write_text(text)
