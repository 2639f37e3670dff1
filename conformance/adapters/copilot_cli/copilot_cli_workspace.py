"""Reads a workspace as GitHub Copilot CLI does: `copilot -p` sends the files to a model endpoint on loopback."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.mock_model import Body, MockModel, first_request, system_message
from loopspec_instructions.command_line.programs import ProgramError, npm_folder

SECONDS = 60  # for one workspace
_PACKAGE = "node_modules/@github/copilot/package.json"
_BINARY = "node_modules/@github/copilot-linux-x64/copilot"
# The files are between the end of the descriptions of tools and this section.
_BEGIN, _END = "\n</tools>\n", "\n<system_notifications>\n"
_FILE = re.compile(r"\n<custom_instruction>\n(.*?)\n</custom_instruction>\n?", re.DOTALL)
_TABLE = re.compile(r"(?:\A|\n\n)Here is a list of instruction files that contain rules ")  # those for named paths


class CopilotCliWorkspace:
    """Starts one process for each workspace, and kills its group at the first request.

    `folder` is the folder in which npm has installed GitHub Copilot CLI.
    """

    name = "copilot-cli"
    dialect = "copilot-cli"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        place = npm_folder("COPILOT_CLI_FOLDER", Path(__file__).parent, [_PACKAGE, _BINARY], folder)
        self.version: str = json.loads((place / _PACKAGE).read_text())["version"]
        self._command = [str(place / _BINARY), "-p", "x", "--allow-all-tools"]
        self._seconds = seconds
        self._unpacked = tempfile.TemporaryDirectory(prefix="loopspec-")

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that GitHub Copilot CLI sends to the model at the start: their texts, without their names."""
        environment = partial(_environment, home, self._unpacked.name)
        body = first_request(self._command, cwd, environment, self._seconds, system_message)
        return WorkspaceReading([WorkspaceFile(None, text) for text in _texts(body)])

    def close(self) -> None:
        """Remove what the program has unpacked."""
        self._unpacked.cleanup()


def _environment(home: Path, unpacked: str, model: MockModel) -> Mapping[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "XDG_CACHE_HOME": unpacked,
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_PROVIDER_BASE_URL": model.base_url,
        "COPILOT_MODEL": "mock",
        "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "10000000",  # else a long file ends the program before its request
    }


def _texts(body: Body) -> Iterator[str]:
    """The text of each file, and then that of all rules, with an empty line between two."""
    _, begin, rest = system_message(body).partition(_BEGIN)
    part, end, _ = rest.rpartition(_END)
    if not (begin and end):
        raise ProgramError("the request has no section with instruction files: it is not of the version of the record")
    files = list(_FILE.finditer(part))
    yield from (each[1] for each in files)
    rest = part[files[-1].end() :].removesuffix("\n") if files else part
    if rules := _TABLE.split(rest.removeprefix("\n"))[0]:
        yield rules
