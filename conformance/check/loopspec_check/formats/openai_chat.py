"""Messages of the chat interface of OpenAI, which many libraries and providers use: `{"role": …, "tool_calls": …}`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..history import Entry, Format, Kind
from ..values import Record, text_of
from .entries import call, result, said
from .lists import each, messages_of, sessions_of

_KINDS: dict[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_PARTS = {"text", "image_url", "input_audio", "file", "refusal"}


def _is_message(message: Record) -> bool:
    role, content = message.text("role"), message.inside("content")
    if role == "tool":
        return "tool_call_id" in message.fields
    parts = content.items()
    is_content = isinstance(content.value, str) or (parts and all(one.text("type") in _PARTS for one in parts))
    return role in _KINDS and bool("tool_calls" in message.fields or is_content)


def _recognizes(records: Sequence[Record]) -> bool:
    messages = [message for record in records for message in messages_of(record, "messages")]
    of_tools = [one for one in messages if "tool_calls" in one.fields or one.get("role") == "tool"]
    return any(map(_is_message, of_tools)) if of_tools else bool(messages) and all(map(_is_message, messages))


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


OPENAI_CHAT = Format(
    name="openai-chat",
    recognizes=_recognizes,
    sessions=sessions_of("messages", each(_said)),
    providers=("openai-chat",),
    document="https://platform.openai.com/docs/api-reference/chat",
)
