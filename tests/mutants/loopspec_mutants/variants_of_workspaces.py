"""Mutants that pass every plain case about workspaces, and fail in a variant of workspaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from loopspec import Target, WorkspaceFile, WorkspaceReading
from loopspec.contract.axes import declared_dialect
from loopspec.contract.roles import Role
from loopspec.targets.python import PythonTarget
from loopspec_instructions import reading
from loopspec_instructions.reading import read_workspace
from loopspec_reference_adapter import Reference

from .registry import MUTANTS, Mutant, MutantTarget, Patch

_DIALECT = "codex"
_NEW_NAMES = frozenset({"ipnf", "qspkfdu"})  # home and project, as the variant names them

Reader = Callable[[Path, Path, Sequence[str]], WorkspaceReading]


@dataclass(frozen=True)
class Misplaced(Mutant):
    """A reader that depends on what it must not depend on."""

    @property
    def roles(self) -> frozenset[Role]:
        """The role of a reader."""
        return frozenset({"workspace"})

    def target(self) -> MutantTarget:
        """Return the mutant as a target."""
        return _MisplacedTarget(self)


class _MisplacedTarget(MutantTarget):
    """The reference in a dialect, with the bug of the mutant."""

    def __init__(self, mutant: Misplaced) -> None:
        super().__init__(mutant)
        self._target = PythonTarget(Reference, mutant.name, _DIALECT)
        self.postures = declared_dialect(_DIALECT)
        self._misplaced = mutant

    def rebuilt(self) -> Target:
        """Return a new target of the same mutant."""
        return _MisplacedTarget(self._misplaced)


def _variant_mutant(rule: str) -> Callable[[Patch], Patch]:
    """Register a mutant of a variant."""

    def register(bug: Patch) -> Patch:
        name = bug.__name__.replace("_", "-")
        MUTANTS[name] = Misplaced(name, rule, bug)
        return bug

    return register


def _reading(change: Callable[[Path, WorkspaceReading], WorkspaceReading]) -> AbstractContextManager[object]:
    """Patch what the reference returns for a working directory."""

    def read(dialect: str, cwd: Path, home: Path, configured: Sequence[str]) -> WorkspaceReading:
        return change(cwd, read_workspace(dialect, cwd, home, configured))

    return patch.object(reading, "read_workspace", read)


def _nothing_if(wrong: Callable[[Path], bool]) -> AbstractContextManager[object]:
    return _reading(lambda cwd, found: WorkspaceReading([]) if wrong(cwd) else found)


def _with_files(paths: Callable[[Path], Sequence[Path]]) -> AbstractContextManager[object]:
    """Patch the reference so that it loads more files."""

    def change(cwd: Path, found: WorkspaceReading) -> WorkspaceReading:
        more = [WorkspaceFile(str(path), path.read_text("utf-8")) for path in paths(cwd) if path.is_file()]
        return WorkspaceReading([*found.files, *more], found.warnings)

    return _reading(change)


@_variant_mutant("VARIANT-60")
def reads_no_file_outside_folders_of_usual_names() -> AbstractContextManager[object]:
    """Reads nothing below a folder with a name that no plain case has."""
    return _nothing_if(lambda cwd: not _NEW_NAMES.isdisjoint(cwd.parts))


@_variant_mutant("VARIANT-61")
def reads_no_file_below_a_folder_with_a_space() -> AbstractContextManager[object]:
    """Reads nothing if the path of the working directory has a space."""
    return _nothing_if(lambda cwd: " " in str(cwd))


@_variant_mutant("VARIANT-62")
def loads_readme_files() -> AbstractContextManager[object]:
    """Also loads the file README.md of the working directory."""
    return _with_files(lambda cwd: [cwd / "README.md"])


@_variant_mutant("VARIANT-63")
def loads_files_of_the_next_folders_below() -> AbstractContextManager[object]:
    """Also loads the instruction file of a folder below the working directory that is named like an archive."""
    return _with_files(lambda cwd: list(cwd.glob("*-all/AGENTS.md")))


@_variant_mutant("VARIANT-64")
def loads_files_of_sibling_folders() -> AbstractContextManager[object]:
    """Also loads the instruction file of a folder next to the working directory that is named like an archive."""
    return _with_files(lambda cwd: list(cwd.parent.glob("*-all/AGENTS.md")))


@_variant_mutant("VARIANT-65")
def returns_nothing_for_a_workspace_that_it_has_read() -> AbstractContextManager[object]:
    """Returns nothing if it has read the same working directory before."""
    read: set[Path] = set()

    def change(cwd: Path, found: WorkspaceReading) -> WorkspaceReading:
        known = cwd in read
        read.add(cwd)
        return WorkspaceReading([]) if known else found

    return _reading(change)
