"""Reads the instruction files of a workspace with pi: its function `loadProjectContextFiles`, in a process of Node."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import msgspec

from loopspec import WorkspaceFile, WorkspaceReading

PROGRAM = Path(__file__).with_name("context_files.mjs")
COLORS = re.compile(r"\x1b\[[0-9;]*m")  # pi colors its warnings where it believes in a terminal


class PiError(Exception):
    """pi raises an error, or its process ends or does not answer in time."""


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

    def __init__(self, folder: Path | None = None, timeout: float = 20) -> None:
        self._folder = folder or Path(os.environ.get("PI_FOLDER") or Path(__file__).parent)
        package = self._folder / "node_modules" / self.package / "package.json"
        if not package.is_file():
            raise FileNotFoundError(f"{package} does not exist: npm install has not run in {self._folder}")
        self.version: str = msgspec.json.decode(package.read_bytes())["version"]
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the context files for `cwd`."""
        agent = home / ".pi" / "agent"
        # A process that starts in a linked folder has the real path as its working directory.
        answer = self._ask({"cwd": str(cwd.resolve()), "agentDir": str(agent)})
        if answer.error is not None:
            raise PiError(answer.error)
        files = [WorkspaceFile(path, text) for path, text in answer.files]
        return WorkspaceReading(files, [COLORS.sub("", said) for said in answer.warnings])

    def close(self) -> None:
        """End the process and its group."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def __enter__(self) -> Pi:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, question: dict[str, str]) -> Answer:
        """Send one line and read one line; a process that does not answer in time is killed."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        deadline = threading.Timer(self._timeout, _kill, [process])
        deadline.start()
        try:
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            deadline.cancel()
        if not line:
            self.close()
            raise PiError(f"the process ended, or gave no answer in {self._timeout:g} s")
        return msgspec.json.decode(line, type=Answer)

    def _start(self) -> subprocess.Popen[bytes]:
        node = os.environ.get("PI_NODE") or shutil.which("node")
        if node is None:
            raise FileNotFoundError("pi needs Node, and PATH has no node")
        return subprocess.Popen(
            [node, str(PROGRAM), str(self._folder.resolve()), self.package],
            env={"PATH": os.defpath, "HOME": os.devnull, "PI_OFFLINE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )


class OldPi(Pi):
    """pi as the package `@mariozechner/pi-coding-agent`, its name until version 0.73.1."""

    name = "pi (former package)"
    package = "@mariozechner/pi-coding-agent"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group, even if its leader has ended."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
