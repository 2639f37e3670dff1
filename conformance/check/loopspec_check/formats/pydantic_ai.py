"""Messages of Pydantic AI, requests and responses with parts, as its `ModelMessagesTypeAdapter` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ..history import Entry, Format, Kind, Record
from ..values import Object, decoded, inside, mapping, parts_of, text
from .entries import call, done_unless, result, said
from .lists import placed, recognized_by, sessions_of

_REQUEST: dict[str, Kind] = {
    "system-prompt": "system",
    **dict.fromkeys(("user-prompt", "retry-feedback", "retry-prompt", "compaction"), "user"),
    "tool-return": "result",
}
_RESPONSE: dict[str, Kind] = {
    **dict.fromkeys(("text", "file", "speech", "builtin-tool-call", "builtin-tool-return"), "answer"),
    "thinking": "thought",
    "compaction": "summary",
    "tool-call": "call",
}
_KINDS = {"request": _REQUEST, "response": _RESPONSE}
_WITH_CONTENT = ("text", "user-prompt", "tool-return", "retry-prompt")


def _is_message(message: Object) -> bool:
    return text(message.get("kind")) in _KINDS and "parts" in message


def _entries(records: Iterable[Record], _: Object) -> Iterator[Entry]:
    """Requests that follow each other are sent as one, with the results first."""
    number = 0
    for is_request, group in groupby(records, lambda one: inside(one.value, "kind") == "request"):
        requested: list[Entry] = []
        number += is_request
        for record in group:
            number += not is_request
            message = mapping(record.value)
            run = text(message.get("run_id")) if message.get("kind") == "response" else ""
            entries = placed(_said(message), record, number, run)
            if is_request:
                requested += entries
            else:
                yield from entries
        yield from sorted(requested, key=lambda entry: entry.kind != "result")


def _said(message: Object) -> Iterator[Entry]:
    """The entries of a message, without what the library does not send: empty texts, and thoughts of other models."""
    kinds = _KINDS.get(text(message.get("kind")), {})
    for at, part in parts_of(message, "parts"):
        what, name, key = text(part.get("part_kind")), text(part.get("tool_name")), part.get("tool_call_id")
        kind = kinds.get(what)
        content = part.get("content") if what in _WITH_CONTENT else part
        if kind == "call":
            given = decoded(part.get("args"))
            yield call(key, name, given if isinstance(given, dict) else {"INVALID_JSON": given}, at)  # as it is sent
        elif kind == "result" or (what == "retry-prompt" and name):
            succeeded = part.get("outcome", what) in ("success", "tool-return")
            yield result(key, name, content, at, done_unless(not succeeded))
        elif kind == "thought":
            if part.get("signature") or text(part.get("id")).startswith("rs_"):
                yield said(kind, part, at)
        elif kind is not None and (content or kind != "answer"):
            yield said(kind, content, at)


PYDANTIC_AI = Format(
    name="pydantic-ai",
    recognizes=recognized_by("messages", _is_message),
    sessions=sessions_of("messages", _entries),
    document="https://pydantic.dev/docs/ai/core-concepts/message-history/",
)
