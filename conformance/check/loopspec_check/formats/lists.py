"""What formats share whose files are a list of messages, a request that contains one, or a message on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ..history import Entry, Keys, Record, Session, items, mapping, text

Place = tuple[object, int, Keys]  # a message, its line, and the keys that lead to it


def messages_of(value: object, key: str) -> Sequence[object]:
    """The messages of a list, or of a request that has them under the key; a message alone is one."""
    within = mapping(value).get(key, value)
    return within if isinstance(within, list) else [within]


def sessions_of(
    records: Iterator[Record], key: str, entries: Callable[[Iterable[Place], Mapping[str, object]], Iterator[Entry]]
) -> Iterator[Session]:
    """Each list of messages is a session, and so is each request; and so are all lines if each is a message.

    `entries` gets the messages and their request, which is empty if there is none.
    """
    for record in records:
        value, line = record.value, record.line
        request = mapping(value) if key in mapping(value) else {}
        if not request and not isinstance(value, list):
            rest = chain([record], records)
            yield Session(entries(((one.value, one.line, ()) for one in rest), {}))
            return
        base: Keys = (key,) if request else ()
        places = [(message, line, (*base, place)) for place, message in enumerate(messages_of(value, key))]
        yield Session(entries(places, request), f"line {line}" if line > 1 else "")


def own_results(entries: Iterable[Entry], *, is_part: bool) -> Iterator[Entry]:
    """The entries, without the results of calls that a request does not contain but only refers to."""
    calls = set[str]()
    for entry in entries:
        if entry.kind == "call":
            calls.add(entry.id)
        if entry.kind != "result" or entry.id in calls or not is_part:
            yield entry


def text_of(content: object) -> object:
    """The text of a content, or the content itself if it is more than text."""
    if isinstance(content, str):
        return content
    texts = [text(mapping(part).get("text")) for part in items(content)]
    return "".join(texts) if all(texts) else content
