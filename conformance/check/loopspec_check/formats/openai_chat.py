"""Messages of the chat interface of OpenAI, which many libraries and providers use: `{"role": …, "tool_calls": …}`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..history import Entry, Format, Kind, call, each, result, said, sessions_of
from ..values import Record, text_of

_KINDS: dict[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_PARTS = {"text", "image_url", "input_audio", "file", "refusal"}


def _recognizes(message: Record) -> bool:
    role = message.text("role")
    return "tool_call_id" in message.fields if role == "tool" else role in _KINDS and "tool_calls" in message.fields


def _accepts(messages: Sequence[Record]) -> bool:
    return bool(messages) and all(message.text("role") in _KINDS and _has_content(message) for message in messages)


def _has_content(message: Record) -> bool:
    parts = message.inside("content").items()
    return isinstance(message.get("content"), str) or any(part.text("type") in _PARTS for part in parts)


def _said(message: Record) -> Iterator[Entry]:
    role, content = message.text("role"), text_of(message.get("content"))
    if role in ("tool", "function"):
        yield result(message, message.get("tool_call_id"), message.get("name") or message.get("tool_name"), content)
        return
    calls = [(one, one.inside("function")) for one in message.parts("tool_calls")]
    if (old := message.inside("function_call")).fields:
        calls.append((old, old))
    if role in _KINDS and (content or not calls):
        yield said(message, _KINDS[role], content or message.get("refusal") or message.get("audio") or "")
    for one, function in calls:
        custom = one.inside("custom")
        if custom.fields:
            yield call(one, one.get("id"), custom.get("name"), custom.value)
        else:
            yield call(one, one.get("id"), function.get("name"), function.get("arguments"))


OPENAI_CHAT = Format("openai-chat", _recognizes, sessions_of("messages", each(_said)), accepts=_accepts)
