"""A model on loopback that makes the tool calls of a script, in the interfaces of four providers.

The text of the user, or that for a sub-agent, names a script. The number of tool calls in a request is the place in the
script, so the endpoint has no state: a tool may repeat a request, or ask on behalf of several agents at once.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

# The calls, each a tool and its arguments, by the name of the script: a text has "script NAME."
Scripts = Mapping[str, Sequence[tuple[str, Mapping[str, object]]]]


class Call(NamedTuple):
    """A call of a tool, with an id that no other call of the conversation has."""

    tool: str
    arguments: Mapping[str, object]
    id: str


class Asked(NamedTuple):
    """A request of an agent: the script, the number of calls so far, and the texts of the whole request in order."""

    script: str
    calls: int
    texts: Sequence[str]


class ScriptedModel:
    """The scripts, and the requests so far."""

    def __init__(self, address: str, scripts: Scripts) -> None:
        self.address = address
        self.asked: list[Asked] = []
        self._scripts = scripts

    def call_for(self, body: Mapping[str, Any]) -> Call | None:
        """The next call of the script that a request names; None at its end, and for a request without a script."""
        texts = [*_texts({key: value for key, value in body.items() if key != "tools"})]
        name = next((name for name in self._scripts if any(f"script {name}." in text for text in texts)), None)
        if name is None or not body.get("tools"):
            return None
        done = _calls(body)
        self.asked.append(Asked(name, done, texts))
        return Call(*self._scripts[name][done], f"call_{name}_{done}") if done < len(self._scripts[name]) else None


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for below in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(below)


def _calls(value: object) -> int:
    """How many tool calls of the model are in a request."""
    if isinstance(value, list):
        return sum(map(_calls, value))
    if not isinstance(value, Mapping):
        return 0
    own = len(value.get("tool_calls") or ()) + ("functionCall" in value)
    own += value.get("type") in ("tool_use", "function_call")
    return own + sum(_calls(below) for key, below in value.items() if key not in ("tools", "tool_calls"))


@contextmanager
def scripted_model(scripts: Scripts) -> Iterator[ScriptedModel]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = ScriptedModel(f"http://127.0.0.1:{server.server_port}", scripts)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.model
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ScriptedModel

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing about a tool that has ended."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._send("application/json", json.dumps({"object": "list", "data": [], "models": []}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        asks = not any(word in self.path for word in ("count", "telemetry")) and isinstance(body, dict)
        call = self.server.model.call_for(body) if asks else None
        if "treamGenerate" in self.path or "/responses" in self.path or (asks and body.get("stream")):
            self._send("text/event-stream", "".join(_events(self.path, call)))
        else:
            self._send("application/json", json.dumps({**_CHAT, "content": [], **_gemini(None)}))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # http.server's name of the parameter
        """Print nothing."""

    def _send(self, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


_TOKENS = {"input_tokens": 1, "output_tokens": 1, "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
_OK = {"role": "assistant", "content": "ok"}
_CHAT = {"id": "m", "choices": [{"index": 0, "message": _OK, "finish_reason": "stop"}], "usage": _TOKENS}


def _events(path: str, call: Call | None) -> Iterator[str]:
    """The stream of an answer in the form that a path asks for."""
    if "Generate" in path:
        events = [_gemini(call)]
    elif "/responses" in path:
        events = _responses(call)
    else:
        events = _anthropic(call) if "/messages" in path else _openai(call)
    for event in events:
        name = f"event: {event['type']}\n" if "type" in event else ""
        yield f"{name}data: {json.dumps(event)}\n\n"
    if "/completions" in path:
        yield "data: [DONE]\n\n"


def _openai(call: Call | None) -> list[dict[str, Any]]:
    delta: dict[str, object] = {**_OK}
    if call:
        function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        delta = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": call.id, "type": "function", "function": function}],
        }
    ends = [(delta, None), ({}, "tool_calls" if call else "stop")]
    chunk = {"id": "m", "object": "chat.completion.chunk", "created": 0, "model": "mock", "usage": _TOKENS}
    return [{**chunk, "choices": [{"index": 0, "delta": each, "finish_reason": end}]} for each, end in ends]


def _anthropic(call: Call | None) -> list[dict[str, Any]]:
    block: dict[str, object] = {"type": "text", "text": ""}
    delta = {"type": "text_delta", "text": "ok"}
    if call:
        block = {"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "mock", "content": [], "usage": _TOKENS}
    end = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": _TOKENS},
        {"type": "message_stop"},
    ]


def _gemini(call: Call | None) -> dict[str, Any]:
    part = {"functionCall": {"name": call.tool, "args": call.arguments}} if call else {"text": "ok"}
    content = {"role": "model", "parts": [part]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "totalTokens": 2}


def _responses(call: Call | None) -> list[dict[str, Any]]:
    text = {"type": "output_text", "text": "ok", "annotations": []}
    item: dict[str, object] = {"type": "message", "id": "msg", "role": "assistant", "content": [text]}
    if call:
        item = {"type": "function_call", "call_id": call.id, "name": call.tool, "arguments": json.dumps(call.arguments)}
    response = {"id": "r", "object": "response", "output": [item], "usage": _TOKENS}
    return [
        {"type": "response.created", "response": {**response, "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**response, "status": "completed"}},
    ]
