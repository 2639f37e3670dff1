"""A model endpoint on loopback that streams scripted answers, in the forms of OpenAI (responses, chat) and Gemini.

An answer is a list of parts: a text, `{"thought": text}`, `{"call": id, "name": …, "arguments": …}`, or None, after
which nothing more is sent. A request without tools (for a summary) is answered with a text, and is not kept.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Endpoint(ThreadingHTTPServer):
    """`requests` are those answered from the script; `stalls` after None; `tokens` are the first request's."""

    daemon_threads = True

    def __init__(self, script: list[list[Any]], tokens: int = 10) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script, self.tokens, self.stalls, self.requests = script, tokens, False, list[Any]()
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer, tokens = ["A summary of ours."], 10
        if body.get("tools"):
            answer = self.server.script[len(self.server.requests)]
            tokens = 10 if self.server.requests else self.server.tokens
            self.server.requests.append(body)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        form = _responses if "/responses" in self.path else _chat if "/chat/" in self.path else _gemini
        for chunk in form([part for part in answer if part is not None], tokens, None in answer):
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        if None in answer:
            self.server.stalls = True
            time.sleep(600)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server's name of the parameter
        """Print nothing."""


def _responses(answer: list[Any], tokens: int, stalls: bool) -> Iterator[Any]:
    for number, part in enumerate(answer):
        item: Any = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": []}
        if isinstance(part, str):
            yield {"type": "response.output_item.added", "item": item}
            yield {"type": "response.output_text.delta", "item_id": item["id"], "delta": part}
            item = {**item, "content": [{"type": "output_text", "text": part}]}
        elif "thought" in part:
            summary = [{"type": "summary_text", "text": part["thought"]}]
            item = {"type": "reasoning", "id": f"rs_{number}", "summary": summary, "encrypted_content": "c2VjcmV0"}
        else:
            arguments = json.dumps(part["arguments"])
            item = {"type": "function_call", "call_id": part["call"], "name": part["name"], "arguments": arguments}
        if not (stalls and isinstance(part, str)):
            yield {"type": "response.output_item.done", "item": item}
    usage = {"input_tokens": tokens, "output_tokens": 1, "total_tokens": tokens + 1}
    if not stalls:
        yield {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}}


def _gemini(answer: list[Any], tokens: int, stalls: bool) -> Iterator[Any]:
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 1, "totalTokenCount": tokens + 1}
    for number, part in enumerate(answer, 1):
        made: Any = {"text": part}
        if isinstance(part, dict):
            call = {"id": part.get("call"), "name": part.get("name"), "args": part.get("arguments")}
            made = {"functionCall": call} if "call" in part else {"text": part["thought"], "thought": True}
        reason = {"finishReason": "STOP"} if number == len(answer) and not stalls else {}
        candidate = {"content": {"role": "model", "parts": [made]}, "index": 0, **reason}
        yield {"candidates": [candidate], "usageMetadata": usage}


def _chat(answer: list[Any], tokens: int, stalls: bool) -> Iterator[Any]:
    reason = "stop"
    for number, part in enumerate(answer):
        delta: Any = {"content": part}
        if isinstance(part, dict) and "call" in part:
            function = {"name": part["name"], "arguments": json.dumps(part["arguments"])}
            delta = {"tool_calls": [{"index": number, "id": part["call"], "type": "function", "function": function}]}
            reason = "tool_calls"
        elif isinstance(part, dict):
            delta = {"reasoning_content": part["thought"]}
        yield {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
    if not stalls:
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}
