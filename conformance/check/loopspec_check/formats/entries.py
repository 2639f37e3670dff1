"""Entries of a message, as a reader makes them: their places are inside the message."""

from __future__ import annotations

from ..history import Entry, Kind, Status
from ..values import Keys, decoded, text

_STATUS: dict[object, Status] = {
    **dict.fromkeys(("success", "completed"), "done"),
    **dict.fromkeys(("error", "failed", "cancelled"), "failed"),
}


def said(kind: Kind, content: object = "", at: Keys = (), status: Status = "") -> Entry:
    """A text, a thought or a summary. Like `call` and `result`, it has its place in the message only."""
    return Entry(kind=kind, content=content, at=at, status=status)


def call(key: object, name: object, arguments: object, at: Keys = (), status: Status = "") -> Entry:
    """A call, whose arguments are decoded."""
    return Entry(kind="call", id=text(key), name=text(name), content=decoded(arguments), at=at, status=status)


def result(key: object, name: object, content: object, at: Keys = (), status: Status = "") -> Entry:
    """The result of the call with the id, or else of a call with the name."""
    return Entry(kind="result", id=text(key), name=text(name), content=content, at=at, status=status)


def status_of(written: object) -> Status:
    """The status of a result by the words that most formats have for it: `success`, `completed`, `error`, …"""
    return _STATUS.get(text(written), "")


def done_unless(failed: object) -> Status:
    """The status of a result by a mark of failures."""
    return "failed" if failed else "done"
