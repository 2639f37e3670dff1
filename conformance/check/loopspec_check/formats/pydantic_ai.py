"""Messages of Pydantic AI, requests and responses with parts, as its `ModelMessagesTypeAdapter` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from ..history import Entry, Format, Keys, Kind, Status, decoded, items, mapping, text
from .lists import Place, messages_of, sessions_of

_KINDS: dict[tuple[str, str], Kind] = {
    ("request", "system-prompt"): "system",
    ("request", "user-prompt"): "user",
    ("request", "retry-feedback"): "user",
    ("request", "retry-prompt"): "user",  # with the name of a tool it is a result
    ("request", "compaction"): "user",
    ("request", "tool-return"): "result",
    ("response", "text"): "answer",
    ("response", "file"): "answer",
    ("response", "speech"): "answer",
    ("response", "builtin-tool-call"): "answer",
    ("response", "builtin-tool-return"): "answer",
    ("response", "thinking"): "thought",
    ("response", "compaction"): "summary",
    ("response", "tool-call"): "call",
}
_WITH_CONTENT = ("text", "user-prompt", "tool-return", "retry-prompt")


def _recognizes(values: Sequence[object]) -> bool:
    messages = (mapping(message) for value in values for message in messages_of(value, "messages"))
    return any(message.get("kind") in ("request", "response") and "parts" in message for message in messages)


def _entries(places: Iterable[Place], _: Mapping[str, object]) -> Iterator[Entry]:
    """Requests that follow each other are sent as one, with the results first."""
    number = 0
    for is_request, group in groupby(places, lambda place: mapping(place[0]).get("kind") == "request"):
        requested: list[Entry] = []
        number += is_request
        for value, line, at in group:
            number += not is_request
            entries = _message(mapping(value), number, line, at)
            if is_request:
                requested += entries
            else:
                yield from entries
        yield from sorted(requested, key=lambda entry: entry.kind != "result")


def _message(message: Mapping[str, object], number: int, line: int, at: Keys) -> Iterator[Entry]:
    """The entries of a message, without what the library does not send: empty texts, and thoughts of other models."""
    form = text(message.get("kind"))
    for place, value in enumerate(items(message.get("parts"))):
        part = mapping(value)
        what, name = text(part.get("part_kind")), text(part.get("tool_name"))
        kind = "result" if what == "retry-prompt" and name else _KINDS.get((form, what))
        content = part.get("content") if what in _WITH_CONTENT else part
        is_sent = content or kind != "answer"
        if kind == "thought":
            is_sent = part.get("signature") or text(part.get("id")).startswith("rs_")
        if kind is None or not is_sent:
            continue
        status: Status = ""
        if kind == "call":
            given = decoded(part.get("args"))
            content = given if isinstance(given, dict) else {"INVALID_JSON": given}  # as the request has it
        elif kind == "result":
            status = "done" if part.get("outcome", what) in ("success", "tool-return") else "failed"
        yield Entry(
            kind=kind,
            message=number,
            line=line,
            at=(*at, "parts", place),
            id=text(part.get("tool_call_id")) if kind in ("call", "result") else "",
            name=name,
            content=content,
            status=status,
            run=text(message.get("run_id")) if form == "response" else "",
        )


PYDANTIC_AI = Format(
    name="pydantic-ai",
    title="Pydantic AI messages",
    recognizes=_recognizes,
    sessions=lambda records: sessions_of(records, "messages", _entries),
    document="https://pydantic.dev/docs/ai/core-concepts/message-history/",
)
