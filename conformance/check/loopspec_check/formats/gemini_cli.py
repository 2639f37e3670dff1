"""Sessions of the Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, in earlier versions `.json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..history import Entry, Format, Kind, Record, Session
from ..values import Object, mapping, parts_of, text
from .entries import call, done_unless, result, said, status_of
from .lists import placed

_KINDS: dict[str, Kind] = {"user": "user", "gemini": "answer"}


def _recognizes(values: Sequence[object]) -> bool:
    return any({"sessionId", "projectHash"} <= mapping(value).keys() for value in values)


def _messages(records: Iterator[Record]) -> dict[str, Record]:
    """The last state of each message: a line adds or repeats a message, replaces all, or removes the latest ones."""
    found: dict[str, Record] = {}
    for record in records:
        value = mapping(record.value)
        update = mapping(value.get("$set"))
        if "$rewindTo" in value:
            ids = [*found]
            end = ids.index(to) if (to := text(value["$rewindTo"])) in found else 0
            found = {key: found[key] for key in ids[:end]}
        elif key := text(value.get("id")):
            found[key] = record
        elif "messages" in update:
            found = {}
        for at, message in parts_of(update, "messages", ("$set",)) or parts_of(value, "messages"):
            if key := text(message.get("id")):
                found[key] = Record(message, record.line, at)
    return found


def _entries(records: Iterator[Record]) -> Iterator[Entry]:
    """The result of a call is stored with the call, and once more in the user message that follows."""
    stored = set[str]()
    for number, record in enumerate(_messages(records).values(), 1):
        yield from placed(_said(mapping(record.value), stored), record, number)


def _said(message: Object, stored: set[str]) -> Iterator[Entry]:
    """The entries of a message. `stored` are the ids of the results that were stored with their calls."""
    kind, parts = _KINDS.get(text(message.get("type"))), parts_of(message, "content")
    for at, part in parts:
        one = mapping(part.get("functionResponse"))
        response, key = one.get("response"), text(one.get("id"))
        if one and key not in stored:
            yield result(key, one.get("name"), response, at, done_unless("error" in mapping(response)))
        stored.discard(key)
    content = text(message.get("content"))
    content = content or "".join(text(part.get("text")) for _, part in parts if not part.get("thought"))
    if content and kind is not None:
        yield said(kind, content)
    calls = [(at, mapping(part["functionCall"])) for at, part in parts if "functionCall" in part]
    for at, one in calls:
        yield call(one.get("id"), one.get("name"), one.get("args"), at)
    ids = [one.get("id") for _, one in calls]
    for at, one in parts_of(message, "toolCalls"):
        key, name, status = text(one.get("id")), one.get("name"), one.get("status")
        if key not in ids:
            yield call(key, name, one.get("args"), at, "waits" if status == "awaiting_approval" else "")
        if one.get("result"):
            stored.add(key)
            yield result(key, name, one["result"], at, status_of(status))


GEMINI_CLI = Format(
    name="gemini-cli",
    recognizes=_recognizes,
    sessions=lambda records: iter([Session(_entries(records))]),
    providers=("gemini",),
    document="https://github.com/google-gemini/gemini-cli/blob/v0.61.0/packages/core/src/services/chatRecordingTypes.ts",
)
