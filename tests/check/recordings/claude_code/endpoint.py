"""A model endpoint on loopback that streams scripted answers as the interface of Anthropic does.

An answer is a list of blocks. Nothing is sent after the start of a call without an input. A text is an error, which
ends the stream.
"""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

PARTS = {"text": {"text": "text_delta"}, "thinking": {"thinking": "thinking_delta", "signature": "signature_delta"}}


class Endpoint(ThreadingHTTPServer):
    """Answers each request with the next answer of `script`, and keeps the requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script, self.requests = list[list[Any]](), list[Any]()
        Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: the tool was killed in the middle of an answer."""


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        answer = self.server.script.pop(0)
        message = {"id": f"msg_{len(self.server.requests)}", "type": "message", "role": "assistant", "content": []}
        message |= {"model": "claude-sonnet-4-5", "stop_reason": None, "stop_sequence": None}
        usage = {"input_tokens": 9, "output_tokens": 1}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self._send("message_start", message={**message, "usage": usage})
        for index, block in enumerate(answer):
            if isinstance(block, str):
                self._send("error", error={"type": "overloaded_error", "message": block})
                return
            parts = PARTS.get(block["type"], {})
            self._send("content_block_start", index=index, content_block={**block, **dict.fromkeys(parts, "")})
            for key, delta in parts.items():
                self._send("content_block_delta", index=index, delta={"type": delta, key: block[key]})
            if block["type"] == "tool_use":
                if block["input"] is None:
                    time.sleep(600)
                part = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
                self._send("content_block_delta", index=index, delta=part)
            self._send("content_block_stop", index=index)
        reason = "tool_use" if any(block["type"] == "tool_use" for block in answer) else "end_turn"
        self._send("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=usage)
        self._send("message_stop")

    def _send(self, kind: str, **more: Any) -> None:
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server's name of the parameter
        """Print nothing."""
