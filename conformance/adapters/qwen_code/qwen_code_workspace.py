"""Reads a workspace as qwen-code does: `qwen -p` sends its system message to a model endpoint on loopback."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.mock_model import MockModel, first_request, system_message
from loopspec_instructions.command_line.programs import NODE, npm_folder

SECONDS = 40  # for one workspace
_PROGRAM = "node_modules/@qwen-code/qwen-code/cli.js"
_SECTION = re.compile(
    r"^--- Context from: (.*?) ---\n(.*?)\n--- End of Context from: \1 ---$", re.DOTALL | re.MULTILINE
)
_OWN = ".qwen/output-language.md"  # qwen-code writes this file into the home folder at its first start


class QwenCodeWorkspace:
    """Starts one process for each workspace, and kills its group at the first request.

    `folder` is the folder in which npm has installed qwen-code and Node 22, which qwen-code needs.
    """

    name = "qwen-code"
    dialect = "qwen-code"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        place = npm_folder("QWEN_CODE_FOLDER", Path(__file__).parent, [NODE, _PROGRAM], folder)
        self.version: str = json.loads((place / _PROGRAM).with_name("package.json").read_text())["version"]
        self._command = [str(place / NODE), str(place / _PROGRAM), "--auth-type", "openai", "-p", "x"]
        self._seconds = seconds

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that qwen-code sends to the model at the start."""
        body = first_request(self._command, cwd, partial(_environment, home), self._seconds, system_message)
        return WorkspaceReading(_files(system_message(body), cwd.resolve(), home.resolve()))


def _environment(home: Path, model: MockModel) -> Mapping[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "none",
        "OPENAI_MODEL": "mock",
    }


def _files(message: str, cwd: Path, home: Path) -> list[WorkspaceFile]:
    """The sections of the system message, which name each file relative to the working directory."""
    named = [(os.path.normpath(cwd / path), text) for path, text in _SECTION.findall(message)]
    return [WorkspaceFile(path, text) for path, text in named if path != str(home / _OWN)]
