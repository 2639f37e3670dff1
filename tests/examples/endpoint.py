"""An endpoint for chat completions on loopback with prepared responses and recorded requests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Response:
    """One prepared response.

    With `chunks`, the body is sent in these pieces; `breaks` closes the connection before the end of the body. `framed`
    says whether the client can see where the body ends: by the length of its chunks, or only by the closed connection.
    """

    chunks: Sequence[bytes]
    status: int = 200
    breaks: bool = False
    framed: bool = True


@dataclass
class Endpoint:
    """The prepared responses, in order, and the requests so far."""

    responses: list[Response] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    url: str = ""

    @property
    def env(self) -> dict[str, str]:
        """The environment that points an example to this endpoint. The key ends with a newline, as in a file."""
        return {"OPENAI_BASE_URL": self.url, "OPENAI_API_KEY": "secret\n", "MODEL": "a-model"}


def whole(message: dict[str, Any], reason: str = "stop") -> Response:
    """Return a response with a complete answer."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return Response([json.dumps({"object": "chat.completion", "choices": [choice]}).encode()])


def event(delta: dict[str, Any], reason: str | None = None) -> bytes:
    """Return the server-sent event with a piece of an answer."""
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    body = {"object": "chat.completion.chunk", "choices": [choice]}
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve on a free port until the block ends."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            endpoint.paths.append(self.path)
            endpoint.keys.append(self.headers["Authorization"])
            endpoint.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self._send(endpoint.responses.pop(0))

        def _send(self, response: Response) -> None:
            self.send_response(response.status)
            self.send_header("Connection", "close")
            if response.framed:
                self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for chunk in response.chunks:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk) if response.framed else chunk)
            if response.framed and not response.breaks:
                self.wfile.write(b"0\r\n\r\n")
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in the base class
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
