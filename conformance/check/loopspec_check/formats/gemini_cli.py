"""Sessions of the Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, in earlier versions `.json`."""

from __future__ import annotations

from collections.abc import Iterator

from ..history import Entry, Format, Kind, Session, call, done_unless, result, said, status_of
from ..values import Record

_KINDS: dict[str, Kind] = {"user": "user", "gemini": "answer"}


def _messages(records: Iterator[Record]) -> dict[str, Record]:
    """The last state of each message: a line adds or repeats a message, replaces all, or removes the latest ones."""
    found: dict[str, Record] = {}
    for record in records:
        update, to = record.inside("$set"), record.text("$rewindTo")
        if "$rewindTo" in record.fields:
            ids = [*found]
            found = {key: found[key] for key in ids[: ids.index(to) if to in found else 0]}
        if "messages" in update.fields:
            found = {}
        for message in (record, *record.parts("messages"), *update.parts("messages")):
            if key := message.text("id"):
                found[key] = message
    return found


def _sessions(records: Iterator[Record]) -> Iterator[Session]:
    stored = set[str]()
    yield Session(_said(message, stored) for message in _messages(records).values())


def _said(message: Record, stored: set[str]) -> Iterator[Entry]:
    """The entries of a message. `stored` are the ids of results with calls: the next user message repeats them."""
    kind, parts = _KINDS.get(message.text("type")), message.parts("content")
    for part in parts:
        one = part.inside("functionResponse")
        if one.fields and one.text("id") not in stored:
            failed = "error" in one.inside("response").fields
            yield result(part, one.get("id"), one.get("name"), one.get("response"), done_unless(failed))
        stored.discard(one.text("id"))
    content = message.text("content") or "".join(part.text("text") for part in parts if not part.get("thought"))
    if content and kind is not None:
        yield said(message, kind, content)
    calls = [(part, part.inside("functionCall")) for part in parts if "functionCall" in part.fields]
    for part, one in calls:
        yield call(part, one.get("id"), one.get("name"), one.get("args"))
    ids = [one.get("id") for _, one in calls]
    for one in message.parts("toolCalls"):
        key, name, state = one.text("id"), one.get("name"), one.text("status")
        if key not in ids:
            yield call(one, key, name, one.get("args"), "waits" if state == "awaiting_approval" else "")
        if one.get("result"):
            stored.add(key)
            yield result(one, key, name, one.get("result"), status_of(state))


FORMAT = Format("gemini-cli", lambda record: {"sessionId", "projectHash"} <= record.fields.keys(), _sessions)
