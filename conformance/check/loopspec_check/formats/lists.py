"""The walk of a file that is a list of messages, a request that contains one, or a message on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from ..history import Entry, Session
from ..values import Record

Entries = Callable[[Iterable[Record], Record], Iterable[Entry]]  # of messages, and of their request, empty without one
_OF_MODEL = ("answer", "call", "thought")


def messages_of(record: Record, *keys: str) -> list[Record]:
    """The messages of a list, or of a request that has them under a key. Another value is a message."""
    within = next((record.inside(key) for key in keys if key in record.fields), record)
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
