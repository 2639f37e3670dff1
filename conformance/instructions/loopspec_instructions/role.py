"""The role workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from loopspec.contract.roles import RoleKind
from loopspec.contract.shapes import WorkspaceReading


class _Reads(Protocol):
    dialect: str


def _read_by_reference(target: _Reads, cwd: Path, home: Path, configured: Sequence[str]) -> WorkspaceReading:
    """Read the instruction files of a workspace in the dialect of the target."""
    from .reading import read_workspace  # imports the reader, which no other role needs

    return read_workspace(target.dialect, cwd, home, configured)


WORKSPACE = RoleKind(
    "workspace",
    "reads the instruction files of a folder tree, as a coding agent does when it starts",
    "read_workspace",
    by_reference=_read_by_reference,
)
