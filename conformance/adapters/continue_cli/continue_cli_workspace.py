"""Reads a workspace as Continue CLI does: `cn -p` sends the files to a model endpoint on loopback."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.mock_model import MockModel, first_request, system_message
from loopspec_instructions.command_line.programs import ProgramError, node_program, npm_folder

SECONDS = 60  # for one workspace
_PACKAGE = "node_modules/@continuedev/cli/package.json"
_PROGRAM = "node_modules/@continuedev/cli/dist/cn.js"
# The files end the message, and the section of a session without a file is missing.
_BEGIN, _END = '\n\n<context name="userRules">\n', "\n</context>"
_BEFORE = "\nIMPORTANT: You are running in headless mode."  # the paragraph before the section


class ContinueCliWorkspace:
    """Starts one process for each workspace, and kills its group at the first request.

    `folder` is the folder in which npm has installed Continue CLI.
    """

    name = "continue-cli"
    dialect = "continue-cli"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        place = npm_folder("CONTINUE_CLI_FOLDER", Path(__file__).parent, [_PACKAGE, _PROGRAM], folder)
        self.version: str = json.loads((place / _PACKAGE).read_text())["version"]
        self._owned = tempfile.TemporaryDirectory(prefix="loopspec-")
        self._configuration = Path(self._owned.name) / "config.yaml"
        program = [node_program(place), str(place / _PROGRAM)]
        self._command = [*program, "-p", "x", "--config", str(self._configuration)]
        self._seconds = seconds

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that Continue CLI sends to the model at the start, as one text without names."""
        environment = partial(_environment, home, self._configuration)
        text = _text(system_message(first_request(self._command, cwd, environment, self._seconds, system_message)))
        return WorkspaceReading([WorkspaceFile(None, text)] if text else [])

    def close(self) -> None:
        """Remove the configuration."""
        self._owned.cleanup()


def _environment(home: Path, configuration: Path, model: MockModel) -> Mapping[str, str]:
    mock: dict[str, object] = {"name": "mock", "provider": "openai", "model": "mock"}
    mock |= {"apiKey": "none", "apiBase": model.base_url}
    mock["contextLength"] = 10_000_000  # else a long file ends the program before its request
    configuration.write_text(json.dumps({"name": "mock", "version": "1.0.0", "schema": "v1", "models": [mock]}))
    return {"HOME": str(home), "PATH": os.defpath, "CONTINUE_CLI_ENABLE_TELEMETRY": "0"}


def _text(message: str) -> str:
    """The section with the files; it may contain its own first line again."""
    _, heading, rest = message.partition(_BEFORE)
    if not heading:
        raise ProgramError(
            "the request has no paragraph about the headless mode: it is not of the version of the record"
        )
    return rest.partition(_BEGIN)[2].removesuffix(_END)
