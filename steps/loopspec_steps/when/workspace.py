"""When: workspaces."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..phrasebook import when


@when("the tool reads the workspace")
def tool_reads_workspace(scene_builder: SceneBuilder) -> None:
    """The tool starts in the working directory, and a model receives what the tool reads."""
    scene_builder.act = "read workspace"
