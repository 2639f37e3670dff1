"""Messages of the chat interface of OpenAI, which many libraries and providers use: `{"role": …, "tool_calls": …}`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..history import Entry, Format, Kind
from ..values import Object, inside, items, mapping, parts_of, text, text_of
from .entries import call, result, said
from .lists import each, messages_of, sessions_of

_KINDS: dict[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_PARTS = {"text", "image_url", "input_audio", "file", "refusal"}


def _is_message(message: Object) -> bool:
    role, content = text(message.get("role")), message.get("content")
    if role == "tool":
        return "tool_call_id" in message
    is_content = isinstance(content, str) or all(text(inside(one, "type")) in _PARTS for one in items(content) or [0])
    return role in _KINDS and ("tool_calls" in message or is_content)


def _recognizes(values: Sequence[object]) -> bool:
    messages = [*messages_of(values, "messages")]
    of_tools = [one for one in messages if "tool_calls" in one or one.get("role") == "tool"]
    return any(map(_is_message, of_tools)) if of_tools else bool(messages) and all(map(_is_message, messages))


def _said(message: Object) -> Iterator[Entry]:
    role, content = text(message.get("role")), text_of(message.get("content"))
    if role in ("tool", "function"):
        yield result(message.get("tool_call_id"), message.get("name") or message.get("tool_name"), content)
        return
    calls = parts_of(message, "tool_calls")
    if old := mapping(message.get("function_call")):
        calls.append((("function_call",), {"function": old}))
    if role in _KINDS and (content or not calls):
        yield said(_KINDS[role], content or message.get("refusal") or message.get("audio") or "")
    for at, one in calls:
        custom, function = mapping(one.get("custom")), mapping(one.get("function"))
        yield call(one.get("id"), (custom or function).get("name"), custom or function.get("arguments"), at)


OPENAI_CHAT = Format(
    name="openai-chat",
    recognizes=_recognizes,
    sessions=sessions_of("messages", each(_said)),
    providers=("openai-chat",),
    document="https://platform.openai.com/docs/api-reference/chat",
)
