"""A history, written in each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

Value = dict[str, Any]  # Any: JSON


class Call(NamedTuple):
    """A call; its arguments are a text if they are no JSON."""

    id: str
    name: str = "look"
    arguments: Any = {"at": "a"}


class Said(NamedTuple):
    """A message: of the user, of the model with its calls, or with the result of a call."""

    role: str  # user, assistant or tool
    calls: tuple[Call, ...] = ()


def user() -> Said:
    return Said("user")


def answer(*calls: Call) -> Said:
    return Said("assistant", calls)


def result(call: Call) -> Said:
    return Said("tool", (call,))


def _text(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def _openai_chat(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        if role == "tool":
            yield {"role": "tool", "tool_call_id": calls[0].id, "content": "seen"}
        elif calls:
            made = [{"id": one.id, "function": {"name": one.name, "arguments": _text(one)}} for one in calls]
            yield {"role": role, "content": None, "tool_calls": made}
        else:
            yield {"role": role, "content": "text"}


def _openai_responses(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        if role == "tool":
            yield {"type": "function_call_output", "call_id": calls[0].id, "output": "seen"}
        else:
            kind = "input_text" if role == "user" else "output_text"
            yield {"type": "message", "role": role, "content": [{"type": kind, "text": "text"}]}
            for one in calls:
                yield {"type": "function_call", "call_id": one.id, "name": one.name, "arguments": _text(one)}


def _anthropic(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        content: list[Value] = [{"type": "text", "text": "text"}] if role != "tool" else []
        for one in calls:
            if role == "tool":
                content.append({"type": "tool_result", "tool_use_id": one.id, "content": "seen"})
            else:
                content.append({"type": "tool_use", "id": one.id, "name": one.name, "input": one.arguments})
        yield {"role": "user" if role == "tool" else role, "content": content}


def _gemini(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        parts: list[Value] = [{"text": "text"}] if role != "tool" else []
        for one in calls:
            if role == "tool":
                parts.append({"functionResponse": {"id": one.id, "name": one.name, "response": {"is": "seen"}}})
            else:
                parts.append({"functionCall": {"id": one.id, "name": one.name, "args": one.arguments}})
        yield {"role": "model" if role == "assistant" else "user", "parts": parts}


def _langchain(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        data: Value = {"content": "seen" if role == "tool" else "text"}
        if role == "tool":
            data["tool_call_id"] = calls[0].id
        else:
            data["tool_calls"] = [{"id": one.id, "name": one.name, "args": one.arguments} for one in calls]
        yield {"type": {"user": "human", "assistant": "ai"}.get(role, role), "data": data}


def _pydantic_ai(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        what = {"user": "user-prompt", "assistant": "text"}.get(role)
        parts: list[Value] = [{"part_kind": what, "content": "text"}] if what else []
        for one in calls:
            part = {"part_kind": "tool-call", "tool_call_id": one.id, "tool_name": one.name, "args": _text(one)}
            parts.append(part if what else {**part, "part_kind": "tool-return", "content": "seen"})
        yield {"kind": "response" if role == "assistant" else "request", "parts": parts}


def _ai_sdk(history: Sequence[Said]) -> Iterator[Value]:
    for role, calls in history:
        content: list[Value] = [{"type": "text", "text": "text"}] if role != "tool" else []
        for one in calls:
            part = {"type": "tool-call", "toolCallId": one.id, "toolName": one.name, "input": one.arguments}
            output = {"type": "text", "value": "seen"}
            content.append({**part, "type": "tool-result", "output": output} if role == "tool" else part)
        yield {"role": role, "content": content}


def _codex(history: Sequence[Said]) -> Iterator[Value]:
    yield {"type": "session_meta", "payload": {"id": "s"}}
    for item in _openai_responses(history):
        yield {"type": "response_item", "payload": item}


def _claude_code(history: Sequence[Said]) -> Iterator[Value]:
    for number, message in enumerate(_anthropic(history)):
        line = {"uuid": str(number), "parentUuid": str(number - 1) if number else None, "sessionId": "s"}
        yield {**line, "type": message["role"], "message": {**message, "id": f"m{number}"}}


def _gemini_cli(history: Sequence[Said]) -> Iterator[Value]:
    yield {"sessionId": "s", "projectHash": "p"}
    for number, content in enumerate(_gemini(history)):
        kind = "gemini" if content["role"] == "model" else "user"
        yield {"id": str(number), "type": kind, "content": content["parts"]}


def _otel(history: Sequence[Said]) -> Iterator[Value]:
    messages: list[Value] = []
    for role, calls in history:
        parts: list[Value] = [{"type": "text", "content": "text"}] if role != "tool" else []
        for one in calls:
            part = {"type": "tool_call", "id": one.id, "name": one.name, "arguments": one.arguments}
            parts.append({**part, "type": "tool_call_response"} if role == "tool" else part)
        messages.append({"role": role, "parts": parts})
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(messages)}
    yield {"traceId": "t", "spanId": "s", "attributes": attributes}


# Those in which each of the faults can be written: a call of opencode contains its result.
WRITERS: dict[str, Callable[[Sequence[Said]], Iterator[Value]]] = {
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
}
