"""Sessions of opencode: its database, the JSON files of earlier versions below `storage`, and `opencode export`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from ..history import Entry, Format, Kind, Record, Session, Status, items, mapping, text

_STATUS: dict[str, Status] = {"completed": "done", "error": "failed"}
_NOT_SENT = {"step-start", "step-finish", "snapshot", "patch", "retry"}
_Object = Mapping[str, object]


def _recognizes(values: Sequence[object]) -> bool:
    exported = [value for value in map(mapping, values) if mapping(value.get("info")).get("id")]
    return any("parts" in mapping(message) for value in exported for message in items(value.get("messages")))


def _exported(records: Iterator[Record]) -> Iterator[Session]:
    for record in records:
        info, messages = mapping(mapping(record.value).get("info")), items(mapping(record.value).get("messages"))
        yield Session(_entries(info, [mapping(message) for message in messages], record.line), text(info.get("id")))


def _entries(session: _Object, messages: Sequence[_Object], line: int = 1) -> Iterator[Entry]:
    """What the next request contains: what the last summary left, up to the message that was reverted to."""
    infos = [mapping(message.get("info")) for message in messages]
    places = {text(info.get("id")): place for place, info in enumerate(infos) if info.get("id")}
    begin, end = 0, places.get(text(mapping(session.get("revert")).get("messageID")), len(messages))
    for place, info in enumerate(infos[:end]):
        if info.get("summary") is True and info.get("finish") and not info.get("error"):
            begin = places.get(text(info.get("parentID")), place)
            for part in items(messages[begin].get("parts")):
                begin = places.get(text(mapping(part).get("tail_start_id")), begin)
    for place in range(begin, end):
        yield from _message(infos[place], items(messages[place].get("parts")), place, line)


def _message(info: _Object, parts: Sequence[object], place: int, line: int) -> Iterator[Entry]:
    """The entries of a message. An answer with an error is not sent, unless it was stopped and has contents."""
    sent = [part for part in map(mapping, parts) if part.get("ignored") is not True]
    types = {text(part.get("type")) for part in sent} - _NOT_SENT
    error = mapping(info.get("error")).get("name")
    if not types or (error and (error != "MessageAbortedError" or types == {"reasoning"})):
        return
    own: Kind = "user" if info.get("role") == "user" else "summary" if info.get("summary") is True else "answer"
    found = [entry for number, part in enumerate(parts) for entry in _part(mapping(part), own, number)]
    for entry in found or [Entry(kind=own, message=1)]:
        at = ("messages", place, *entry.at)
        yield msgspec.structs.replace(entry, message=place + 1, line=line, at=at)


def _part(part: _Object, own: Kind, number: int) -> Iterator[Entry]:
    """The entries of a part: a call and its result have one part."""
    sort, state, at = text(part.get("type")), mapping(part.get("state")), ("parts", number)
    if sort == "tool":
        key, name = text(part.get("callID")), text(part.get("tool"))
        yield Entry(kind="call", message=1, at=at, id=key, name=name, content=state.get("input"))
        if status := _STATUS.get(text(state.get("status"))):
            result = state.get("output", state.get("error"))
            yield Entry(kind="result", message=1, at=at, id=key, name=name, content=result, status=status)
    elif sort in ("text", "reasoning"):
        if part.get("text") and part.get("ignored") is not True:
            yield Entry(kind=own if sort == "text" else "thought", message=1, at=at, content=part["text"])
    elif sort not in _NOT_SENT:
        yield Entry(kind=own, message=1, at=at, content=sort)


def _store(path: Path) -> Iterator[Session] | None:
    """The sessions of a database, of a folder that contains one, or of the folder `storage`."""
    databases = sorted(path.glob("opencode*.db")) if path.is_dir() else [path] if path.suffix == ".db" else []
    for database in filter(_is_database, databases):
        return _of_database(database)
    storage = path / "storage" if (path / "storage").is_dir() else path
    return _of_files(storage) if (storage / "message").is_dir() and (storage / "part").is_dir() else None


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _is_database(path: Path) -> bool:
    with suppress(sqlite3.Error), closing(_opened(path)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        return {"session", "message", "part"} <= names
    return False


def _of_database(path: Path) -> Iterator[Session]:
    rows = "SELECT id, data FROM {} WHERE {} = ? ORDER BY time_created, id"
    with closing(_opened(path)) as database:
        for session, revert in database.execute("SELECT id, revert FROM session ORDER BY time_created").fetchall():
            messages: list[_Object] = []
            for key, data in database.execute(rows.format("message", "session_id"), [session]).fetchall():
                parts = [_value(part) for _, part in database.execute(rows.format("part", "message_id"), [key])]
                messages.append({"info": {**dict(mapping(_value(data))), "id": key}, "parts": parts})
            yield Session(_entries({"revert": _value(revert)}, messages), session)


def _of_files(storage: Path) -> Iterator[Session]:
    for folder in sorted((storage / "message").iterdir()):
        sessions = [_value(path.read_bytes()) for path in storage.glob(f"session/*/{folder.name}.json")]
        messages = [
            {"info": _value(path.read_bytes()), "parts": [*_values(storage / "part" / path.stem)]}
            for path in sorted(folder.glob("*.json"))
        ]
        yield Session(_entries(mapping(next(iter(sessions), None)), messages), folder.name)


def _values(folder: Path) -> Iterator[object]:
    return (_value(path.read_bytes()) for path in sorted(folder.glob("*.json")))


def _value(data: str | bytes | None) -> object:
    try:
        return msgspec.json.decode(data or "null")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


OPENCODE = Format(
    name="opencode",
    title="opencode sessions",
    recognizes=_recognizes,
    sessions=_exported,
    store=_store,
    document="https://github.com/anomalyco/opencode/blob/v1.18.33/packages/opencode/src/session/message-v2.ts",
    repair='opencode 1.18.33 sends the failed result "[Tool execution was interrupted]" for the call',
)
