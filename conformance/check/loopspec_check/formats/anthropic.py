"""Messages of the interface of Anthropic: each has a role and, as its content, a text or a list of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..history import ROLES, Entry, Format, Kind, call, done_unless, joined, result, said, sessions_of
from ..values import Record, text, text_of

_OTHER: dict[str, Kind] = {"thinking": "thought", "redacted_thinking": "thought", "compaction": "summary"}
_BY_PROVIDER = {"server_tool_use", "mcp_tool_use"}
_MARKS = {"tool_use", "tool_result", *_BY_PROVIDER, *_OTHER}


def _recognizes(message: Record) -> bool:
    is_message = "tool_calls" not in message.fields and message.text("role") in ROLES
    return is_message and any(block.text("type") in _MARKS for block in message.parts("content"))


def _accepts(messages: Sequence[Record]) -> bool:
    answers = [message for message in messages if message.get("role") == "assistant"]
    return any(block.get("type") == "text" for message in answers for block in message.parts("content"))


def entries_of(message: Record) -> Iterator[Entry]:
    """The entries of a message: one for each block."""
    kind, content = ROLES.get(message.text("role")), message.get("content")
    if kind is None:
        return
    if not content or not isinstance(content, list):
        yield said(message, kind, text(content))
    for block in message.parts("content"):
        what, key, name = block.text("type"), block.get("tool_use_id"), block.text("name")
        if what == "tool_use":
            made = call(block, block.get("id"), name, {})
            made.content, made.fault = block.get("input"), "" if kind == "answer" else "CHECK-19"
            yield made
        elif what == "tool_result":
            fault, shown = "CHECK-19" if kind == "answer" else "", text_of(block.get("content"))
            yield result(block, key, "", shown, done_unless(block.get("is_error")), fault)
        elif what in _BY_PROVIDER and "code_execution" not in name:  # its results can follow much later
            yield call(block, block.get("id"), name, block.get("input"), "waits")
        elif what.endswith("_tool_result") and "code_execution" not in what:
            yield result(block, key, "", what)
        elif what == "text":
            yield said(block, kind, block.text("text"))
        else:
            is_unsigned = what == "thinking" and not block.get("signature")
            yield said(block, _OTHER.get(what, kind), block.value, "CHECK-16" if is_unsigned else "")


_messages = joined(entries_of, lambda message: message.get("role") == "assistant")
_sessions = sessions_of("messages", _messages, lambda request: request.get("thread", "previous_message_id"))
FORMAT = Format("anthropic", _recognizes, _sessions, _accepts)
