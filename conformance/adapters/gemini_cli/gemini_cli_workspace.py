"""Reads a workspace as gemini-cli does: by its own discovery of GEMINI.md files, in a Node process."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import msgspec

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.programs import LineProgram, ProgramError, node_program, npm_folder

SECONDS = 20  # for one workspace; the first one loads the package
_HERE = Path(__file__).parent
_PACKAGE = "node_modules/@google/gemini-cli-core/package.json"
_SECTION = re.compile(
    r"^--- Context from: (.*?) ---\n(.*?)\n--- End of Context from: \1 ---$", re.DOTALL | re.MULTILINE
)


class Answer(msgspec.Struct):
    """One line from the process: the texts with the global files and with those of the project."""

    texts: list[str] = []
    warnings: list[str] = []
    error: str | None = None


class GeminiCliWorkspace:
    """One Node process, which reads any number of workspaces.

    `folder` is the folder in which npm has installed gemini-cli. A process without an answer is killed, and the next
    workspace starts another one.
    """

    name = "gemini-cli"
    dialect = "gemini-cli"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        place = npm_folder("GEMINI_CLI_FOLDER", _HERE, [_PACKAGE], folder)
        self.version: str = json.loads((place / _PACKAGE).read_text())["version"]
        environment = {"PATH": os.environ.get("PATH", os.defpath), "GEMINI_CLI_FOLDER": str(place)}
        self._process = LineProgram([node_program(place), str(_HERE / "workspace.mjs")], environment, seconds)

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that gemini-cli sends to the model at the start."""
        question = {"cwd": str(cwd.resolve()), "home": str(home)}
        answer = msgspec.json.decode(self._process.ask(question), type=Answer)
        if answer.error is not None:
            raise ProgramError(answer.error)
        found = [WorkspaceFile(path, text) for part in answer.texts for path, text in _SECTION.findall(part)]
        return WorkspaceReading(found, answer.warnings)

    def close(self) -> None:
        """End the process, with whatever the process has started."""
        self._process.close()
