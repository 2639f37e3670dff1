"""Reads the instruction files of a workspace with Codex CLI, by its command `codex debug prompt-input`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.programs import ProgramError, end_group, npm_folder

PACKAGE = "node_modules/@openai/codex/package.json"
PROGRAM = "node_modules/@openai/codex-*/vendor/*/bin/codex"
OPENING = "# AGENTS.md instructions"
BEGIN = "\n\n<INSTRUCTIONS>\n"
END = "\n</INSTRUCTIONS>"
# Codex makes no links to itself in a home folder below the system's temporary folder, and says so in each run.
OWN_WARNING = "could not create PATH aliases"
# A proxy that does not exist: Codex looks up its server's address otherwise.
NO_NETWORK = "http://127.0.0.1:9"


class Codex:
    """Codex CLI with its home folder below the user's.

    `folder` is the folder in which npm has installed `@openai/codex`.
    """

    name = "codex"
    dialect = "codex"

    def __init__(self, folder: Path | None = None, timeout: float = 60) -> None:
        place = npm_folder("CODEX_FOLDER", Path(__file__).parent, [PACKAGE, PROGRAM], folder)
        self.version: str = json.loads((place / PACKAGE).read_text())["version"]
        self._program = next(place.glob(PROGRAM))
        self._timeout = timeout

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the instruction files for `cwd`: one text of all files, without their names."""
        state = home / ".codex"
        state.mkdir(parents=True, exist_ok=True)
        environment = {
            "PATH": os.defpath,
            "HOME": str(home),
            "CODEX_HOME": str(state),
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NO_NETWORK),
        }
        out, err = self._run([str(self._program), "debug", "prompt-input", "x"], cwd, environment)
        warnings = tuple(line for line in err.splitlines() if line.strip() and OWN_WARNING not in line)
        text = _instructions(out)
        return WorkspaceReading(() if text is None else (WorkspaceFile(None, text),), warnings)

    def _run(self, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> tuple[str, str]:
        """Run a command in a process group of its own, and end the whole group."""
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=self._timeout)
        except subprocess.TimeoutExpired:
            raise ProgramError(f"no answer in {self._timeout:g} seconds") from None
        finally:
            end_group(process)
        said = err.decode("utf-8", "replace")
        if process.returncode != 0:
            raise ProgramError(f"exit code {process.returncode}: {said.strip()}")
        return out.decode("utf-8"), said


def _instructions(out: str) -> str | None:
    """Return the text between the lines that Codex adds, or none if no message has them."""
    for message in json.loads(out):
        if message.get("role") != "user":
            continue
        for part in message.get("content", ()):
            text = str(part.get("text", ""))
            if text.startswith(OPENING) and text.endswith(END):
                _, _, rest = text.partition(BEGIN)
                return rest.removesuffix(END)
    return None
