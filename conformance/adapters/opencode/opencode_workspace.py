"""Reads a workspace as opencode and its fork Kilo do: a server sends the system message to a model on loopback."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import zip_longest
from pathlib import Path
from threading import Thread

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.mock_model import MockModel, mock_model, system_message
from loopspec_instructions.command_line.programs import ProgramError, end_group, npm_folder

SECONDS = 60  # for the start of the server, and for one workspace
_HEADING = re.compile(r"^Instructions from: (/.*)\n", re.MULTILINE)
_MODEL = {"providerID": "mock", "modelID": "mock"}


class OpencodeWorkspace:
    """One server, which reads any number of workspaces.

    `folder` is the folder in which npm has installed opencode. The next workspace starts another server after a
    failure, and when `instructions` differ.
    """

    name = "opencode"
    dialect = "opencode"
    variable = "OPENCODE"  # the start of the names of its variables
    package = "node_modules/opencode-ai/package.json"
    binary = "node_modules/opencode-linux-x64/bin/opencode"

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        place = npm_folder("OPENCODE_FOLDER", Path(__file__).parent, [self.package, self.binary], folder)
        self._binary = place / self.binary
        self.version: str = json.loads((place / self.package).read_text())["version"]
        self._seconds = seconds
        self._server: _Server | None = None
        self._instructions: tuple[str, ...] = ()

    def read_workspace(self, cwd: Path, home: Path, instructions: Sequence[str] = ()) -> WorkspaceReading:
        """Read the files that opencode sends to the model at the start; `instructions` is an option of opencode."""
        cwd, home = cwd.resolve(), home.resolve()
        if cwd.is_relative_to(home):  # opencode compares paths: here the link would be another name of the same file
            with closing(self._start(instructions, home)) as server:
                return WorkspaceReading([*server.files(cwd)])
        if self._instructions != tuple(instructions):
            self.close()
        self._instructions = tuple(instructions)
        server = self._server = self._server or self._start(self._instructions)
        try:
            server.lead_home(home)
            return WorkspaceReading([*server.files(cwd)])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the server, with whatever it has started."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def _start(self, configured: Sequence[str], home: Path | None = None) -> _Server:
        return _Server(self._binary, self.variable, configured, self._seconds, home)


class KiloWorkspace(OpencodeWorkspace):
    """Kilo, a fork of opencode, which has the same server."""

    name = "kilo"
    dialect = "kilo"
    variable = "KILO"
    package = "node_modules/@kilocode/cli-linux-x64/package.json"
    binary = "node_modules/@kilocode/cli-linux-x64/bin/kilo"


class _Server:
    """`opencode serve` at a free port, and its model.

    The server takes its home folder when it starts. Without `home`, it is a link that `lead_home` leads to a folder.
    """

    def __init__(
        self, binary: Path, variable: str, configured: Sequence[str], seconds: float, home: Path | None = None
    ) -> None:
        self._seconds = seconds
        self._owned = ExitStack()
        with ExitStack() as started:
            self._model = started.enter_context(mock_model())
            self._folder = Path(started.enter_context(tempfile.TemporaryDirectory(prefix="loopspec-")))
            self._output = started.enter_context(tempfile.TemporaryFile())
            self._link = self._folder / "home"
            self.lead_home(home or self._folder)
            port = _free_port()  # for the port 0, opencode takes 4096
            self._address = f"http://127.0.0.1:{port}"
            self._process = subprocess.Popen(
                [str(binary), "serve", "--pure", "--hostname", "127.0.0.1", "--port", str(port)],
                cwd=self._folder,
                env=_environment(variable, home or self._link, self._folder, _configuration(self._model, configured)),
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own: opencode starts processes
            )
            started.callback(end_group, self._process)
            self._wait()
            self._owned = started.pop_all()

    def files(self, cwd: Path) -> Iterator[WorkspaceFile]:
        """Send one message in a new session, and yield the files that the model receives."""
        where = urllib.parse.urlencode({"directory": str(cwd)})
        session = self._post(f"/session?{where}", {"title": "x"})["id"]  # it asks the model for a missing title first
        message = {"model": _MODEL, "parts": [{"type": "text", "text": "x"}]}
        failed: list[Exception] = []

        def send() -> None:  # the response comes after the model's
            try:
                self._post(f"/session/{session}/message?{where}", message)
            except (OSError, ValueError, ProgramError) as error:
                failed.append(error)

        sender = Thread(target=send, daemon=True)
        sender.start()
        body = self._model.first(self._seconds, sender.is_alive, system_message)
        sender.join(self._seconds)  # no request of this session comes during the next one
        self._model.forget()
        if body is None:
            raise ProgramError(f"no request to the model: {failed or self._said()}")
        self._post(f"/instance/dispose?{where}", {})
        for path, text in _files(system_message(body)):
            yield WorkspaceFile(path.replace(f"{self._link}/", f"{self._link.resolve()}/", 1), text)

    def lead_home(self, home: Path) -> None:
        """Lead the link to another home folder."""
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(home)

    def close(self) -> None:
        """Kill the server, with whatever it has started."""
        self._owned.close()

    def _wait(self) -> None:
        end = time.monotonic() + self._seconds
        while self._process.poll() is None and time.monotonic() < end:
            with suppress(OSError):
                urllib.request.urlopen(f"{self._address}/global/health", timeout=5).close()
                return
            time.sleep(0.05)
        raise ProgramError(f"the server does not start: {self._said()}")

    def _post(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._address + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=self._seconds) as answer:
                found = json.load(answer)
        except urllib.error.HTTPError as error:
            raise ProgramError(f"{error}: {error.read().decode(errors='replace')}") from error
        return found if isinstance(found, dict) else {}

    def _said(self) -> str:
        self._output.seek(0)
        return self._output.read().decode(errors="replace").strip()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _configuration(model: MockModel, configured: Sequence[str]) -> str:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": model.base_url, "apiKey": "none"},
        "models": {"mock": {}},
    }
    return json.dumps(
        {
            "provider": {"mock": provider},
            "model": "mock/mock",
            "small_model": "mock/mock",
            "instructions": list(configured),
            "autoupdate": False,
            "share": "disabled",
            "snapshot": False,
            "lsp": False,
            "formatter": False,
            "permission": {"skill": "deny"},  # the list of skills would follow the last file
        }
    )


def _environment(variable: str, home: Path, folder: Path, configuration: str) -> Mapping[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        f"{variable}_CONFIG_CONTENT": configuration,
        **{f"{variable}_DISABLE_{what}": "1" for what in ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")},
        "XDG_DATA_HOME": str(folder / "data"),  # its database, which is not part of the workspace
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"),
    }


def _files(message: str) -> Iterator[tuple[str, str]]:
    """The files of the system message: each has a heading, a line break separates two, and the last ends the message.

    A line of a file that looks like a heading is one only if it names a file.
    """
    headings = [heading for heading in _HEADING.finditer(message) if Path(heading[1]).is_file()]
    for heading, following in zip_longest(headings, headings[1:]):
        yield heading[1], message[heading.end() : following.start() - 1 if following else None]
