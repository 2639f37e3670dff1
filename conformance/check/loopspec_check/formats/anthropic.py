"""Messages of the interface of Anthropic: each has a role and, as its content, a text or a list of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..history import Entry, Format, Kind, call, done_unless, each, own_results, result, said, sessions_of
from ..values import Record, text, text_of

_KINDS: dict[str, Kind] = {"system": "system", "user": "user", "assistant": "answer"}
_OTHER: dict[str, Kind] = {"thinking": "thought", "redacted_thinking": "thought", "compaction": "summary"}
_MARKS = {"tool_use", "tool_result", "server_tool_use", "mcp_tool_use", *_OTHER}


def _recognizes(message: Record) -> bool:
    is_message = "tool_calls" not in message.fields and message.text("role") in _KINDS
    return is_message and any(block.text("type") in _MARKS for block in message.parts("content"))


def _accepts(messages: Sequence[Record]) -> bool:
    answers = [message for message in messages if message.get("role") == "assistant"]
    return any(block.get("type") == "text" for message in answers for block in message.parts("content"))


def entries_of(message: Record) -> Iterator[Entry]:
    """The entries of a message: one for each block."""
    kind, content = _KINDS.get(message.text("role")), message.get("content")
    if kind is None:
        return
    if not content or not isinstance(content, list):
        yield said(message, kind, text(content))
    for block in message.parts("content"):
        what = block.text("type")
        if what == "tool_use":
            yield call(block, block.get("id"), block.get("name"), block.get("input"))
        elif what == "tool_result":
            content = text_of(block.get("content"))
            yield result(block, block.get("tool_use_id"), "", content, done_unless(block.get("is_error")))
        elif what == "text":
            yield said(block, kind, block.text("text"))
        else:
            is_unsigned = what == "thinking" and not block.get("signature")
            yield said(block, _OTHER.get(what, kind), block.value, "unsigned" if is_unsigned else "")


_each = each(entries_of, joined=lambda message: message.get("role") == "assistant")


def _entries(messages: Iterable[Record], request: Record) -> Iterator[Entry]:
    return own_results(_each(messages, request), request.get("thread", "previous_message_id"))


ANTHROPIC = Format("anthropic", _recognizes, sessions_of("messages", _entries), accepts=_accepts)
