"""The entries of a message, as a reader makes them: each has a place, and no number of the message yet."""

from __future__ import annotations

from ..history import Entry, Kind, Status
from ..values import Record, decoded, text

_STATUS: dict[str, Status] = {
    **dict.fromkeys(("success", "completed"), "done"),
    **dict.fromkeys(("error", "failed", "cancelled"), "failed"),
}


def said(at: Record, kind: Kind, content: object = "", status: Status = "") -> Entry:
    """A text, a thought or a summary."""
    return Entry(kind=kind, line=at.line, at=at.at, content=content, status=status)


def call(at: Record, key: object, name: object, arguments: object, status: Status = "") -> Entry:
    """A call, whose arguments are decoded."""
    given = decoded(arguments)
    return Entry(kind="call", line=at.line, at=at.at, id=text(key), name=text(name), content=given, status=status)


def result(at: Record, key: object, name: object, content: object, status: Status = "") -> Entry:
    """The result of the call with the id, or else of a call with the name."""
    return Entry(kind="result", line=at.line, at=at.at, id=text(key), name=text(name), content=content, status=status)


def status_of(written: str) -> Status:
    """The status of a result by the words that most formats have for it: `success`, `completed`, `error`, …"""
    return _STATUS.get(written, "")


def done_unless(failed: object) -> Status:
    """The status of a result by a mark of failures."""
    return "failed" if failed else "done"
