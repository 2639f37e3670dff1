"""Sessions of opencode: its database, the JSON files of earlier versions below `storage`, and `opencode export`."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ..history import Entry, Format, Kind, Message, Session, call, result, said, status_of
from ..values import Record, decoded

_NOT_SENT = {"step-start", "step-finish", "snapshot", "patch", "retry"}


def _recognizes(record: Record) -> bool:
    return bool(record.get("info", "id")) and any("parts" in message.fields for message in record.parts("messages"))


def _sessions(exports: Iterator[Record]) -> Iterator[Session]:
    return (Session(_messages(one), one.text("info", "id")) for one in exports)


def _messages(session: Record) -> Iterator[Message]:
    """What the next request contains: what the last summary left, up to the message that was reverted to."""
    messages = session.parts("messages")
    places = {key: place for place, message in enumerate(messages) if (key := message.text("info", "id"))}
    begin, end = 0, places.get(session.text("info", "revert", "messageID"), len(messages))
    for place, message in enumerate(messages[:end]):
        info = message.inside("info")
        if info.get("summary") is True and info.get("finish") and not info.get("error"):
            begin = places.get(info.text("parentID"), place)
            for part in messages[begin].parts("parts"):
                begin = places.get(part.text("tail_start_id"), begin)
    yield from ((),) * begin
    yield from map(_said, messages[begin:end])


def _said(message: Record) -> Sequence[Entry]:
    """The entries of a message. An answer with an error is not sent, unless it was stopped and has contents."""
    info, parts = message.inside("info"), message.parts("parts")
    types = {part.text("type") for part in parts if part.get("ignored") is not True} - _NOT_SENT
    error = info.get("error", "name")
    if not types or (error and (error != "MessageAbortedError" or types == {"reasoning"})):
        return ()
    own: Kind = "user" if info.get("role") == "user" else "summary" if info.get("summary") is True else "answer"
    return [entry for part in parts for entry in _part(part, own)] or [said(message, own)]


def _part(part: Record, own: Kind) -> Iterator[Entry]:
    """The entries of a part: a call and its result have one part."""
    what, state = part.text("type"), part.inside("state")
    if what == "tool":
        key, name = part.get("callID"), part.get("tool")
        yield call(part, key, name, state.get("input"))
        if status := status_of(state.text("status")):
            yield result(part, key, name, state.fields.get("output", state.get("error")), status)
    elif what in ("text", "reasoning"):
        if part.get("text") and part.get("ignored") is not True:
            yield said(part, own if what == "text" else "thought", part.get("text"))
    elif what not in _NOT_SENT:
        yield said(part, own, what)


def stored(path: Path) -> Iterator[Record] | None:
    """The sessions of a database, of a folder with one, or of the folder `storage`, like exports. None: of nothing."""
    databases = sorted(path.glob("opencode*.db")) if path.is_dir() else [path] if path.suffix == ".db" else []
    for database in databases:
        with suppress(OSError), _opened(database) as opened:
            names = {name for (name,) in opened.execute("SELECT name FROM sqlite_master")}
            if {"session", "message", "part"} <= names:
                return _of_database(database)
    storage = path / "storage" if (path / "storage").is_dir() else path
    is_storage = (storage / "message").is_dir() and (storage / "part").is_dir()
    return _of_files(storage) if is_storage else None


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database. Its errors are raised as `OSError`."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            yield database
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error)) from None


def _of_database(path: Path) -> Iterator[Record]:
    """Each session as `opencode export` prints it."""
    rows = "SELECT id, data FROM {} WHERE {} = ? ORDER BY time_created, id"
    with _opened(path) as database:
        for session, revert in database.execute("SELECT id, revert FROM session ORDER BY time_created").fetchall():
            messages: list[object] = []
            for key, data in database.execute(rows.format("message", "session_id"), [session]).fetchall():
                parts = [_value(part) for _, part in database.execute(rows.format("part", "message_id"), [key])]
                messages.append({"info": dict(Record(_value(data)).fields, id=key), "parts": parts})
            yield Record({"info": {"id": session, "revert": _value(revert)}, "messages": messages})


def _of_files(storage: Path) -> Iterator[Record]:
    for folder in sorted((storage / "message").iterdir()):
        [info, *_] = [*_values(storage, f"session/*/{folder.name}.json"), None]
        info = dict(Record(info).fields, id=folder.name)
        messages = [
            {"info": _value(path.read_bytes()), "parts": _values(storage, f"part/{path.stem}/*.json")}
            for path in sorted(folder.glob("*.json"))
        ]
        yield Record({"info": info, "messages": messages})


def _values(folder: Path, pattern: str) -> list[object]:
    return [_value(path.read_bytes()) for path in sorted(folder.glob(pattern))]


def _value(data: str | bytes | None) -> object:
    """What a row or a file contains; None if it is no JSON."""
    value = decoded(data if isinstance(data, str) else (data or b"null").decode("utf-8", "replace"))
    return None if isinstance(value, str) else value


FORMAT = Format("opencode", _recognizes, _sessions)
