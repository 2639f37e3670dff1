"""The walk of a file that is a list of messages, a request that contains one, or a message on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from ..history import Entry, Record, Session
from ..values import Keys, Object, mapping

Entries = Callable[[Iterable[Record], Object], Iterable[Entry]]  # of messages, and of their request, empty without one
_OF_MODEL = ("answer", "call", "thought")


def recognized_by(key: str, is_message: Callable[[Object], bool]) -> Callable[[Sequence[object]], bool]:
    """A file is in the format if one of its first messages has the marks of the format."""
    return lambda values: any(is_message(message) for message in messages_of(values, key))


def messages_of(values: Iterable[object], key: str) -> Iterator[Object]:
    """The messages of lists, and of requests that have them under the key. Another value is a message."""
    for value in values:
        within = mapping(value).get(key, value)
        yield from map(mapping, within if isinstance(within, list) else [within])


def sessions_of(key: str, entries: Entries) -> Callable[[Iterator[Record]], Iterator[Session]]:
    """Each list of messages is a session, and so is each request; and so are all lines if each is a message."""

    def sessions(records: Iterator[Record]) -> Iterator[Session]:
        for record in records:
            request = mapping(record.value) if key in mapping(record.value) else {}
            if not request and not isinstance(record.value, list):
                yield Session(entries(chain([record], records), {}))
                return
            messages = listed(request[key], record, (key,)) if request else listed(record.value, record)
            yield Session(entries(messages, request), f"line {record.line}" if record.line > 1 else "")

    return sessions


def listed(values: object, record: Record, at: Keys = ()) -> list[Record]:
    """The messages of a list in a record, to which the keys lead. Another value is one message."""
    messages = values if isinstance(values, list) else [values]
    return [Record(message, record.line, (*at, place)) for place, message in enumerate(messages)]


def each(said: Callable[[Object], Iterable[Entry]], joined: Callable[[Object], bool] = lambda _: False) -> Entries:
    """The entries of each message. Those that are `joined` are one message if they follow each other."""

    def entries(records: Iterable[Record], _: Object) -> Iterator[Entry]:
        number, continues = 0, False
        for count, record in enumerate(records, 1):
            message = mapping(record.value)
            number = number if continues and joined(message) else count
            continues = joined(message)
            yield from placed(said(message), record, number)

    return entries


def placed(entries: Iterable[Entry], record: Record, number: int = 0, run: str = "") -> Iterator[Entry]:
    """The entries of the message with the number, in the file."""
    line, at = record.line, record.at
    return (msgspec.structs.replace(one, message=number, line=line, at=(*at, *one.at), run=run) for one in entries)


def numbered(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of items, of which each is a message. What the model gives in several items is one answer."""
    number, before = 0, ""
    for entry in entries:
        by = "model" if entry.kind in _OF_MODEL else entry.kind
        number += by != "end" and (by, before) != ("model", "model")
        before = by
        yield msgspec.structs.replace(entry, message=number)


def own_results(entries: Iterable[Entry], is_part: object) -> Iterator[Entry]:
    """The entries; of a part of a history without the results of calls that the part only refers to."""
    calls = set[str]()
    for entry in entries:
        if entry.kind == "call":
            calls.add(entry.id)
        if entry.kind != "result" or entry.id in calls or not is_part:
            yield entry
