"""The role workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from loopspec.contract.roles import RoleKind

if TYPE_CHECKING:
    from loopspec.contract.harness import HarnessStage
    from loopspec.contract.reasons import Inapplicable
    from loopspec.contract.scene import Scene
    from loopspec.contract.shapes import WorkspaceReading
    from loopspec.contract.target import Target
    from loopspec.protocol.adapter import WorkspaceTexts

# Each function imports the rest of the role, which no other role needs.


class _Reads(Protocol):
    dialect: str


async def _perform(adapter: Any, stage: HarnessStage) -> None:  # Any: the adapter's own object
    """Perform a scene: see `trees.perform_workspace`."""
    from .trees import perform_workspace

    await perform_workspace(adapter.read_workspace, stage)


async def _serve(
    adapter: Any,  # Any: likewise
    cwd: str,
    home: str,
    configured: Sequence[str],
    agreed: bool,
) -> WorkspaceTexts:
    """Read the instruction files of a workspace for a harness in another process."""
    from .trees import served

    return await served(adapter.read_workspace, Path(cwd), Path(home), configured, agreed)


def _before_run() -> None:
    """Raise `UsageError` if a tool would find a file above each workspace."""
    from .trees import must_be_alone

    must_be_alone()


def _lacks(scene: Scene, target: Target) -> Inapplicable | None:
    """What the dialect of the target or this user lacks for the workspace of a scene."""
    from .trees import lacks_for

    return lacks_for(scene, target)


def _read_by_reference(
    target: _Reads, cwd: Path, home: Path, configured: Sequence[str], agreed: bool = False
) -> WorkspaceReading:
    """Read the instruction files of a workspace in the dialect of the target."""
    from .reading import read_workspace

    return read_workspace(target.dialect, cwd, home, configured, agreed)


WORKSPACE = RoleKind(
    "workspace",
    "reads the instruction files of a folder tree, as a coding agent does when it starts",
    "read_workspace",
    acts=("read workspace",),
    perform=_perform,
    by_reference=_read_by_reference,
    before_run=_before_run,
    lacks=_lacks,
    serve=_serve,
)
