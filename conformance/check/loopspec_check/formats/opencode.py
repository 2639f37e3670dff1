"""Sessions of opencode: its database, the JSON files of earlier versions below `storage`, and `opencode export`."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from ..history import Entry, Format, Kind, Record, Session
from ..values import Keys, Object, decoded, inside, items, mapping, parts_of, text
from .entries import call, result, said, status_of
from .lists import placed

_NOT_SENT = {"step-start", "step-finish", "snapshot", "patch", "retry"}


def _recognizes(values: Sequence[object]) -> bool:
    exported = [mapping(value) for value in values if inside(value, "info", "id")]
    return any("parts" in message for value in exported for _, message in parts_of(value, "messages"))


def _exported(records: Iterator[Record]) -> Iterator[Session]:
    for record in records:
        info = mapping(inside(record.value, "info"))
        messages = [message for _, message in parts_of(mapping(record.value), "messages")]
        yield Session(_entries(info, messages, record.line), text(info.get("id")))


def _entries(session: Object, messages: Sequence[Object], line: int = 1) -> Iterator[Entry]:
    """What the next request contains: what the last summary left, up to the message that was reverted to."""
    infos = [mapping(message.get("info")) for message in messages]
    places = {text(info.get("id")): place for place, info in enumerate(infos) if info.get("id")}
    begin, end = 0, places.get(text(inside(session, "revert", "messageID")), len(messages))
    for place, info in enumerate(infos[:end]):
        if info.get("summary") is True and info.get("finish") and not info.get("error"):
            begin = places.get(text(info.get("parentID")), place)
            for part in items(messages[begin].get("parts")):
                begin = places.get(text(inside(part, "tail_start_id")), begin)
    for place in range(begin, end):
        yield from placed(_said(infos[place], messages[place]), Record(None, line, ("messages", place)), place + 1)


def _said(info: Object, message: Object) -> Sequence[Entry]:
    """The entries of a message. An answer with an error is not sent, unless it was stopped and has contents."""
    parts = parts_of(message, "parts")
    types = {text(part.get("type")) for _, part in parts if part.get("ignored") is not True} - _NOT_SENT
    error = inside(info, "error", "name")
    if not types or (error and (error != "MessageAbortedError" or types == {"reasoning"})):
        return ()
    own: Kind = "user" if info.get("role") == "user" else "summary" if info.get("summary") is True else "answer"
    return [entry for at, part in parts for entry in _part(part, own, at)] or [said(own)]


def _part(part: Object, own: Kind, at: Keys) -> Iterator[Entry]:
    """The entries of a part: a call and its result have one part."""
    sort, state = text(part.get("type")), mapping(part.get("state"))
    if sort == "tool":
        key, name = part.get("callID"), part.get("tool")
        yield call(key, name, state.get("input"), at)
        if status := status_of(state.get("status")):
            yield result(key, name, state.get("output", state.get("error")), at, status)
    elif sort in ("text", "reasoning"):
        if part.get("text") and part.get("ignored") is not True:
            yield said(own if sort == "text" else "thought", part["text"], at)
    elif sort not in _NOT_SENT:
        yield said(own, sort, at)


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
    try:
        yield from _of_rows(path)
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error)) from None


def _of_rows(path: Path) -> Iterator[Session]:
    rows = "SELECT id, data FROM {} WHERE {} = ? ORDER BY time_created, id"
    with closing(_opened(path)) as database:
        for session, revert in database.execute("SELECT id, revert FROM session ORDER BY time_created").fetchall():
            messages: list[Object] = []
            for key, data in database.execute(rows.format("message", "session_id"), [session]).fetchall():
                parts = [_value(part) for _, part in database.execute(rows.format("part", "message_id"), [key])]
                messages.append({"info": {**mapping(_value(data)), "id": key}, "parts": parts})
            yield Session(_entries({"revert": _value(revert)}, messages), session)


def _of_files(storage: Path) -> Iterator[Session]:
    for folder in sorted((storage / "message").iterdir()):
        [session, *_] = [*_values(storage, f"session/*/{folder.name}.json"), None]
        messages = [
            {"info": _value(path.read_bytes()), "parts": _values(storage, f"part/{path.stem}/*.json")}
            for path in sorted(folder.glob("*.json"))
        ]
        yield Session(_entries(mapping(session), messages), folder.name)


def _values(folder: Path, pattern: str) -> list[object]:
    return [_value(path.read_bytes()) for path in sorted(folder.glob(pattern))]


def _value(data: str | bytes | None) -> object:
    """What a row or a file contains; None if it is no JSON."""
    value = decoded(data if isinstance(data, str) else (data or b"null").decode("utf-8", "replace"))
    return None if isinstance(value, str) else value


OPENCODE = Format(
    name="opencode",
    recognizes=_recognizes,
    sessions=_exported,
    store=_store,
    document="https://github.com/anomalyco/opencode/blob/v1.18.33/packages/opencode/src/session/message-v2.ts",
    repair='opencode 1.18.33 sends the failed result "[Tool execution was interrupted]" for the call',
)
