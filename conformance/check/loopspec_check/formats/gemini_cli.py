"""Sessions of the Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, in earlier versions `.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..history import Entry, Format, Keys, Kind, Record, Session, Status, decoded, items, mapping, text

_KINDS: dict[str, Kind] = {"user": "user", "gemini": "answer"}
_STATUS: dict[str, Status] = {"success": "done", "error": "failed", "cancelled": "failed"}


def _recognizes(values: Sequence[object]) -> bool:
    return any("sessionId" in mapping(value) and "projectHash" in mapping(value) for value in values)


def _messages(records: Iterator[Record]) -> dict[str, tuple[Mapping[str, object], int, Keys]]:
    """The last state of each message: a line adds or repeats a message, replaces all, or removes the latest ones."""
    found: dict[str, tuple[Mapping[str, object], int, Keys]] = {}
    for record in records:
        value = mapping(record.value)
        keys: Keys = ()
        if "$rewindTo" in value:
            ids = [*found]
            end = ids.index(to) if (to := text(value["$rewindTo"])) in found else 0
            found = {key: found[key] for key in ids[:end]}
        elif key := text(value.get("id")):
            found[key] = (value, record.line, ())
        elif "messages" in (update := mapping(value.get("$set"))):
            value, keys, found = update, ("$set",), {}
        for place, message in enumerate(items(value.get("messages"))):
            if key := text(mapping(message).get("id")):
                found[key] = (mapping(message), record.line, (*keys, "messages", place))
    return found


def _entries(records: Iterator[Record]) -> Iterator[Entry]:
    """The result of a call is stored with the call, and once more in the user message that follows."""
    stored = set[str]()
    for number, (message, line, keys) in enumerate(_messages(records).values(), 1):
        content, kind = message.get("content"), _KINDS.get(text(message.get("type")))
        parts = [(mapping(part), (*keys, "content", place)) for place, part in enumerate(items(content))]
        for part, at in parts:
            response = mapping(part.get("functionResponse"))
            if response and text(response.get("id")) not in stored:
                status: Status = "failed" if "error" in mapping(response.get("response")) else "done"
                yield _entry("result", number, line, at, response, response.get("response"), status)
            stored.discard(text(response.get("id")))
        said = text(content) or "".join(text(part.get("text")) for part, _ in parts if not part.get("thought"))
        if said and kind is not None:
            yield Entry(kind=kind, message=number, line=line, at=keys, content=said)
        calls = [(mapping(part["functionCall"]), at) for part, at in parts if "functionCall" in part]
        ids = [call.get("id") for call, _ in calls]
        for call, at in calls:
            yield _entry("call", number, line, at, call, decoded(call.get("args")))
        for place, value in enumerate(items(message.get("toolCalls"))):
            call, at = mapping(value), (*keys, "toolCalls", place)
            if call.get("id") not in ids:
                waits: Status = "waits" if call.get("status") == "awaiting_approval" else ""
                yield _entry("call", number, line, at, call, decoded(call.get("args")), waits)
            if call.get("result"):
                stored.add(text(call.get("id")))
                status = _STATUS.get(text(call.get("status")), "")
                yield _entry("result", number, line, at, call, call["result"], status)


def _entry(
    kind: Kind, number: int, line: int, at: Keys, call: Mapping[str, object], content: object, status: Status = ""
) -> Entry:
    key, name = text(call.get("id")), text(call.get("name"))
    return Entry(kind=kind, message=number, line=line, at=at, id=key, name=name, content=content, status=status)


GEMINI_CLI = Format(
    name="gemini-cli",
    title="Gemini CLI sessions",
    recognizes=_recognizes,
    sessions=lambda records: iter([Session(_entries(records))]),
    providers=("gemini",),
    document="https://github.com/google-gemini/gemini-cli/blob/v0.61.0/packages/core/src/services/chatRecordingTypes.ts",
)
