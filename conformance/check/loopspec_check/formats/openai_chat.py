"""Messages of the chat interface of OpenAI, which many libraries and providers use: `{"role": …, "tool_calls": …}`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..history import Entry, Format, Keys, Kind, decoded, items, mapping, text
from .lists import Place, messages_of, sessions_of, text_of

_KINDS: dict[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_PARTS = {"text", "image_url", "input_audio", "file", "refusal"}


def _is_message(value: object) -> bool:
    message = mapping(value)
    role, content = text(message.get("role")), message.get("content")
    if role == "tool":
        return "tool_call_id" in message
    is_content = isinstance(content, str) or all(
        text(mapping(part).get("type")) in _PARTS for part in items(content) or [0]
    )
    return role in _KINDS and ("tool_calls" in message or is_content)


def _recognizes(values: Sequence[object]) -> bool:
    messages = [message for value in values for message in messages_of(value, "messages")]
    of_tools = [one for one in messages if "tool_calls" in mapping(one) or mapping(one).get("role") == "tool"]
    return bool(messages) and (any if of_tools else all)(_is_message(message) for message in of_tools or messages)


def _entries(places: Iterable[Place], request: Mapping[str, object]) -> Iterator[Entry]:
    for number, (value, line, at) in enumerate(places, 1):
        yield from _message(mapping(value), number, line, at)


def _message(message: Mapping[str, object], number: int, line: int, at: Keys) -> Iterator[Entry]:
    role, content = text(message.get("role")), text_of(message.get("content"))
    if role in ("tool", "function"):
        call, name = text(message.get("tool_call_id")), text(message.get("name") or message.get("tool_name"))
        yield Entry(kind="result", message=number, line=line, at=at, id=call, name=name, content=content)
        return
    calls = [((*at, "tool_calls", place), mapping(one)) for place, one in enumerate(items(message.get("tool_calls")))]
    if old := mapping(message.get("function_call")):
        calls.append(((*at, "function_call"), {"function": old}))
    if role in _KINDS and (content or not calls):
        content = content or message.get("refusal") or message.get("audio") or ""
        yield Entry(kind=_KINDS[role], message=number, line=line, at=at, content=content)
    for keys, one in calls:
        custom, function = mapping(one.get("custom")), mapping(one.get("function"))
        yield Entry(
            kind="call",
            message=number,
            line=line,
            at=keys,
            id=text(one.get("id")),
            name=text((custom or function).get("name")),
            content=custom or decoded(function.get("arguments")),
        )


OPENAI_CHAT = Format(
    name="openai-chat",
    title="OpenAI chat messages",
    recognizes=_recognizes,
    sessions=lambda records: sessions_of(records, "messages", _entries),
    providers=("openai-chat",),
    document="https://platform.openai.com/docs/api-reference/chat",
)
