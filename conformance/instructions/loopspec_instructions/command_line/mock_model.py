"""A model endpoint on loopback: answers in the shape of OpenAI's chat completions, and keeps each request.

A command-line tool sends its instruction files to the model. So the first request with a system message shows what the
tool has read:

    with mock_model() as model:
        start_the_tool(base_url=model.base_url)
        request = model.first(60, running=lambda: True, wanted=system_message)

A tool that sends its files in a message of the user is asked with `wanted=user_texts`. A tool of another interface may
get an answer that it does not understand: its first request is all that counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from socket import socket
from typing import TypeAlias

from .programs import ProgramError, end_group

Body: TypeAlias = Mapping[str, object]  # what a tool has sent: JSON of any shape

_MESSAGE = {"role": "assistant", "content": "ok"}
_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
_MODELS = {"object": "list", "data": [{"id": "mock", "object": "model"}]}


class MockModel:
    """The requests that the endpoint has received, and its address.

    Each request is answered with one short message, as a stream of events when the request asks for one.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.base_url = f"{address}/v1"
        self._bodies: list[Body] = []
        self._arrived = threading.Condition()

    def keep(self, body: Body) -> None:
        """Add a request."""
        with self._arrived:
            self._bodies.append(body)
            self._arrived.notify_all()

    def forget(self) -> None:
        """Drop the requests so far."""
        with self._arrived:
            self._bodies.clear()

    def first(self, seconds: float, running: Callable[[], bool], wanted: Callable[[Body], object]) -> Body | None:
        """Wait for a request with what is wanted; None when the time is over, or when `running` is false."""
        end = time.monotonic() + seconds
        with self._arrived:
            while True:
                alive = running()  # before the search: a request that precedes the end of the tool counts
                for body in self._bodies:
                    if wanted(body):
                        return body
                if not alive or time.monotonic() > end:
                    return None
                self._arrived.wait(0.05)


def system_message(body: Body) -> str:
    """The text of the system messages of a request, empty without any."""
    return "\n".join(_texts(body, "system"))


def user_texts(body: Body) -> list[str]:
    """The texts of the messages of the user in a request."""
    return _texts(body, "user")


def _texts(body: Body, role: str) -> list[str]:
    messages = body.get("messages")
    of_role = [one["content"] for one in messages if one.get("role") == role] if isinstance(messages, list) else []
    parts = (content if isinstance(content, list) else [{"text": content}] for content in of_role)
    return [str(part.get("text", "")) for part in chain.from_iterable(parts)]


@contextmanager
def mock_model() -> Iterator[MockModel]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = MockModel(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.model
    finally:
        server.shutdown()
        server.server_close()


def first_request(
    command: Sequence[str],
    cwd: Path,
    environment: Callable[[MockModel], Mapping[str, str]],
    seconds: float,
    wanted: Callable[[Body], object],
) -> Body:
    """Start a tool in a folder, return its first request with what is wanted, and kill its process group.

    `environment` is that of the tool, for the model that it is to ask. Raises `ProgramError` without such a request.
    """
    with mock_model() as model, tempfile.TemporaryFile() as output:
        own, nothing, same = environment(model), subprocess.DEVNULL, subprocess.STDOUT
        process = subprocess.Popen(  # with a group of its own: such a tool starts processes
            command, cwd=cwd, env=own, stdin=nothing, stdout=output, stderr=same, start_new_session=True
        )
        try:
            body = model.first(seconds, lambda: process.poll() is None, wanted)
        finally:
            end_group(process)
        output.seek(0)
        said = output.read().decode(errors="replace").strip()
    if body is None:
        raise ProgramError(f"no request to the model: exit status {process.returncode}: {said}")
    return body


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: MockModel

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Print nothing about a tool that is killed in the middle of a request."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._send("application/json", json.dumps(_MODELS).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        self.server.model.keep(body)
        if body.get("stream"):
            events = [_completion("delta", _MESSAGE, None), _completion("delta", {}, "stop"), "[DONE]"]
            self._send("text/event-stream", "".join(f"data: {event}\n\n" for event in events).encode())
        else:
            self._send("application/json", _completion("message", _MESSAGE, "stop").encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server's name of the parameter
        """Print nothing: the requests are kept."""

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _completion(key: str, message: Mapping[str, str], reason: str | None) -> str:
    kind = "chat.completion.chunk" if key == "delta" else "chat.completion"
    choice = {"index": 0, key: message, "finish_reason": reason}
    whole = {"id": "mock-1", "object": kind, "created": 0, "model": "mock", "choices": [choice], "usage": _USAGE}
    return json.dumps(whole)
