"""What a stored history says, in one form for all formats, and how readers make it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from .values import Keys, Record, decoded, id_of, text

Kind = Literal["system", "user", "answer", "call", "result", "thought", "summary", "end"]
Status = Literal["", "done", "failed", "waits"]

# What a message with a role is, in the interfaces that have roles.
ROLES: Mapping[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_OF_MODEL = ("answer", "call", "thought")
_STATUS: dict[str, Status] = {
    **dict.fromkeys(("success", "completed"), "done"),
    **dict.fromkeys(("error", "failed", "cancelled"), "failed"),
}


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """One thing that a history says. Entries have the order in which the next request would have them.

    `message` counts the messages of the history from 1: an answer, its thoughts and its calls share a number, and so
    does all that one message of a user contains. `at` leads to the entry inside the JSON value of `line`.

    `id` and `name` are those of a call, also in its result; a result without an id belongs to the first call of its
    name without a result. `content` is the text of a message or a result (empty: the message contains nothing), and
    the decoded arguments of a call, or the text that is no JSON. `status` of a result says whether the tool failed, if
    the format says so; a call that `waits` is to be decided by a person, or is made by the provider. `run` is the run
    of the agent that wrote the entry, if the format has runs. `fault` is the rule of what is wrong in the entry alone.
    """

    kind: Kind
    message: int = 0
    line: int = 1
    at: Keys = ()
    id: str = ""
    name: str = ""
    content: object = ""
    status: Status = ""
    run: str = ""
    fault: str = ""


class Session(Struct, frozen=True):
    """One conversation. `name` is empty if it is the whole file; `providers` are those that its requests go to."""

    entries: Iterable[Entry]
    name: str = ""
    providers: tuple[str, ...] = ()


class Format(Struct, frozen=True):
    """A form in which histories are stored. rules.toml has its document, its providers and what its tool repairs.

    `recognizes` says whether a record, or a message in it, has marks that only this format has; `accepts` whether
    messages without marks of any format can be in this one. `store` is for a format that is no JSON file: it returns
    None for a file or a folder that is not in the format.
    """

    name: str
    recognizes: Callable[[Record], bool]
    sessions: Callable[[Iterator[Record]], Iterator[Session]]
    accepts: Callable[[Sequence[Record]], bool] = lambda _: False
    store: Callable[[Path], Iterator[Session] | None] | None = None


def said(at: Record, kind: Kind, content: object = "", fault: str = "") -> Entry:
    """A text, a thought or a summary."""
    return Entry(kind=kind, line=at.line, at=at.at, content=content, fault=fault)


def call(at: Record, key: object, name: object, arguments: object, status: Status = "") -> Entry:
    """A call, whose arguments are decoded."""
    given = decoded(arguments)
    return Entry(kind="call", line=at.line, at=at.at, id=id_of(key), name=text(name), content=given, status=status)


def result(at: Record, key: object, name: object, content: object, status: Status = "", fault: str = "") -> Entry:
    """The result of the call with the id, or else of a call with the name."""
    its, named = id_of(key), text(name)
    return Entry(kind="result", line=at.line, at=at.at, id=its, name=named, content=content, status=status, fault=fault)


def status_of(written: str) -> Status:
    """The status of a result by the words that most formats have for it: `success`, `completed`, `error`, …"""
    return _STATUS.get(written, "")


def done_unless(failed: object) -> Status:
    """The status of a result by a mark of failures."""
    return "failed" if failed else "done"


Entries = Callable[[Iterable[Record], Record], Iterable[Entry]]  # of messages, and of their request, empty without one


def messages_of(record: Record, *keys: str) -> list[Record]:
    """The messages of a list, or of a request that has them under a key. Another value is a message."""
    within = record.within(*keys)
    return within.items() if isinstance(within.value, list) else [within]


def sessions_of(key: str, entries: Entries) -> Callable[[Iterator[Record]], Iterator[Session]]:
    """Each list of messages is a session, and so is each request; and so are all lines if each is a message."""

    def sessions(records: Iterator[Record]) -> Iterator[Session]:
        for record in records:
            if key not in record.fields and not isinstance(record.value, list):
                yield Session(entries(chain([record], records), Record({})))
                return
            yield Session(entries(messages_of(record, key), record), f"line {record.line}" if record.line > 1 else "")

    return sessions


def each(said: Callable[[Record], Iterable[Entry]], joined: Callable[[Record], bool] = lambda _: False) -> Entries:
    """The entries of each message. Those that are `joined` are one message if they follow each other."""

    def entries(messages: Iterable[Record], _: Record) -> Iterator[Entry]:
        number, continues = 0, False
        for count, message in enumerate(messages, 1):
            number = number if continues and joined(message) else count
            continues = joined(message)
            for entry in said(message):
                yield replace(entry, message=number)

    return entries


def of_message(number: int, entries: Iterable[Entry], run: str = "") -> Iterator[Entry]:
    """The entries, as those of the message with the number."""
    return (replace(entry, message=number, run=run) for entry in entries)


def numbered(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of items, of which each is a message. What the model gives in several items is one answer."""
    number, before = 0, ""
    for entry in entries:
        by = "model" if entry.kind in _OF_MODEL else entry.kind
        number += by != "end" and (by, before) != ("model", "model")
        before = by
        yield replace(entry, message=number)


def own_results(entries: Iterable[Entry], is_part: object) -> Iterator[Entry]:
    """The entries; of a part of a history without the results of calls that the part only refers to."""
    calls = set[str]()
    for entry in entries:
        if entry.kind == "call":
            calls.add(entry.id)
        if entry.kind != "result" or entry.id in calls or not is_part:
            yield entry
