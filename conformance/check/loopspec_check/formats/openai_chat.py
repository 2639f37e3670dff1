"""Messages of the chat interface of OpenAI, which many libraries and providers use: `{"role": …, "tool_calls": …}`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..history import ROLES, Entry, Format, call, result, said, sessions_of
from ..values import Record, text, text_of

_MARKS = {"tool": {"tool_call_id"}, **{role: {"tool_calls", "function_call"} for role in ROLES}}
_PARTS = {"text", "image_url", "input_audio", "file", "refusal"}


def _recognizes(message: Record) -> bool:
    return bool(_MARKS.get(message.text("role"), set()) & message.fields.keys())


def _accepts(messages: Sequence[Record]) -> bool:
    for message in messages:
        is_text = isinstance(message.fields.get("content", ()), str | None)
        has_content = is_text or any(part.text("type") in _PARTS for part in message.parts("content"))
        if message.text("role") not in ROLES or not has_content:
            return False
    return bool(messages)


def _said(message: Record) -> Iterator[Entry]:
    fields = message.fields
    role, written = text(fields.get("role")), fields.get("content")
    content = text_of(written) or fields.get("refusal") or fields.get("audio") or ""
    fault = "CHECK-18" if written is None and not content else ""
    if role in ("tool", "function"):
        name = fields.get("name") or fields.get("tool_name")
        yield result(message, fields.get("tool_call_id"), name, content, fault=fault)
    elif role in ROLES:
        calls = message.parts("tool_calls")
        calls += [one for one in [message.inside("function_call")] if one.fields]
        if content or not calls:
            yield said(message, ROLES[role], content, fault or ("CHECK-17" if fields.get("tool_calls") == [] else ""))
        for one in calls:
            made = one.within("function", "custom")
            yield call(one, one.get("id"), made.get("name"), made.fields.get("arguments", made.value))


_sessions = sessions_of("messages", lambda messages: map(_said, messages))
FORMAT = Format("openai-chat", _recognizes, _sessions, _accepts)
