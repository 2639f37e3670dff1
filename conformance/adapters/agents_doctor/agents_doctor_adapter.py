"""Reads the instruction files of a workspace with agents-doctor, which predicts what Codex loads."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from agents_doctor.config import Config
from agents_doctor.discovery import build_load_plan, find_project_root

from loopspec import WorkspaceFile, WorkspaceReading


class AgentsDoctor:
    """agents-doctor with its default configuration, which is Codex's."""

    name = "agents-doctor"
    dialect = "codex"
    version = version("agents-doctor")

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Predict the project's files for `cwd`; agents-doctor reads no file of the user."""
        plan = build_load_plan(cwd, find_project_root(cwd), Config())
        return WorkspaceReading(
            [
                WorkspaceFile(str(chunk.file.path), chunk.file.data[: chunk.included_bytes].decode("utf-8", "replace"))
                for chunk in plan.chunks
                if chunk.included_bytes
            ]
        )
