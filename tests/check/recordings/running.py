"""Runs a command-line tool in a home folder of its own, stops it in the middle, and makes what it stores neutral."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .scripted_endpoint import Endpoint


class Tool:
    """A tool, its home folder, and the project that it works in. `command` precedes the arguments of a run."""

    def __init__(self, endpoint: Endpoint, command: Sequence[str | Path], variables: Mapping[str, str]) -> None:
        self.endpoint = endpoint
        self.home = Path(tempfile.mkdtemp(prefix="recording-"))
        self.project = self.home / "project"
        self.project.mkdir()
        self._command = [str(part) for part in command]
        self._variables = {"PATH": os.environ["PATH"], "HOME": str(self.home), **variables}

    def run(self, *arguments: str, stopped_by: signal.Signals | None = None) -> str:
        """Run the tool. Returns what it prints.

        A signal is sent to its processes two seconds after the endpoint has stalled, or after the command of a call
        has made the file `started`.
        """
        process = subprocess.Popen(
            [*self._command, *arguments],
            cwd=self.project,
            env=self._variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        if stopped_by is not None:
            while not self.endpoint.stalls and not (self.project / "started").exists():
                time.sleep(0.1)
            time.sleep(2)
            os.killpg(process.pid, stopped_by)
        return process.communicate(timeout=120)[0]

    def write(self, path: Path, values: Iterable[Any]) -> None:
        """Write JSON values: one on each line, or the only one indented by 1."""
        path.parent.mkdir(exist_ok=True)
        indent = None if path.suffix == ".jsonl" else 1
        texts = [json.dumps(self._neutral(value), indent=indent, ensure_ascii=False) for value in values]
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")

    def _neutral(self, value: Any) -> Any:
        """The value without the folders of this machine. Of a long text, which is the tool's, the first tag stays."""
        if isinstance(value, dict):
            return {key: self._neutral(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._neutral(each) for each in value]
        if not isinstance(value, str):
            return value
        value = value.replace(str(self.project)[1:], "project").replace(str(self.home)[1:], "home/user")
        tag = re.match(r"<\w+>|", value)
        return value if len(value) <= 200 or tag is None else f"{tag[0]}…"


def call(number: int, name: str, **arguments: str) -> dict[str, Any]:
    """A part of an answer: a call."""
    return {"call": f"call_{number}", "name": name, "arguments": arguments}


def two_commands(name: str, key: str, **arguments: str) -> list[Any]:
    """An answer with two calls for commands: the first one still runs when the tool is stopped."""
    first = call(1, name, **{key: "touch started; sleep 30"}, **arguments)
    return ["I run two commands.", first, call(2, name, **{key: "echo two"}, **arguments)]
