"""Messages of Pydantic AI, requests and responses with parts, as its `ModelMessagesTypeAdapter` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from ..history import Entry, Format, Kind, Message, call, done_unless, in_run, result, said, sessions_of
from ..values import Record, decoded

_OF_USER = ("user-prompt", "retry-feedback", "retry-prompt", "compaction")
_OF_ANSWER = ("text", "file", "speech", "builtin-tool-call", "builtin-tool-return")
_OTHER: dict[str, Kind] = {"thinking": "thought", "compaction": "summary", "tool-call": "call"}
_KINDS: dict[str, dict[str, Kind]] = {
    "request": {"system-prompt": "system", "tool-return": "result", **dict.fromkeys(_OF_USER, "user")},
    "response": {**_OTHER, **dict.fromkeys(_OF_ANSWER, "answer")},
}
_WITH_CONTENT = ("text", "user-prompt", "tool-return", "retry-prompt")


def _recognizes(message: Record) -> bool:
    return message.text("kind") in _KINDS and "parts" in message.fields


def _messages(messages: Iterable[Record]) -> Iterator[Message]:
    """Requests that follow each other are sent as one, with the results first."""
    for is_request, group in groupby(messages, lambda message: message.get("kind") == "request"):
        if is_request:
            requested = chain.from_iterable(map(_said, group))
            yield sorted(requested, key=lambda entry: entry.kind != "result")
        else:
            yield from (in_run(message.text("run_id"), _said(message)) for message in group)


def _said(message: Record) -> Iterator[Entry]:
    """The entries of a message, without what the library does not send: empty texts, and thoughts of other models."""
    kinds = _KINDS.get(message.text("kind"), {})
    for part in message.parts("parts"):
        what, name, key = part.text("part_kind"), part.text("tool_name"), part.get("tool_call_id")
        kind = kinds.get(what)
        content = part.get("content") if what in _WITH_CONTENT else part.value
        if kind == "call":
            given = decoded(part.get("args"))
            yield call(part, key, name, given if isinstance(given, dict) else {"INVALID_JSON": given})  # as it is sent
        elif kind == "result" or (what == "retry-prompt" and name):
            succeeded = part.fields.get("outcome", what) in ("success", "tool-return")
            yield result(part, key, name, content, done_unless(not succeeded))
        elif kind == "thought":
            if part.get("signature") or part.text("id").startswith("rs_"):
                yield said(part, kind, content)
        elif kind is not None and (content or kind != "answer"):
            yield said(part, kind, content)


FORMAT = Format("pydantic-ai", _recognizes, sessions_of("messages", _messages))
