"""Messages of the interface of Anthropic: each has a role and, as its content, a text or a list of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..history import Entry, Format, Keys, Kind, Status, decoded, items, mapping, text
from .lists import Place, messages_of, own_results, sessions_of, text_of

_KINDS: dict[str, Kind] = {"system": "system", "user": "user", "assistant": "answer"}
_OTHER: dict[str, Kind] = {"thinking": "thought", "redacted_thinking": "thought", "compaction": "summary"}
_MARKS = {"tool_use", "tool_result", "server_tool_use", "mcp_tool_use", *_OTHER}


def _recognizes(values: Sequence[object]) -> bool:
    messages = [mapping(message) for value in values for message in messages_of(value, "messages")]
    roles = {text(message.get("role")) for message in messages}
    if any("tool_calls" in message for message in messages) or not roles <= _KINDS.keys():
        return False
    blocks = [(message.get("role"), mapping(block)) for message in messages for block in items(message.get("content"))]
    kinds = {(text(role), text(block.get("type"))) for role, block in blocks}
    return ("assistant", "text") in kinds or any(what in _MARKS for _, what in kinds)


def _entries(places: Iterable[Place], request: Mapping[str, object]) -> Iterator[Entry]:
    is_part = "previous_message_id" in mapping(request.get("thread"))
    return own_results(_numbered(places), is_part=is_part)


def _numbered(places: Iterable[Place]) -> Iterator[Entry]:
    """What an assistant says in messages that follow each other is one answer."""
    number, before = 0, ""
    for place, (value, line, at) in enumerate(places, 1):
        role = text(mapping(value).get("role"))
        if (role, before) != ("assistant", "assistant"):
            number = place
        before = role
        yield from entries_of(value, number, line, at)


def entries_of(value: object, number: int, line: int, at: Keys) -> Iterator[Entry]:
    """The entries of a message: one for each block."""
    message = mapping(value)
    kind, content = _KINDS.get(text(message.get("role"))), message.get("content")
    if kind is None:
        return
    if not content or not isinstance(content, list):
        yield Entry(kind=kind, message=number, line=line, at=at, content=text(content))
    for place, block in enumerate(items(content)):
        if isinstance(block, dict):
            yield _entry(block, kind, number, line, (*at, "content", place))


def _entry(block: Mapping[str, object], kind: Kind, number: int, line: int, at: Keys) -> Entry:
    what, call, name = text(block.get("type")), "", ""
    status: Status = ""
    content: object = block
    if what == "tool_use":
        kind, call, name, content = "call", text(block.get("id")), text(block.get("name")), decoded(block.get("input"))
    elif what == "tool_result":
        kind, call, content = "result", text(block.get("tool_use_id")), text_of(block.get("content"))
        status = "failed" if block.get("is_error") else "done"
    elif what == "text":
        content = text(block.get("text"))
    elif what in _OTHER:
        kind, status = _OTHER[what], "unsigned" if what == "thinking" and not block.get("signature") else ""
    return Entry(kind=kind, message=number, line=line, at=at, id=call, name=name, content=content, status=status)


ANTHROPIC = Format(
    name="anthropic",
    title="Anthropic messages",
    recognizes=_recognizes,
    sessions=lambda records: sessions_of(records, "messages", _entries),
    providers=("anthropic",),
    document="https://platform.claude.com/docs/en/api/messages",
)
