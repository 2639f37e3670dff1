"""Reads the instruction files of a workspace with pi: its function `loadProjectContextFiles`, in a process of Node."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.programs import LineProgram, ProgramError, node_program, npm_folder

PROGRAM = Path(__file__).with_name("context_files.mjs")
COLORS = re.compile(r"\x1b\[[0-9;]*m")  # pi colors its warnings where it believes in a terminal
SECONDS = 20  # for one workspace


class Answer(msgspec.Struct):
    """One line from the process."""

    files: list[tuple[str, str]] = []
    warnings: list[str] = []
    error: str | None = None


class Pi:
    """pi as the package `@earendil-works/pi-coding-agent`.

    `folder` is the folder in which npm has installed the package. The process of Node starts with the first reading and
    serves all readings, until `close`.
    """

    name = "pi"
    dialect = "pi"
    package = "@earendil-works/pi-coding-agent"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        package = f"node_modules/{self.package}/package.json"
        place = npm_folder("PI_FOLDER", PROGRAM.parent, [package], folder).resolve()
        self.version: str = msgspec.json.decode((place / package).read_bytes())["version"]
        node = os.environ.get("PI_NODE") or node_program(place)
        environment = {"PATH": os.defpath, "HOME": os.devnull, "PI_OFFLINE": "1"}
        self._process = LineProgram([node, str(PROGRAM), str(place), self.package], environment, seconds)

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the context files for `cwd`."""
        # A process that starts in a linked folder has the real path as its working directory.
        question = {"cwd": str(cwd.resolve()), "agentDir": str(home / ".pi" / "agent")}
        answer = msgspec.json.decode(self._process.ask(question), type=Answer)
        if answer.error is not None:
            raise ProgramError(answer.error)
        files = [WorkspaceFile(path, text) for path, text in answer.files]
        return WorkspaceReading(files, [COLORS.sub("", said) for said in answer.warnings])

    def close(self) -> None:
        """End the process and its group."""
        self._process.close()


class OldPi(Pi):
    """pi as the package `@mariozechner/pi-coding-agent`, its name until version 0.73.1."""

    name = "pi (former package)"
    package = "@mariozechner/pi-coding-agent"
