"""Messages of the interface of Anthropic: each has a role and, as its content, a text or a list of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..history import Entry, Format, Kind, Record
from ..values import Object, inside, parts_of, text, text_of
from .entries import call, done_unless, result, said
from .lists import each, messages_of, own_results, sessions_of

_KINDS: dict[str, Kind] = {"system": "system", "user": "user", "assistant": "answer"}
_OTHER: dict[str, Kind] = {"thinking": "thought", "redacted_thinking": "thought", "compaction": "summary"}
_MARKS = {"tool_use", "tool_result", "server_tool_use", "mcp_tool_use", *_OTHER}


def _recognizes(values: Sequence[object]) -> bool:
    messages = [*messages_of(values, "messages")]
    if any("tool_calls" in one or text(one.get("role")) not in ("", *_KINDS) for one in messages):
        return False
    kinds = {(one.get("role") == "assistant", text(block.get("type"))) for one in messages for block in _blocks(one)}
    return (True, "text") in kinds or any(what in _MARKS for _, what in kinds)


def entries_of(message: Object) -> Iterator[Entry]:
    """The entries of a message: one for each block."""
    kind, content = _KINDS.get(text(message.get("role"))), message.get("content")
    if kind is None:
        return
    if not content or not isinstance(content, list):
        yield said(kind, text(content))
    for at, block in parts_of(message, "content"):
        what = text(block.get("type"))
        if what == "tool_use":
            yield call(block.get("id"), block.get("name"), block.get("input"), at)
        elif what == "tool_result":
            content = text_of(block.get("content"))
            yield result(block.get("tool_use_id"), "", content, at, done_unless(block.get("is_error")))
        elif what == "text":
            yield said(kind, text(block.get("text")), at)
        else:
            is_unsigned = what == "thinking" and not block.get("signature")
            yield said(_OTHER.get(what, kind), block, at, "unsigned" if is_unsigned else "")


def _blocks(message: Object) -> Iterator[Object]:
    return (block for _, block in parts_of(message, "content"))


_each = each(entries_of, joined=lambda message: message.get("role") == "assistant")


def _entries(messages: Iterable[Record], request: Object) -> Iterator[Entry]:
    return own_results(_each(messages, {}), inside(request, "thread", "previous_message_id"))


ANTHROPIC = Format(
    name="anthropic",
    recognizes=_recognizes,
    sessions=sessions_of("messages", _entries),
    providers=("anthropic",),
    document="https://platform.claude.com/docs/en/api/messages",
)
