"""Reads a workspace as gemini-cli does: by its own discovery of GEMINI.md files, in a Node process."""

from __future__ import annotations

import json
import os
import re
import selectors
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from loopspec import WorkspaceFile, WorkspaceReading

SECONDS = 20  # for one workspace; the first one loads the package
_HERE = Path(__file__).parent
_PACKAGE = "@google/gemini-cli-core"
_SECTION = re.compile(
    r"^--- Context from: (.*?) ---\n(.*?)\n--- End of Context from: \1 ---$", re.DOTALL | re.MULTILINE
)


class GeminiCliError(Exception):
    """gemini-cli fails, or gives no answer in time."""


class GeminiCliWorkspace:
    """One Node process, which reads any number of workspaces.

    `folder` is the folder in which npm has installed gemini-cli. A process without an answer is killed, and the next
    workspace starts another one.
    """

    name = "gemini-cli"
    dialect = "gemini-cli"

    def __init__(self, folder: Path | None = None, node: str = "node", seconds: float = SECONDS) -> None:
        place = folder or Path(os.environ.get("GEMINI_CLI_FOLDER") or _HERE)
        if not (place / "node_modules" / _PACKAGE).is_dir():
            raise FileNotFoundError(f"{place} has no {_PACKAGE}: npm install has not run there")
        self.version: str = json.loads((place / "node_modules" / _PACKAGE / "package.json").read_text())["version"]
        self._environment = {"PATH": os.environ.get("PATH", os.defpath), "GEMINI_CLI_FOLDER": str(place)}
        self._node = node
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that gemini-cli sends to the model at the start."""
        answer = self._ask({"cwd": str(cwd.resolve()), "home": str(home)})
        if "error" in answer:
            raise GeminiCliError(str(answer["error"]))
        texts, warnings = answer["texts"], answer["warnings"]
        assert isinstance(texts, list)
        assert isinstance(warnings, list)
        found = [WorkspaceFile(path, text) for part in texts for path, text in _SECTION.findall(part)]
        return WorkspaceReading(found, warnings)

    def close(self) -> None:
        """End the process, with whatever it has started."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, question: Mapping[str, str]) -> Mapping[str, object]:
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
            with selectors.DefaultSelector() as ready:
                ready.register(process.stdout, selectors.EVENT_READ)
                line = process.stdout.readline() if ready.select(self._seconds) else b""
        except BrokenPipeError:
            line = b""
        if not line:
            self.close()
            raise GeminiCliError(f"no answer in {self._seconds} seconds: {question['cwd']}")
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        node = shutil.which(self._node)
        if node is None:
            raise GeminiCliError(f"{self._node} is not installed")
        return subprocess.Popen(
            [node, str(_HERE / "workspace.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environment,
            start_new_session=True,  # a group of its own, which `close` kills
        )
