"""A history, written in each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

Value = dict[str, Any]  # Any: JSON


class Call(NamedTuple):
    """A call; its arguments are a text if they are no JSON."""

    id: str
    arguments: Any = {"at": "a"}
    name: str = "look"


class Said(NamedTuple):
    """A message: of the user, of the model with its calls, or with the result of a call."""

    role: str  # user, assistant or tool
    calls: tuple[Call, ...] = ()

    def parts(self, text: Value, call: Callable[[Call], Value], result: Callable[[Call], Value]) -> list[Value]:
        """The parts of the message: a text, unless it has a result, and calls or a result."""
        is_result = self.role == "tool"
        return [*([] if is_result else [text]), *map(result if is_result else call, self.calls)]


History = Sequence[Said]


def _text(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def _openai_chat(history: History) -> Iterator[Value]:
    for role, calls in history:
        if role == "tool":
            yield {"role": role, "tool_call_id": calls[0].id, "content": "seen"}
        else:
            made = [{"id": one.id, "function": {"name": one.name, "arguments": _text(one)}} for one in calls]
            yield {"role": role, "content": None, "tool_calls": made} if made else {"role": role, "content": "text"}


def _openai_responses(history: History) -> Iterator[Value]:
    for said in history:
        content = [{"type": "input_text" if said.role == "user" else "output_text", "text": "text"}]
        yield from said.parts(
            {"type": "message", "role": said.role, "content": content},
            lambda one: {"type": "function_call", "call_id": one.id, "name": one.name, "arguments": _text(one)},
            lambda one: {"type": "function_call_output", "call_id": one.id, "output": "seen"},
        )


def _anthropic(history: History) -> Iterator[Value]:
    for said in history:
        content = said.parts(
            {"type": "text", "text": "text"},
            lambda one: {"type": "tool_use", "id": one.id, "name": one.name, "input": one.arguments},
            lambda one: {"type": "tool_result", "tool_use_id": one.id, "content": "seen"},
        )
        yield {"role": "assistant" if said.role == "assistant" else "user", "content": content}


def _gemini(history: History) -> Iterator[Value]:
    for said in history:
        parts = said.parts(
            {"text": "text"},
            lambda one: {"functionCall": {"id": one.id, "name": one.name, "args": one.arguments}},
            lambda one: {"functionResponse": {"id": one.id, "name": one.name, "response": {"is": "seen"}}},
        )
        yield {"role": "model" if said.role == "assistant" else "user", "parts": parts}


def _langchain(history: History) -> Iterator[Value]:
    for role, calls in history:
        made = [{"id": one.id, "name": one.name, "args": one.arguments} for one in calls]
        own = {"tool_call_id": calls[0].id} if role == "tool" else {"tool_calls": made}
        yield {"type": {"user": "human", "assistant": "ai"}.get(role, role), "data": {"content": "text", **own}}


def _pydantic_ai(history: History) -> Iterator[Value]:
    for said in history:
        parts = said.parts(
            {"part_kind": "user-prompt" if said.role == "user" else "text", "content": "text"},
            lambda one: {"part_kind": "tool-call", "tool_call_id": one.id, "tool_name": one.name, "args": _text(one)},
            lambda one: {"part_kind": "tool-return", "tool_call_id": one.id, "tool_name": one.name, "content": "seen"},
        )
        yield {"kind": "response" if said.role == "assistant" else "request", "parts": parts}


def _ai_sdk(history: History) -> Iterator[Value]:
    for said in history:
        content = said.parts(
            {"type": "text", "text": "text"},
            lambda one: {"type": "tool-call", "toolCallId": one.id, "toolName": one.name, "input": one.arguments},
            lambda one: {"type": "tool-result", "toolCallId": one.id, "output": {"type": "text", "value": "seen"}},
        )
        yield {"role": said.role, "content": content}


def _codex(history: History) -> Iterator[Value]:
    yield {"type": "session_meta", "payload": {"id": "s"}}
    yield from ({"type": "response_item", "payload": item} for item in _openai_responses(history))


def _claude_code(history: History) -> Iterator[Value]:
    for number, message in enumerate(_anthropic(history)):
        line = {"uuid": str(number), "parentUuid": str(number - 1) if number else None, "sessionId": "s"}
        yield {**line, "type": message["role"], "message": {**message, "id": f"m{number}"}}


def _gemini_cli(history: History) -> Iterator[Value]:
    yield {"sessionId": "s", "projectHash": "p"}
    for number, content in enumerate(_gemini(history)):
        kind = "gemini" if content["role"] == "model" else "user"
        yield {"id": str(number), "type": kind, "content": content["parts"]}


def _otel(history: History) -> Iterator[Value]:
    messages = []
    for said in history:
        parts = said.parts(
            {"type": "text", "content": "text"},
            lambda one: {"type": "tool_call", "id": one.id, "name": one.name, "arguments": one.arguments},
            lambda one: {"type": "tool_call_response", "id": one.id, "response": "seen"},
        )
        messages.append({"role": said.role, "parts": parts})
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(messages)}
    yield {"traceId": "t", "spanId": "s", "attributes": attributes}


def _opencode(history: History) -> Iterator[Value]:
    """A call contains its result: a second result, and one without a call before it, cannot be stored."""
    messages: list[Value] = []
    states: dict[str, Value] = {}
    for role, calls in history:
        if role == "tool":
            states.get(calls[0].id, {}).update(status="completed", output="seen")
            continue
        parts: list[Value] = [{"type": "text", "text": "text"}]
        for one in calls:
            states[one.id] = {"status": "running", "input": one.arguments}
            parts.append({"type": "tool", "callID": one.id, "tool": one.name, "state": states[one.id]})
        messages.append({"info": {"id": str(len(messages)), "role": role}, "parts": parts})
    yield {"info": {"id": "s"}, "messages": messages}


WRITERS: dict[str, Callable[[History], Iterator[Value]]] = {
    "openai-chat": _openai_chat,
    "openai-responses": _openai_responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "langchain": _langchain,
    "pydantic-ai": _pydantic_ai,
    "ai-sdk": _ai_sdk,
    "codex": _codex,
    "claude-code": _claude_code,
    "gemini-cli": _gemini_cli,
    "otel": _otel,
    "opencode": _opencode,
}


def written(name: str, history: History) -> str:
    """The history in the format with the name, a value on each line."""
    return "".join(json.dumps(value) + "\n" for value in WRITERS[name](history))
