"""A model endpoint on loopback that gives the answers of a script as they are, to libraries of providers."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any


class GivenAnswers(HTTPServer):
    """Answers each request with the next value of the script; a list is streamed as events. Keeps the requests."""

    def __init__(self, script: list[Any]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script, self.requests = script, list[Any]()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: GivenAnswers

    def do_POST(self) -> None:
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        answer = self.server.script.pop(0)
        is_stream = isinstance(answer, list)
        data = json.dumps(answer)
        if is_stream:
            data = "".join(f"event: {each.get('type')}\ndata: {json.dumps(each)}\n\n" for each in answer)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server's name of the parameter
        """Print nothing."""


def write(path: Path, *values: Any) -> None:
    """Write JSON values: one on each line, or the only one indented by 1."""
    indent = 1 if path.suffix == ".json" else None
    lines = [json.dumps(value, indent=indent, default=lambda model: model.to_dict()) for value in values]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
