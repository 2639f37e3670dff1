"""What a stored history says, in one form for all formats, and how readers make it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Literal

from msgspec import Struct

from .values import Keys, Record, decoded, id_of, text

Kind = Literal["system", "user", "answer", "call", "result", "thought", "summary", "end"]
Status = Literal["", "done", "failed", "waits"]

# What a message with a role is, in the interfaces that have roles.
ROLES: Mapping[str, Kind] = {"system": "system", "developer": "system", "user": "user", "assistant": "answer"}
_OF_MODEL = ("answer", "call", "thought")
_DONE, _FAILED = ("success", "completed"), ("error", "failed", "cancelled")


class Entry(Struct, gc=False):
    """One thing that a history says. `at` leads to it inside the JSON value of `line`. The judge counts messages.

    `id` and `name` are those of a call, also in its result; a result without an id belongs to the first call of its
    name without a result. `content` is the text of a message or a result (empty: the message contains nothing), and
    the decoded arguments of a call, or the text that is no JSON. `status` of a result says whether the tool failed, if
    the format says so; a call that `waits` is to be decided by a person, or is made by the provider. `run` is the run
    of the agent that wrote the entry, if the format has runs. `fault` is the rule of what is wrong in the entry alone.
    """

    kind: Kind
    line: int
    at: Keys
    id: str = ""
    name: str = ""
    content: object = ""
    status: Status = ""
    fault: str = ""
    run: str = ""
    message: int = 0


Message = Iterable[Entry]  # an answer with its thoughts and calls, or all that one message of a user contains
Messages = Callable[[Iterable[Record]], Iterable[Message]]  # of the records of a history


class Session(Struct, frozen=True):
    """One conversation, in the order of the next request. `name` is empty if it is the whole file.

    `providers` are those that its requests go to. A part of a history has results of calls that it only refers to.
    """

    messages: Iterable[Message]
    name: str = ""
    providers: tuple[str, ...] = ()
    is_part: bool = False


Sessions = Callable[[Iterator[Record]], Iterator[Session]]  # of the values of a file


class Format(Struct, frozen=True):
    """A form in which histories are stored. rules.toml has its document, its providers and what its tool repairs.

    `recognizes` says whether a record, or a message in it, has marks that only this format has; `accepts` whether
    messages without marks of any format can be in this one.
    """

    name: str
    recognizes: Callable[[Record], bool]
    sessions: Sessions
    accepts: Callable[[Sequence[Record]], bool] = lambda _: False


def said(at: Record, kind: Kind, content: object = "", fault: str = "") -> Entry:
    """A text, a thought or a summary."""
    return Entry(kind, at.line, at.at, content=content, fault=fault)


def call(at: Record, key: object, name: object, arguments: object, status: Status = "") -> Entry:
    """A call, whose arguments are decoded."""
    return Entry("call", at.line, at.at, id_of(key), text(name), decoded(arguments), status)


def result(at: Record, key: object, name: object, content: object, status: Status = "", fault: str = "") -> Entry:
    """The result of the call with the id, or else of a call with the name."""
    return Entry("result", at.line, at.at, id_of(key), text(name), content, status, fault)


def status_of(written: str) -> Status:
    """The status of a result by the words that most formats have for it: `success`, `completed`, `error`, …"""
    return "done" if written in _DONE else "failed" if written in _FAILED else ""


def done_unless(failed: object) -> Status:
    """The status of a result by a mark of failures."""
    return "failed" if failed else "done"


def messages_of(record: Record, *keys: str) -> list[Record]:
    """The messages of a list, or of a request that has them under a key. Another value is a message."""
    within = record.within(*keys)
    return within.items() if isinstance(within.value, list) else [within]


def sessions_of(key: str, messages: Messages, is_part: Callable[[Record], object] = lambda _: False) -> Sessions:
    """Each list of messages is a session, and so is each request; and so are all lines if each is a message."""

    def sessions(records: Iterator[Record]) -> Iterator[Session]:
        for record in records:
            if key not in record.fields and not isinstance(record.value, list):
                yield Session(messages(chain([record], records)))
                return
            name = f"line {record.line}" if record.line > 1 else ""
            yield Session(messages(messages_of(record, key)), name, is_part=bool(is_part(record)))

    return sessions


def joined(said: Callable[[Record], Message], are: Callable[[Record], bool]) -> Messages:
    """Each record is a message. Those that are joined are the first one of them if they follow each other."""

    def messages(records: Iterable[Record]) -> Iterator[Message]:
        for is_joined, group in groupby(records, are):
            if is_joined:
                first, *others = map(said, group)
                yield chain(first, *others)
                yield from [()] * len(others)
            else:
                yield from map(said, group)

    return messages


def grouped(items: Iterable[Entry]) -> Iterator[Message]:
    """What the model gives in several items is one answer; each other item is a message."""
    message: list[Entry] = []
    for entry in items:
        is_answered = entry.kind in _OF_MODEL and message and message[-1].kind in _OF_MODEL
        if message and entry.kind != "end" and not is_answered:
            yield message
            message = []
        message.append(entry)
    yield message


def in_run(run: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries, as those of a run."""
    for entry in entries:
        entry.run = run
        yield entry
